import Bluetooth
import Feasycom
import Firmware
import KKM
import Orange
import TestSupport
import Testing
import UpdateModel

@Suite struct `The identity of a beacon` {
    private static let address = "DD:34:02:06:5B:5C"

    private func identity(
        _ reports: String..., at address: String = address, _ kind: DeviceAddress.Kind = .public
    ) throws -> AdvertisedIdentity {
        var identity = AdvertisedIdentity(of: try #require(DeviceAddress(address, kind)))
        for report in reports { identity.hear(AdvertisingData([UInt8](hex: report))) }
        return identity
    }

    @Test(
        arguments: [
            ("0eff530a220564dd3402065b5c0614", .kkm, .kkm), ("091680206404193605b2", .kkm, .kkm),
            ("19ff530a06000f000102030405060708090a0b0c0d0e0f6553f1", .unknown, nil),
            ("1aff530a06000f000102030405060708090a0b0c0d0e0f6553f100", .kkm, .kkm),
            ("1aff530a0315000102030405060708090a0b0c0d0e0f6553f100c5", .kkm, .kkm),
            ("07ff530a04002190", .kkm, .kkm), ("07ff0d0004002190", .kkm, .kkm),
            ("07ff0d0004003fff", .unknown, nil), ("08ff0d000408010203", .unknown, nil),
            ("1107d881c91ab999 96abba408687 80200cee", .kkmOld, .kkm),
            ("11077e3aaa500bb0168b63401e0b0008ec59", .orangeTag, .orange),
            ("0a160dd061626364040264", .kontakt, .kontakt),
            ("0e166afe05f4250a01414243444546", .kontakt, .kontakt),
            ("17169afe2211223344556677880100000000000000082f57", .estimote, .estimote),
            ("16ff5d0101010203040506070804024821750000400541", .nearable, .estimote),
            ("0e16f0ff15033e92dd3402065b5c65", .feasycom, .feasycom),
            ("0303f5fe13ffd200dd3402065b5c021900010240000964c5", .aSensor, .aprilBrother),
            ("1aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5", .iBeacon, nil),
            ("0d16aafe30ee1122334455667788", .eddystone, nil),
            ("1bff1801beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500", .altBeacon, nil),
            ("04160f1837", .unknown, nil), ("06ff4c00100501", .unknown, nil), ("0416aafe55", .unknown, nil),
            ("", .unknown, nil),
        ] as [(String, Family, Maker?)]) func `comes from its frames`(
            _ hex: String, family: Family, maker: Maker?
        ) throws
    {
        let identity = try identity(hex)
        #expect(identity.family == family)
        #expect(identity.maker == maker)
    }

    @Test func `has external power or a percentage, as last reported`() throws {
        let (external, low) = ("0e16f0ff15033e92dd3402065b5c65", "0e16f0ff15033e92dd3402065b5c05")
        #expect(try identity(external, low).charge == BatteryCharge(percent: 5))
        #expect(try identity(low, external).charge == BatteryCharge(isExternal: true))
    }

    @Test func `merges frames that take turns`() throws {
        let iBeacon = "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"
        let identity = try identity(
            iBeacon, "1216aafe21010f0e07192a224ffffcffec03eb", "0e16aafe22056ddd3402065b5c0614",
            "091680206d0100000000 0d094b4250726f5f323134383130 020ad3")
        #expect(identity.family == .kkm)
        #expect(identity.name == "KBPro_214810")
        #expect(identity.id == "DD:34:02:06:5B:5C")
        #expect(identity.modelNumber == 5)
        #expect(identity.version == "6.20")
        #expect(identity.charge == BatteryCharge(percent: 100, millivolts: 3591))
        #expect(identity.txPower == -45)
        #expect(identity.frames == [IBeacon.kind, KKMSensor.kind, KKMSystem.kind, KKMExtended.kind])
        #expect(
            identity.numbers.map { "\($0)" } == ["ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/6454/1458"])
        #expect(identity.sensors.count == 5)
        #expect(identity.isComplete)
        #expect(identity.frameErrors.isEmpty)
        #expect(identity.contradictions.isEmpty)
    }

    @Test func `is the same whether scan responses come separately or with the reports`() throws {
        let (report, response) = ("0a160dd061626364040264", "080961626364656667 020a04")
        let together = try identity(report + response)
        #expect(try identity(report, response) == together)
        #expect(try identity(response, report) == together)
        #expect(together.name == "abcdefg")
        #expect(together.txPower == 4)
    }

    @Test func `of a later frame takes precedence and notes the contradiction`() throws {
        let identity = try identity(
            "0eff530a220563dd3402065b5c0614", "0eff530a220562dd3402065b5d0615",
            "0eff530a220562dd3402065b5d0615")
        #expect(identity.version == "6.21")
        #expect(identity.id == "DD:34:02:06:5B:5D")
        #expect(identity.charge.percent == 98)
        #expect(
            identity.contradictions == [
                "id DD:34:02:06:5B:5C, then DD:34:02:06:5B:5D", "version 6.20, then 6.21",
            ])
    }

    @Test func `keeps the complete name when a shortened one follows`() throws {
        #expect(try identity("0409414243", "03084142").name == "ABC")
        #expect(try identity("03084142", "0409414243").name == "ABC")
        #expect(try identity("0409414243", "03095859").name == "XY")
    }

    @Test func `has flags only while they are current`() throws {
        let moving = "0e166afe05f4250a01414243444546"
        #expect(try identity(moving).flags == ["moving"])
        #expect(try identity(moving, "0e166afe05f4250a00414243444546").flags == [])
        #expect(
            try identity("0e16f0ff15033e92dd3402065b5c65").flags == ["button", "led", "pin-needed"])
        // Version 0 of Estimote's protocol has motion and errors in different halves.
        #expect(
            try identity(
                "17169afe0211223344556677880000000000000100000000",
                "17169afe0211223344556677880100000000000000082f01"
            ).flags == ["firmware-error", "moving"])
    }

    @Test func `has each sensor once, with its last value`() throws {
        let identity = try identity("0716aafe2100021500", "0716aafe2100021600", "07166afe03020b17")
        #expect(identity.sensors == [SensorValue("temperature", 23, "°C")])
    }

    @Test func `names the frames that were cut short and keeps the whole ones`() throws {
        let identity = try identity("0416aafe21 0e16aafe220563dd3402065b5c0614 0716aafe22056364")
        #expect(identity.version == "6.20")
        #expect(
            identity.frameErrors.map { "\($0)" } == [
                "kkm-sensor: mask at offset 1: 2 bytes needed, 0 left",
                "kkm-system: address at offset 3: 6 bytes needed, 1 left",
            ])
    }

    @Test func `does not identify another vendor's use of FFF0`() throws {
        for hex in ["0e16f0ff02033e92dd3402065b5d40", "0e16f0ff15033e92dd3402065b5c66", "0516f0ff1503"] {
            let identity = try identity(hex)
            #expect(identity == AdvertisedIdentity(of: identity.address))
        }
        // The field is an address only where it is public.
        let unknownModel = "0e16f0ff02033e92dd3402065b5c40"
        #expect(try identity(unknownModel).family == .feasycom)
        #expect(try identity(unknownModel, at: Self.address, .random).family == .unknown)
    }

    @Test func `has the web address, the telemetry version and the numbers that were last reported`() throws {
        let url = "0d16aafe10ee01676f6f676c6500"
        #expect(try identity(url).url == "https://www.google.com/")
        #expect(try identity(url, "0916aafe10ee0261620d").url == "http://ab.gov")
        #expect(try identity(url, "0716aafe10ee0461").url == "https://www.google.com/")
        let (plain, secret) = (
            "1116aafe20000bb8158000012345000d2f00", "1516aafe2001a0a1a2a3a4a5a6a7a8a9aaab12345678"
        )
        #expect(try identity(plain).telemetryVersion == 0)
        #expect(try identity(plain, secret).telemetryVersion == 1)
        let later = try identity("1116aafe20020bb8158000012345000d2f00")
        #expect(later.telemetryVersion == nil && later.frames.isEmpty)
        let numbers = try identity("091680206404193605b2").majorAndMinor
        #expect((numbers?.major, numbers?.minor) == (6454, 1458))
        #expect(try identity("0716802064041936").majorAndMinor == nil)
        #expect(try identity("091680206d0100000000").majorAndMinor == nil)
    }

    @Test func `has bounded memory, whatever is sent`() throws {
        var identity = AdvertisedIdentity(of: try #require(DeviceAddress(Self.address)))
        for number in 0..<1000 {
            let high = UInt8(number >> 8)
            let low = UInt8(number & 0xFF)
            var data = AdvertisingData()
            data.elements = [
                .manufacturer(
                    0x004C, [0x02, 0x15] + [UInt8](repeating: 7, count: 16) + [high, low, high, low, 0xC5]),
                .manufacturer(0x0A53, [0x22, low, low, high, low, high, low, high, low, high, low]),
                .manufacturer(0x0A53, [0x22] + [UInt8](repeating: low, count: number % 10)),
                .serviceData(BluetoothUUID(0xFE6A), [0x03, 2, low, low, 3, low, high, low]),
                .name("\(number)", complete: true),
            ]
            identity.hear(data)
        }
        #expect(identity.numbers.count == 8)
        #expect(identity.contradictions.count == 8)
        #expect(identity.frameErrors.count <= 8)
        #expect(identity.sensors.count <= 8)
        #expect(identity.name == "999")
        #expect(identity.numbers.last?.measuredPower == -59)
    }
}
