import Bluetooth
import Feasycom
import Firmware
import TestSupport
import Testing
import UpdateModel

@Suite struct `A vendor frame` {
    @Test func `of Feasycom has model, version, features, address and power`() throws {
        let frame = try FeasycomFrame(parsing: [UInt8](hex: "15033e92dd3402065b5c65"))
        #expect((frame.modelNumber, frame.model, frame.version) == (21, "BP102", 830))
        #expect(frame.connectability == .needsPIN)
        #expect(frame.features & 0xF0 == 0x90)
        #expect(frame.address == [UInt8](hex: "dd3402065b5c"))
        #expect(frame.charge == BatteryCharge(isExternal: true))
    }

    @Test(
        arguments: [
            (21, "BP102"), (25, "BP109"), (26, "BP103"), (27, "BP104"), (28, "BP201"), (29, "BP106"),
            (30, "BP101"), (31, "BP671"), (36, "BP120"), (39, "BP108"), (40, "BP108N"), (41, "BP103B"),
            (20, "BT909"), (99, nil),
        ] as [(UInt8, String?)]) func `of Feasycom is taken for a beacon before a module`(
            _ number: UInt8, name: String?
        ) throws
    {
        let frame = try FeasycomFrame(parsing: [number] + [UInt8](hex: "033e92dd3402065b5c65"))
        #expect(frame.model == name)
    }

    /// The samples with which Theengs' decoder is tested.
    @Test func `of Feasycom's BP103B has a battery`() throws {
        let frame = try FeasycomFrame(parsing: [UInt8](hex: "29021992aabbccddeeff64"))
        #expect((frame.model, frame.version, frame.connectability) == ("BP103B", 537, .needsPIN))
        #expect(frame.charge == BatteryCharge(percent: 100))
    }

    @Test(
        arguments: [
            (0x00, BatteryCharge(percent: 0)), (0x80, BatteryCharge(percent: 0)),
            (0xB2, BatteryCharge(percent: 50)), (0xE4, BatteryCharge(percent: 100)),
            (0x65, BatteryCharge(isExternal: true)), (0xE5, BatteryCharge()),
        ] as [(UInt8, BatteryCharge)])
    func `of Feasycom has its percentage in seven bits`(_ byte: UInt8, charge: BatteryCharge) throws {
        let frame = try FeasycomFrame(parsing: [UInt8](hex: "29021992aabbccddeeff") + [byte])
        #expect(frame.charge == charge)
    }

    @Test(arguments: ["66", "7f", "e6", "ff"])
    func `of Feasycom is refused with an undefined battery value`(_ byte: String) throws {
        let error = try #require(throws: FrameError.self) {
            try FeasycomFrame(parsing: [UInt8](hex: "15033e92dd3402065b5c" + byte))
        }
        #expect((error.field, error.offset) == ("battery", 10))
    }

    @Test func `of Kontakt's scan response has id, version and battery`() throws {
        let facts = try KontaktClassic(parsing: [UInt8](hex: "61626364040264")).facts
        #expect((facts.id, facts.version, facts.charge) == ("abcd", "4.2", BatteryCharge(percent: 100)))
        #expect(throws: FrameError.self) { try KontaktClassic(parsing: [UInt8](hex: "6162636404026400")) }
        #expect(throws: FrameError.self) { try KontaktClassic(parsing: [UInt8](hex: "611b6364040264")) }
    }

    @Test func `of Kontakt's profile has model, version, battery and power`() throws {
        var plain = try KontaktPlain(parsing: [UInt8](hex: "0206010f6404616263646566")).facts
        #expect((plain.modelNumber, plain.version, plain.charge) == (6, "1.15", BatteryCharge(percent: 100)))
        #expect(plain.txPower == 4)
        #expect(plain.id == "abcdef")
        let shuffled = try KontaktShuffled(
            parsing: [UInt8](hex: "0106010f640400010203040506070809010203040506"))
        plain.id = nil
        #expect(shuffled.facts == plain)
    }

    @Test func `of Kontakt's location has power, model, motion and id`() throws {
        let facts = try KontaktLocation(parsing: [UInt8](hex: "05f4250a01414243444546")).facts
        #expect((facts.txPower, facts.modelNumber) == (-12, 10))
        #expect(facts.flags == ["moving": true])
        #expect(facts.id == "ABCDEF")
    }

    @Test(
        arguments: [
            ("03020a64", BatteryCharge(), ["light 100"]),
            ("03020a640411065ba0", BatteryCharge(), ["light 100"]),
            ("03060100f153655f", BatteryCharge(percent: 95), []),
            ("03020c5a", BatteryCharge(percent: 90), []), ("03020c6d", BatteryCharge(percent: 100), []),
            ("030305 40 f6", BatteryCharge(), ["light 64", "temperature -10 °C"]),
            ("03020bf6 021237", BatteryCharge(), ["temperature -10 °C", "humidity 55 %"]),
            ("030313 1580", BatteryCharge(), ["temperature 21.5 °C"]), ("0302ff00", BatteryCharge(), []),
        ] as [(String, BatteryCharge, [String])]) func `of Kontakt's telemetry has records`(
            _ hex: String, charge: BatteryCharge, values: [String]
        ) throws
    {
        let facts = try KontaktTelemetry(parsing: [UInt8](hex: hex)).facts
        #expect(facts.charge == charge)
        #expect(facts.sensors.map { "\($0)" } == values)
    }

    @Test(arguments: [("03020c5a040c01", 6), ("0300", 1)])
    func `of Kontakt's telemetry is refused when a record runs past its end`(
        _ hex: String, offset: Int
    ) throws {
        let error = try #require(throws: FrameError.self) { try KontaktTelemetry(parsing: [UInt8](hex: hex)) }
        #expect(error.offset == offset)
    }

    @Test func `of Estimote's environment has battery, light and temperature`() throws {
        let facts = try EstimoteTelemetry(
            parsing: [UInt8](hex: "22112233445566778801000000 5a00 00 15 08 2f 57")
        ).facts
        #expect(facts.charge == BatteryCharge(percent: 87, millivolts: 3010))
        #expect(facts.flags.isEmpty)
        // 0x5A: 10 · 2^5 · 0.72; 0x015 << 2 sixteenths of a degree.
        #expect(
            facts.sensors.map { "\($0)" } == [
                "magnetic-field-x 0", "magnetic-field-y 0", "magnetic-field-z 0", "light 230.4 lx",
                "temperature 5.25 °C", "uptime 0 s",
            ])
    }

    /// Byte 15 holds the end of the time, its unit and the beginning of the temperature.
    @Test(
        arguments: [
            ("8040ff 00 2c 91 15 08 2f", [-1, 0.5, -0.008, 0, 5.375, 300 * 60]),
            ("000000 00 ff 0f 00 00 00", [0, 0, 0, 0, 0, 4095]),
            ("7f0000 f1 01 20 00 02 00", [0.992, 0, 0, 23592.96, -128, 3600]),
            ("000000 00 02 f0 ff 01 00", [0, 0, 0, 0, 127.938, 2 * 86_400]),
        ] as [(String, [Double])])
    func `of Estimote's environment has magnetic field and uptime`(
        _ hex: String, numbers: [Double]
    ) throws {
        let frame = try EstimoteTelemetry(parsing: [UInt8](hex: "22112233445566778801" + hex + "57"))
        #expect(frame.facts.sensors.map { ($0.value * 1000).rounded() / 1000 } == numbers)
    }

    @Test func `of Estimote's environment marks unknown values`() throws {
        let facts = try EstimoteTelemetry(
            parsing: [UInt8](hex: "22112233445566778801 000000 00 00 c0 ff ff ff ff")
        ).facts
        #expect(facts.charge == BatteryCharge())
        #expect(
            facts.sensors.map { "\($0)" }.dropFirst(3) == [
                "light 0 lx", "temperature -0.063 °C", "uptime 0 s",
            ])
    }

    @Test(
        arguments: [
            // Version 0 has them in subframe B, versions 1 and 2 in A at different places.
            ("02112233445566778801 000000 00 00 00 00 08 2f 03", true, true),
            ("02112233445566778801 000000 00 00 00 00 08 2f 01", true, false),
            ("12112233445566778800 000000 00 00 00 02 00 00 00", false, true),
            ("22112233445566778800 000000 00 00 04 00 00 00 00", true, false),
            ("22112233445566778800 000000 00 00 0c 03 00 00 00", true, true),
            ("22112233445566778800 000000 00 00 03 ff ff ff ff", false, false),
        ]) func `of Estimote reports errors`(_ hex: String, firmware: Bool, clock: Bool) throws
    {
        let flags = try EstimoteTelemetry(parsing: [UInt8](hex: hex)).facts.flags
        #expect((flags["firmware-error"], flags["clock-error"]) == (firmware, clock))
    }

    @Test func `of Estimote's motion has acceleration and pressure`() throws {
        let facts = try EstimoteTelemetry(
            parsing: [UInt8](hex: "22112233445566778800 00c07f 00 00 01 00b98b01")
        ).facts
        #expect(facts.flags["moving"] == true)
        #expect(
            facts.sensors.map { "\($0)" } == [
                "acceleration-x 0 g", "acceleration-y -1.008 g", "acceleration-z 2 g",
                "motion-state-duration 0 s", "previous-motion-state-duration 0 s", "pressure 101305 Pa",
            ])
    }

    @Test(
        arguments: [
            ("00", 0, 0), ("3f", 63, 63), ("5e", 1800, 1800), ("83", 10_800, 10_800),
            ("bf", 226_800, 226_800),
            ("c1", 86_400, 86_400), ("df", 31 * 86_400, 31 * 86_400),
            // Telemetry still counts up to 32 days, where stickers already count weeks.
            ("e0", 32 * 86_400, 0), ("e1", 604_800, 604_800), ("ff", 31 * 604_800, 31 * 604_800),
        ] as [(String, Double, Double)])
    func `of Estimote has the durations of the current and the previous state of motion`(
        _ byte: String, seconds: Double, ofSticker sticker: Double
    ) throws {
        func durations(_ values: [SensorValue]) -> [Double] {
            ["motion-state-duration", "previous-motion-state-duration"].compactMap { name in
                values.first { $0.name == name }?.value
            }
        }
        for (bytes, expected) in [("00\(byte)", [seconds, 0]), ("\(byte)00", [0, seconds])] {
            let frame = try EstimoteTelemetry(
                parsing: [UInt8](hex: "22112233445566778800 000000 \(bytes) 00 00000000"))
            #expect(durations(frame.facts.sensors) == expected)
        }
        // In the reverse order.
        for (bytes, expected) in [("\(byte)00", [sticker, 0]), ("00\(byte)", [0, sticker])] {
            let frame = try Nearable(parsing: [UInt8](hex: "010102030405060708 0402 482175 000000 \(bytes)"))
            #expect(durations(frame.facts.sensors) == expected)
        }
    }

    @Test(arguments: [("00", []), ("10", [0]), ("80", [3]), ("91", [0, 3]), ("fd", [0, 1, 2, 3])])
    func `of Estimote's motion has four pins`(_ state: String, high: [Int]) throws {
        let data = AdvertisingData(
            [UInt8](hex: "17169afe 22112233445566778800 000000 0000 \(state) 00000000"))
        let address = try #require(DeviceAddress("D0:00:00:00:00:01"))
        let flags = AdvertisedIdentity(data, from: address).flags.filter { $0.hasPrefix("gpio") }
        #expect(flags == high.map { "gpio-\($0)-high" })
    }

    @Test(arguments: [
        "32112233445566778801", "2311223344556677880100000000000000082f57", "22112233445566778802",
    ])
    func `of Estimote is refused with an unpublished version, type or subframe`(_ hex: String) {
        #expect(throws: FrameError.self) {
            try EstimoteTelemetry(parsing: [UInt8](hex: hex) + [UInt8](repeating: 0, count: 10))
        }
    }

    @Test func `of Estimote's sticker has versions, temperature, voltage and motion`() throws {
        let facts = try Nearable(parsing: [UInt8](hex: "010102030405060708 04 02 482175 0000400541")).facts
        #expect(facts.id == "0102030405060708")
        #expect((facts.hardwareVersion, facts.version) == ("4", "2"))
        #expect(facts.charge == BatteryCharge(millivolts: 2991))
        #expect(facts.flags == ["moving": true, "voltage-under-load": false])
        #expect(
            facts.sensors.map { "\($0)" } == [
                "temperature 20.5 °C", "acceleration-x 0 mg", "acceleration-y 0 mg",
                "acceleration-z 1000 mg", "motion-state-duration 5 s", "previous-motion-state-duration 60 s",
            ])
        let cold = try Nearable(parsing: [UInt8](hex: "010102030405060708 04 02 f02f80 80ff010000"))
        #expect(cold.facts.sensors.prefix(4).map(\.value) == [-1, -2000, -15.625, 15.625])
    }

    @Test func `of AprilBrother has address, version, battery and power`() throws {
        let facts = try ASensor(parsing: [UInt8](hex: "dd3402065b5c021900010240000964c5")).facts
        #expect((facts.id, facts.version) == ("DD:34:02:06:5B:5C", "2"))
        #expect((facts.charge, facts.measuredPower) == (BatteryCharge(percent: 100), -59))
        #expect(facts.flags == ["moving": false])
        #expect(
            facts.sensors.map { "\($0)" } == [
                "temperature 25 °C", "acceleration-x 1", "acceleration-y 2", "acceleration-z 64",
                "current-motion 0 s", "last-motion 9 s",
            ])
    }
}
