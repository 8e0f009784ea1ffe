import Bluetooth
import Firmware
import TestSupport
import Testing
import UpdateModel

@Suite struct `A frame of a standard format` {
    @Test func `of Apple has UUID, major, minor and power`() throws {
        let facts = try IBeacon(parsing: [UInt8](hex: "0215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5")).facts
        let uuid = try #require(BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        #expect(facts.number?.number == .iBeacon(uuid: uuid, major: 6454, minor: 1458))
        #expect((facts.number?.measuredPower, facts.measuredPower) == (-59, -59))
    }

    @Test func `has integers with the most significant byte first`() throws {
        let facts = try IBeacon(parsing: [UInt8](hex: "0215f7826da64fa24e988024bc5b71e0893e01020304b3")).facts
        let uuid = try #require(BluetoothUUID("F7826DA6-4FA2-4E98-8024-BC5B71E0893E"))
        #expect(facts.number?.number == .iBeacon(uuid: uuid, major: 258, minor: 772))
        #expect(facts.measuredPower == -77)
    }

    @Test(arguments: [
        "00ee000102030405060708090102030405060000", "00ee00010203040506070809010203040506",
    ]) func `of Eddystone has a namespace and an instance, with or without the reserved bytes`(_ hex: String)
        throws
    {
        let facts = try EddystoneUID(parsing: [UInt8](hex: hex)).facts
        // 41 dB below the power at 0 m.
        #expect(facts.measuredPower == -59)
        #expect(
            facts.number?.number
                == .eddystone(namespace: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], instance: [1, 2, 3, 4, 5, 6]))
    }

    @Test(
        arguments: [
            ("10ee01676f6f676c6500", "https://www.google.com/"), ("10ee0361620d", "https://ab.gov"),
            ("10ee02613a7e", "http://a:~"), ("10ee00", "http://www."),
        ]) func `of Eddystone has a web address`(_ hex: String, url: String) throws
    {
        #expect(try EddystoneURL(parsing: [UInt8](hex: hex)).facts.url == url)
    }

    @Test(
        arguments: [
            ("10ee0461", "scheme", 2), ("10ee01610e", "URL", 4), ("10ee016120", "URL", 4),
            ("10ee01617f", "URL", 4), ("10ee01" + String(repeating: "61", count: 18), "URL", 3),
        ]) func `of Eddystone is refused when its web address has a reserved code or is too long`(
            _ hex: String, field: String, offset: Int
        ) throws
    {
        let error = try #require(throws: FrameError.self) { try EddystoneURL(parsing: [UInt8](hex: hex)) }
        #expect((error.field, error.offset) == (field, offset))
    }

    @Test func `of Eddystone has voltage, temperature, count and time`() throws {
        let facts = try EddystoneTLM(parsing: [UInt8](hex: "20000bb8158000012345000d2f00")).facts
        #expect(facts.charge == BatteryCharge(millivolts: 3000))
        #expect(
            facts.sensors.map { "\($0)" } == [
                "temperature 21.5 °C", "advertisements 74565", "uptime 86400 s",
            ])
    }

    @Test func `of Eddystone has no voltage and no temperature where they are unsupported`() throws {
        let facts = try EddystoneTLM(parsing: [UInt8](hex: "200000008000000000010000000a")).facts
        #expect(facts.charge == BatteryCharge())
        #expect(facts.sensors.map { "\($0)" } == ["advertisements 1", "uptime 1 s"])
    }

    @Test func `of Eddystone may be encrypted`() throws {
        let frame = try EddystoneEncryptedTLM(parsing: [UInt8](hex: "2001a0a1a2a3a4a5a6a7a8a9aaab12345678"))
        #expect(frame.facts == FrameFacts(telemetryVersion: 1))
    }

    @Test func `of AltBeacon has twenty bytes of any company`() throws {
        let bytes = [UInt8](hex: "beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500")
        var reader = FrameReader(bytes, AltBeacon.kind, company: 0x0118)
        let facts = try AltBeacon(parsing: &reader).facts
        let id = [UInt8](hex: "e2c56db5dffb48d2b060d0f5a71096e0193605b2")
        #expect(facts.number?.number == .altBeacon(company: 0x0118, id: id))
        #expect(facts.measuredPower == -59)
        #expect(reader.remaining == 0)
    }
}
