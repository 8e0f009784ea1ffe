import DialogSUOTA
import TestSupport
import Testing

@Suite struct `The content of a Dialog flash` {
    @Test func `is explained with the images in it`() throws {
        let flash = try #require(
            FlashImage(recognising: try Samples.bytes("malformed/dialog-multi-part.img")))
        #expect(flash.start == .spiBootHeader(bootloaderBytes: 1024))
        #expect(flash.productHeader?.offset == 0x4000)
        #expect(flash.parts.map(\.offset) == [0x2000, 0x3000])
        #expect(flash.parts.map(\.header.version.text) == ["1.0.0", "1.1.0"])
        #expect(
            flash.description
                == "an SPI boot header and a bootloader of 1024 bytes, image 1.0.0 (58x) at 0x2000, "
                + "image 1.1.0 (58x) at 0x3000, a product header at 0x4000")
    }

    @Test func `names no image whose CRC is wrong`() throws {
        var file = try Samples.bytes("malformed/dialog-multi-part.img")
        file[0x2000 + 64] ^= 1
        #expect(FlashImage(recognising: file)?.parts.map(\.offset) == [0x3000])
    }

    @Test func `is known by its product header alone`() throws {
        let flash = try #require(
            FlashImage(recognising: try Samples.bytes("malformed/dialog-product-header.img")))
        guard case .productHeader(let header) = flash.start else {
            Issue.record("\(flash.start)")
            return
        }
        #expect(header.family == .da1458x)
        #expect([header.first, header.second] == [0x1000, 0x2000])
        #expect(flash.parts == [])
    }

    @Test(arguments: [
        ("7050 00000000 0010", "spi"), ("7050 0400 5a" + String(repeating: "00", count: 27), "i2c"),
        ("7052 0000 00400000 00f00100", "58x"), ("7062 0000 00400000 00f00100", "68x"),
        ("5070 00200000 00200000", "69x"),
    ])
    func `is known by each of its beginnings`(_ bytes: String, _ kind: String) throws {
        let start = try #require(FlashImage(recognising: [UInt8](hex: bytes))).start
        switch start {
        case .spiBootHeader(let count): #expect(kind == "spi" && count == 16)
        case .i2cBootHeader(let count): #expect(kind == "i2c" && count == 1024)
        case .productHeader(let header): #expect(kind == header.family.rawValue)
        }
    }

    @Test(arguments: [
        "", "7050", "7050 00000000 00", "7052 0000", "7052 0000 00f00100 00400000",
        "7052 0000 00400000 00400000", "7052 0000 ffffffff ffffffff", "7050 0400 5a01 0000",
        "7051 0000 00400000 00f00100", "5070 00200000 00100000",
    ])
    func `is not seen in anything else`(_ bytes: String) {
        #expect(FlashImage(recognising: [UInt8](hex: bytes)) == nil)
    }

    @Test func `is read or not, whatever is damaged`() throws {
        let file = Array(try Samples.bytes("malformed/dialog-multi-part.img").prefix(0x2080))
        for prefix in Corruption.prefixes(of: Array(file.prefix(64))) { _ = FlashImage(recognising: prefix) }
        for (_, changed) in Corruption.flips(of: Array(file.prefix(40))) {
            _ = FlashImage(recognising: changed)?.description
        }
    }
}
