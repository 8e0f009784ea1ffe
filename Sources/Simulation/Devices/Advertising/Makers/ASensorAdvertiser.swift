import Bluetooth
import Bytes

/// An ASensor by AprilBrother.
///
///     0   6  address
///     6   1  version
///     7   1  temperature in °C
///     8   1  moving
///     9   3  acceleration
///     12  2  duration in s of the current state of motion, and of the previous state, 1 byte each
///     14  1  battery in percent
///     15  1  power at 1 m, dBm
struct ASensorAdvertiser: Advertiser {
    let address: DeviceAddress
    var name = "ASensor"
    var standard: StandardIdentity
    var version: UInt8 = 2
    var battery: UInt8 = 100
    var isMoving = false

    init(address: DeviceAddress) {
        self.address = address
        standard = StandardIdentity(address: address)
        standard.temperature = 25
    }

    static let ownFrames: [FrameName] = [.aSensor]

    func payload(of frame: FrameName, at moment: AdvertisingMoment) -> AdvertisedFrame? {
        guard frame == .aSensor else { return standard.payload(of: frame, at: moment) }
        let degrees = Int8(exactly: (standard.temperature ?? 0).rounded()) ?? 0
        let motion: [UInt8] = [isMoving ? 1 : 0, 0x01, 0x02, 0x40, 0x00, 0x09]
        let end = [battery, UInt8(bitPattern: standard.measuredPower)]
        let data = address.bytes + [version, UInt8(bitPattern: degrees)] + motion + end
        return AdvertisedFrame([.flags, .service(BluetoothUUID(0xFEF5))], .company(0x00D2, data))
    }

    var information: [UInt16: [UInt8]] { [0x2A24: Array("ASensor".utf8), 0x2A26: Array("\(version)".utf8)] }

    init(reading entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: entry.address)
        version = try entry.number("version") ?? version
        battery = try entry.number("battery") ?? battery
        isMoving = try entry.truth("moving") ?? isMoving
    }
}

extension FrameName { static let aSensor = FrameName("asensor") }
