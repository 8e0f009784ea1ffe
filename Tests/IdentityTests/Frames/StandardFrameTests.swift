import Bluetooth
import Identity
import TestSupport
import Testing
import UpdateModel

@Suite struct `A frame of a standard format` {
    @Test func `of Apple has UUID, major, minor and power`() throws {
        let frame = try IBeacon(parsing: [UInt8](hex: "0215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"))
        #expect(frame.uuid == BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        #expect((frame.major, frame.minor) == (6454, 1458))
        #expect(frame.measuredPower == -59)
    }

    @Test func `has integers with the most significant byte first`() throws {
        let frame = try IBeacon(parsing: [UInt8](hex: "0215f7826da64fa24e988024bc5b71e0893e01020304b3"))
        #expect((frame.major, frame.minor) == (258, 772))
        #expect(frame.measuredPower == -77)
    }

    @Test(arguments: [
        "00ee000102030405060708090102030405060000", "00ee00010203040506070809010203040506",
    ]) func `of Eddystone has a namespace and an instance, with or without the reserved bytes`(_ hex: String)
        throws
    {
        let frame = try EddystoneUID(parsing: [UInt8](hex: hex))
        #expect(frame.power == -18)
        #expect(frame.namespace == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(frame.instance == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        arguments: [
            ("10ee01676f6f676c6500", "https://www.google.com/"), ("10ee0361620d", "https://ab.gov"),
            ("10ee02613a7e", "http://a:~"), ("10ee00", "http://www."),
        ]) func `of Eddystone has a web address`(_ hex: String, url: String) throws
    {
        #expect(try EddystoneURL(parsing: [UInt8](hex: hex)).url == url)
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
        let frame = try EddystoneTLM(parsing: [UInt8](hex: "20000bb8158000012345000d2f00"))
        #expect(frame.millivolts == 3000)
        #expect(frame.temperature == 21.5)
        #expect(frame.count == 74565)
        #expect(frame.uptime == .seconds(86_400))
    }

    @Test func `of Eddystone has no voltage and no temperature where they are unsupported`() throws {
        let frame = try EddystoneTLM(parsing: [UInt8](hex: "200000008000000000010000000a"))
        #expect(frame.millivolts == nil)
        #expect(frame.temperature == nil)
        #expect(frame.uptime == .seconds(1))
    }

    @Test func `of Eddystone may be encrypted`() throws {
        let frame = try EddystoneEncryptedTLM(parsing: [UInt8](hex: "2001a0a1a2a3a4a5a6a7a8a9aaab12345678"))
        #expect(frame.encrypted == [UInt8](hex: "a0a1a2a3a4a5a6a7a8a9aaab"))
        #expect((frame.salt, frame.integrity) == (0x1234, 0x5678))
    }

    @Test func `of AltBeacon has twenty bytes of any company`() throws {
        let bytes = [UInt8](hex: "beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500")
        var reader = FrameReader(bytes, AltBeacon.kind, company: 0x0118)
        let frame = try AltBeacon(parsing: &reader)
        #expect(frame.company == 0x0118)
        #expect(frame.id == [UInt8](hex: "e2c56db5dffb48d2b060d0f5a71096e0193605b2"))
        #expect(frame.measuredPower == -59)
        #expect(frame.reserved == 0)
    }
}
