import Bluetooth
import Firmware
import TestSupport
import Testing
import UpdateModel

@Suite struct `The record of a beacon is complete` {
    private static let system = "0eff530a220564dd3402065b5c0614"
    private static let sensor = "1216aafe21010f0e07192a224ffffcffec03eb"
    private static let name = "0d094b4250726f5f323134383130"
    private static let iBeacon = "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"

    private func missing(
        _ hex: String, at address: String = "DD:34:02:06:5B:5C", _ kind: DeviceAddress.Kind = .random
    ) throws -> [AdvertisedPart] {
        let address = try #require(DeviceAddress(address, kind))
        let identity = AdvertisedIdentity(AdvertisingData([UInt8](hex: hex)), from: address)
        #expect(identity.isComplete == identity.missing.isEmpty)
        return identity.missing
    }

    @Test(
        arguments: [
            (system, []),
            // Until the system frame arrives, only the name tells the generation.
            (sensor, []), ("091680206404193605b2", []), ("0916802064000102459f", [.version]),
            // Only the second generation has an alarm, light, CO2 and a record count.
            ("0916aafe210011 0bb801", [.version, .id]), ("0916aafe210400000007", [.version, .battery, .id]),
            (sensor + name, [.version, .id]), (iBeacon + name, [.version, .battery, .id]),
            ("0aff530a2100030a281580", [.version, .id]), ("08ff530a2100021580", [.version, .battery, .id]),
            ("08 16aafe2100021580", [.battery]), (sensor + name + system, []),
            ("0a160dd061626364040264", []), ("07166afe03020a64", [.version, .battery, .id]),
            ("07166afe03020c5a", [.version, .id]), ("0e166afe05f4250a01414243444546", [.version, .battery]),
            ("0f166afe0206010f6404616263646566", []),
            ("19166afe0106010f640400010203040506070809010203040506", []),
            ("17169afe2211223344556677880100000000000000082f57", []),
            ("17169afe2211223344556677880000000000000000000000", [.battery]),
            ("16ff5d0101010203040506070804024821750000400541", []),
            ("0e16f0ff15033e92dd3402065b5c65", []), ("0d16f0ff15033e92dd3402065b5c", []),
            ("0303f5fe13ffd200dd3402065b5c021900010240000964c5", []),
            (iBeacon, []), ("0d16aafe30ee1122334455667788", []),
            ("1bff1801beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500", []), ("", []),
        ] as [(String, [AdvertisedPart])]) func `when its family advertises nothing more`(
            _ hex: String, parts: [AdvertisedPart]
        ) throws
    {
        #expect(try missing(hex) == parts)
    }

    @Test func `later at an address that only newer KBeacons use`() throws {
        #expect(try missing(Self.iBeacon, at: "BC:57:29:02:45:9F", .public) == [.version, .battery, .id])
        #expect(try missing(Self.iBeacon, at: "BC:57:29:02:45:9F", .random) == [])
    }
}
