import Bluetooth
import Firmware
import TestSupport
import UpdateModel

extension FuzzTarget {
    /// Frames of a beacon. One input is a row of reports of 31 bytes, so that frames take turns.
    static let beaconFrames = FuzzTarget("beacon-frames", seeds: { frames }) { input in
        guard let address = DeviceAddress("DD:34:02:06:5B:5C", .public) else { return }
        var identity = AdvertisedIdentity(of: address)
        var listed = 0
        for start in stride(from: 0, to: input.count, by: 31) {
            let report = AdvertisingData(Array(input[start..<min(start + 31, input.count)]))
            listed += report.elements.count
            identity.hear(report)
            let before = identity
            identity.hear(report)
            try demand(
                before.version == identity.version && before.charge == identity.charge
                    && before.id == identity.id && before.frames == identity.frames,
                "a repeated report changes the state")
        }
        try demandBounds(of: identity)
        try demand(identity.frames.count <= listed, "more frames than structures")
        try demand(
            identity.frameErrors.allSatisfy { (0...31).contains($0.offset) }, "an offset outside the frame")
        try demand(
            identity.missing.allSatisfy { part in
                switch part {
                case .name: identity.name == nil
                case .version: identity.version == nil
                case .battery: identity.charge == BatteryCharge()
                case .id: identity.id == nil
                }
            }, "misses what it has")
    }

    private static func demandBounds(of identity: AdvertisedIdentity) throws(Violation) {
        let charge = identity.charge
        try demand((0...100).contains(charge.percent ?? 0), "more than full")
        try demand((1...Int(UInt16.max)).contains(charge.millivolts ?? 1), "\(charge.millivolts ?? 0) mV")
        let remembered = [
            identity.numbers.count, identity.frameErrors.count, identity.contradictions.count,
            identity.flags.count,
        ]
        try demand(remembered.allSatisfy { $0 <= 16 }, "remembers all there is")
        let sensors = identity.sensors
        try demand(Set(sensors.map(\.name)).count == sensors.count, "a sensor twice")
        try demand(sensors.allSatisfy { $0.value.isFinite && !"\($0)".isEmpty }, "no number")
        let texts = [identity.id, identity.version, identity.hardwareVersion, identity.model].compactMap(
            \.self)
        try demand(
            texts.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !$0.isEmpty },
            "a text that cannot be shown")
        for rssi: Int8 in [-128, -70, -1, 0, 127] {
            let estimate = identity.distance(rssi: rssi)
            try demand(estimate.map { $0.metres.isFinite && $0.metres > 0 } ?? true, "no distance")
        }
    }

    private static let frames = [
        // Rotating frames of one KBeacon, each a report.
        "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c500"
            + "0201060303aafe1216aafe21010f0e07192a224ffffcffec03eb0000000000"
            + "0201060303aafe0e16aafe22056ddd3402065b5c06140000000000000000 00"
            + "091680206d0100000000 0d094b4250726f5f323134383130 020ad3",
        "1effff0a532107ff0e07192a224ffffcffec03eb01020123030064000104", "0fff530a210600150000fe000163 0001",
        "1aff530a06000f000102030405060708090a0b0c0d0e0f6553f100", "07ff530a04002190",
        "1aff530a0315000102030405060708090a0b0c0d0e0f6553f100c5", "091680206404193605b2",
        "09168020640001 02459f",
        "0201060303aafe1716aafe00ee000102030405060708090102030405060000",
        "0201060303aafe0d16aafe10ee01676f6f676c6500", "0201060303aafe1116aafe20000bb8158000012345000d2f00",
        "0201060303aafe1516aafe2001a0a1a2a3a4a5a6a7a8a9aaab12345678",
        "0201060303aafe0d16aafe30ee1122334455667788",
        "0201061bff1801beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500",
        "080961626364656667020a040a160dd061626364040264", "0f166afe0206010f6404616263646566",
        "19166afe0106010f640400010203040506070809010203040506", "0e166afe05f4250a01414243444546",
        "0c166afe03020a640411065ba0", "0b166afe03060100f153655f", "0e166afe03030540f6 03131580 021237",
        "0201060e16f0ff15033e92dd3402065b5c65", "0201060d16f0ff15033e92dd3402065b5c65",
        "02010616ff5d0101010203040506070804024821750000400541",
        "02010603039afe17169afe2211223344556677880100000000000000082f57",
        "02010603039afe17169afe22112233445566778800c07f00000d0000b98b01",
        "0201060303f5fe13ffd200dd3402065b5c021900010240000964c5", "04160f1837",
        "1107d881c91ab99996abba40868780200cee", "11077e3aaa500bb0168b63401e0b0008ec59",
    ].map { [UInt8](hex: $0) }
}
