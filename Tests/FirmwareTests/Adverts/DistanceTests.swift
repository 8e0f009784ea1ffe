import Bluetooth
import Firmware
import TestSupport
import Testing

@Suite struct `The distance of a beacon` {
    @Test(
        arguments: [
            (-59, -59, 1, .near), (-79, -59, 10, .far), (-39, -59, 0.1, .immediate), (-53, -59, 0.501, .near),
            (-54, -60, 0.501, .near), (-68, -59, 2.818, .near), (-69, -59, 3.162, .far),
            (-128, -1, 2_238_721.139, .far),
        ] as [(Int8, Int8, Double, DistanceEstimate.Proximity)]) func `grows tenfold with 20 dB`(
            rssi: Int8, power: Int8, metres: Double, proximity: DistanceEstimate.Proximity
        ) throws
    {
        let estimate = try #require(DistanceEstimate(rssi: rssi, measuredPower: power))
        #expect(abs(estimate.metres - metres) <= metres / 1000)
        #expect(estimate.proximity == proximity)
    }

    @Test(arguments: [(0, -59), (20, -59), (127, -59), (-59, 0), (-59, 4)] as [(Int8, Int8)])
    func `is unknown without a signal strength`(rssi: Int8, power: Int8) {
        #expect(DistanceEstimate(rssi: rssi, measuredPower: power) == nil)
    }

    @Test(
        arguments: [
            ("1aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5", -59),
            ("1bff1801beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500", -59),
            // Eddystone reports the power at 0 m, which is 41 dB more: -18 dBm.
            ("1516aafe00ee00010203040506070809010203040506", -59), ("0d16aafe10ee01676f6f676c6500", -59),
            ("0d16aafe30ee1122334455667788", -59), ("0d16aafe30801122334455667788", -128),
            ("1116aafe20000bb8158000012345000d2f00", nil), ("0eff530a220564dd3402065b5c0614", nil),
        ] as [(String, Int8?)]) func `needs a frame that states the power at a known distance`(
            _ hex: String, power: Int8?
        )
        throws
    {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        let identity = AdvertisedIdentity(AdvertisingData([UInt8](hex: hex)), from: address)
        #expect(
            identity.distance(rssi: -70)
                == power.flatMap { DistanceEstimate(rssi: -70, measuredPower: $0) })
    }
}
