import Dialog
import TestSupport
import Testing

@Suite struct `The content of a Dialog flash` {
    @Test func `is explained with the images in it`() throws {
        let flash = try #require(
            FlashImage(recognising: try Samples.bytes("malformed/dialog-multi-part.img")))
        #expect(flash.bootHeader?.memory == .spi)
        #expect(flash.bootHeader?.bootloaderBytes == 1024)
        #expect(flash.productHeader?.offset == 0x4000)
        #expect(flash.parts.map(\.offset) == [0x2000, 0x3000])
        #expect(flash.parts.map(\.header.version.text) == ["1.0.0", "1.1.0"])
        #expect(
            flash.description
                == "an SPI boot header and a bootloader of 1024 bytes, image 1.0.0 (58x) at 0x2000, "
                + "image 1.1.0 (58x) at 0x3000, a product header at 0x4000")
    }

    @Test(
        arguments: [
            (1, 0, 0x2000), (0, 1, 0x3000), (1, 2, 0x3000), (5, 5, 0x2000), (0xFF, 0, 0x3000),
            (0, 0xFF, 0x2000), (0xFE, 0xFF, 0x3000), (0xFF, 0xFF, 0x2000),
        ] as [(UInt8, UInt8, Int)])
    func `selects the image to start by the two ids`(_ one: UInt8, _ two: UInt8, _ offset: Int) throws {
        var file = try Samples.bytes("malformed/dialog-multi-part.img")
        (file[0x2003], file[0x3003]) = (one, two)
        #expect(FlashImage(recognising: file)?.startedPart?.offset == offset)
    }

    @Test func `starts only a valid and sound image`() throws {
        let file = try Samples.bytes("malformed/dialog-multi-part.img")
        var changed = file
        changed[0x2002] = 0xFF
        #expect(FlashImage(recognising: changed)?.startedPart?.offset == 0x3000)
        changed[0x3000 + 64] ^= 1
        #expect(FlashImage(recognising: changed)?.startedPart == nil)
        changed = file
        changed[0x2000 + 64] ^= 1
        #expect(FlashImage(recognising: changed)?.startedPart?.offset == 0x3000)
        changed = file
        changed[0x4000] = 0
        #expect(FlashImage(recognising: changed)?.startedPart == nil)
    }

    @Test(arguments: [(HeaderFamily.da1468x, "7062 0000"), (.da1469x, "5070")])
    func `follows the product header for newer chips`(_ family: HeaderFamily, _ start: String) throws {
        let version = try #require(ImageVersion("2.0"))
        let header: ImageRecipe.Header = family == .da1468x ? .da1468x() : .da1469x(payloadOffset: 64)
        let image = try ImageRecipe(header, version: version, timestamp: 1_700_000_000, payload: [1, 2])
            .image()
        let places = [UInt8](hex: "00100000 00200000")
        var file = [UInt8](hex: start) + places
        for offset in [0x1000, 0x2000] {
            file += [UInt8](repeating: 0xFF, count: offset - file.count) + image.bytes
        }
        let flash = try #require(FlashImage(recognising: file))
        #expect(flash.parts.map(\.offset) == [0x1000, 0x2000])
        #expect(flash.startedPart?.offset == 0x1000)
    }

    @Test func `starts no image whose CRC is wrong`() throws {
        var file = try Samples.bytes("malformed/dialog-multi-part.img")
        file[0x2000 + 64] ^= 1
        #expect(FlashImage(recognising: file)?.parts.map(\.offset) == [0x3000])
    }

    @Test func `is recognised by its product header alone`() throws {
        let flash = try #require(
            FlashImage(recognising: try Samples.bytes("malformed/dialog-product-header.img")))
        #expect(flash.bootHeader == nil)
        let header = try #require(flash.productHeader)
        #expect(header.offset == 0)
        #expect(header.family == .da1458x)
        #expect([header.first, header.second] == [0x1000, 0x2000])
        #expect(flash.parts == [])
    }

    @Test(arguments: [
        ("7050 00000000 0010", "spi"), ("7050 0400 5a" + String(repeating: "00", count: 27), "i2c"),
        ("7052 0000 00400000 00f00100", "58x"), ("7062 0000 00400000 00f00100", "68x"),
        ("5070 00200000 00200000", "69x"),
    ])
    func `is recognised by each of its possible beginnings`(_ bytes: String, _ kind: String) throws {
        let flash = try #require(FlashImage(recognising: [UInt8](hex: bytes)))
        switch flash.bootHeader?.memory {
        case .spi: #expect(kind == "spi" && flash.bootHeader?.bootloaderBytes == 16)
        case .i2c: #expect(kind == "i2c" && flash.bootHeader?.bootloaderBytes == 1024)
        case nil: #expect(kind == flash.productHeader?.family.rawValue)
        }
    }

    @Test(arguments: [
        "", "7050", "7050 00000000 00", "7052 0000", "7052 0000 00f00100 00400000",
        "7052 0000 00400000 00400000", "7052 0000 ffffffff ffffffff", "7050 0400 5a01 0000",
        "7051 0000 00400000 00f00100", "5070 00200000 00100000",
    ])
    func `is not recognised in anything else`(_ bytes: String) {
        #expect(FlashImage(recognising: [UInt8](hex: bytes)) == nil)
    }

    @Test func `is read or refused, whatever is damaged`() throws {
        let file = Array(try Samples.bytes("malformed/dialog-multi-part.img").prefix(0x2080))
        for prefix in Corruption.prefixes(of: Array(file.prefix(64))) { _ = FlashImage(recognising: prefix) }
        for (_, changed) in Corruption.flips(of: Array(file.prefix(40))) {
            _ = FlashImage(recognising: changed)?.description
        }
    }
}
