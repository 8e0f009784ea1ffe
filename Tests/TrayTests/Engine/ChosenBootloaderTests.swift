import Bluetooth
import Firmware
import Testing

@testable import Tray

@Suite struct `A unit whose bootloader the user has chosen` {
    private static let place = "D3:11:22:33:44:55"

    /// What is found of a unit at `device` when a bootloader is heard at each of `places`.
    private func finding(_ device: String, bootloaders: [String], heardAt places: [String]) throws
        -> TrayFinding?
    {
        var target = TrayTarget(
            slot: "A1", device: try #require(DeviceSelector(device)), mayBeInBootloader: true)
        target.bootloaders = bootloaders.compactMap { DeviceAddress($0) }
        var sightings = TraySightings([target], isComplete: true)
        for place in places {
            var data = AdvertisingData()
            data.elements = [
                .flags(0x06), .name("DfuTarg", complete: true),
                .services([BluetoothUUID(0xFE59)], complete: true),
            ]
            _ = sightings.hear(
                Advertisement(
                    address: try #require(DeviceAddress(place)), rssi: -50, isConnectable: true, data: data),
                by: AdapterNumber(0), at: .zero)
        }
        return sightings.finding(of: UnitNumber(0))
    }

    @Test func `is found there, and its application is expected at its own address`() throws {
        let unit = "F0:0D:BE:AC:00:00"
        let found = try finding(unit, bootloaders: [Self.place], heardAt: ["F0:0D:BE:AC:00:01", Self.place])
        guard case .bootloader(let beacon, let application)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect("\(beacon.address)" == Self.place && "\(application)" == unit && application.kind == .random)
        #expect(try finding(unit, bootloaders: [Self.place], heardAt: ["F0:0D:BE:AC:00:01"]) == nil)
        #expect(try finding(unit, bootloaders: [], heardAt: [Self.place]) == nil)
    }

    @Test(arguments: [("C0:0D:BE:AC:00:00", DeviceAddress.Kind.random), ("00:0D:BE:AC:00:00", .public)])
    func `has the address type that its digits suggest`(_ unit: String, _ kind: DeviceAddress.Kind) throws {
        #expect(DeviceSelector(unit)?.likelyAddress?.kind == kind)
        #expect(DeviceSelector("\(unit)/public")?.likelyAddress?.kind == .public)
    }
}
