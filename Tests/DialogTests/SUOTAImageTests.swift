import Bytes
import Dialog
import TestSupport
import Testing
import UpdateModel

@Suite struct `A SUOTA image` {
    @Test(arguments: ImageVector.all)
    func `is read field by field`(_ vector: ImageVector) throws {
        let file = try Samples.bytes("dialog/\(vector.name).img")
        let image = try SUOTAImage(parsing: file)
        #expect(image.bytes == file)
        #expect(image.header.family == vector.family)
        #expect(image.header.payloadOffset == vector.payloadOffset)
        #expect(image.header.codeSize == UInt32(vector.payload.count))
        #expect(image.header.crc == vector.crc)
        #expect(image.payloadCRC == vector.crc)
        #expect(image.crcMatches == true)
        #expect(image.header.version.text == vector.version)
        #expect(image.header.timestamp == vector.timestamp)
        #expect(!image.header.isEncrypted)
        #expect(image.payload.elementsEqual(vector.payload))
        #expect(image.trailer == vector.trailer)
        #expect(image.trailing.isEmpty)
        #expect(image.findings().map(\.id) == ["unauthenticated"])
        #expect(image.findings().map(\.level) == [.note])
    }

    @Test(arguments: ImageVector.all)
    func `is reproduced by its recipe, byte for byte`(_ vector: ImageVector) throws {
        let image = try #require(vector.recipe).image()
        #expect(image.bytes == (try Samples.bytes("dialog/\(vector.name).img")))
        #expect(image == (try SUOTAImage(parsing: image.bytes)))
    }

    @Test func `has the header that it was read from`() throws {
        for name in try Samples.names(in: "dialog") {
            let image = try SUOTAImage(parsing: try Samples.bytes(name))
            #expect(image.header.bytes[...] == image.bytes.prefix(image.header.family.headerBytes), "\(name)")
        }
    }

    @Test func `keeps the fields of its family`() throws {
        let old = try SUOTAImage(parsing: try Samples.bytes("dialog/58x.img")).header.particulars
        let reserved = [UInt8](repeating: 0xFF, count: 31)
        #expect(old == .da1458x(validFlag: 0xAA, imageID: 0xFF, flags: 0, reserved: reserved))
        let middle = try SUOTAImage(parsing: try Samples.bytes("dialog/68x-filled.img")).header.particulars
        #expect(middle == .da1468x(flags: 0, execLocation: 64))
        let new = try SUOTAImage(parsing: try Samples.bytes("dialog/69x.img")).header.particulars
        #expect(new == .da1469x(vectorTable: 0x400))
    }

    @Test func `lists extension sections and distinguishes them from padding`() throws {
        let middle = try SUOTAImage(parsing: try Samples.bytes("dialog/68x-sections.img")).sections
        #expect(middle.map(\.type) == [0x22AA, 0x66AA])
        #expect(middle.map(\.name) == ["security", "firmware version"])
        #expect(middle.map(\.offset) == [36, 40])
        #expect(middle.map(\.content) == [[], [1, 0, 0, 0]])
        let new = try SUOTAImage(parsing: try Samples.bytes("dialog/69x-sections.img")).sections
        #expect(new.map(\.offset) == [34, 38])
        for name in ["58x", "68x", "68x-filled", "69x"] {
            #expect(try SUOTAImage(parsing: try Samples.bytes("dialog/\(name).img")).sections == [])
        }
    }

    @Test(arguments: [0x00, 0xFF, 0x5A] as [UInt8])
    func `has no sections in mere padding`(_ filling: UInt8) throws {
        var file = try Samples.bytes("dialog/68x-filled.img")
        for index in 36..<64 { file[index] = filling }
        let image = try SUOTAImage(parsing: file)
        #expect(image.sections == [])
        #expect(image.gap.allSatisfy { $0 == filling })
    }

    @Test func `treats a section that exceeds the gap as padding`() throws {
        var file = try Samples.bytes("dialog/68x-sections.img")
        file[42] = 0xFF
        #expect(try SUOTAImage(parsing: file).sections.map(\.type) == [0x22AA])
    }

    @Test func `has a CRC that only the key can check when it is encrypted`() throws {
        let image = try SUOTAImage(parsing: try Samples.bytes("dialog/58x-encrypted.img"))
        #expect(image.header.isEncrypted)
        #expect(image.crcMatches == nil)
        #expect(image.flaws.map(\.id) == ["image-encrypted"])
        #expect(image.flaws.map(\.level) == [.warning])
    }

    /// Invalid recipes, and the reason.
    static let impossible: [(ImageRecipe.Header, [UInt8], ImageRecipeError)] = [
        (.da1458x(), [], .emptyPayload),
        (.da1468x(payloadOffset: 35), [1], .payloadOffset(35, allowed: 36...65536)),
        (.da1469x(payloadOffset: 33), [1], .payloadOffset(33, allowed: 34...65536)),
        (.da1469x(payloadOffset: 65537), [1], .payloadOffset(65537, allowed: 34...65536)),
        (.da1469x(payloadOffset: .max), [1], .payloadOffset(.max, allowed: 34...65536)),
        (.da1468x(payloadOffset: -1), [1], .payloadOffset(-1, allowed: 36...65536)),
    ]

    @Test(arguments: impossible)
    func `is not built in a form that no device accepts`(
        _ header: ImageRecipe.Header, _ payload: [UInt8], _ error: ImageRecipeError
    ) throws {
        let version = try #require(ImageVersion("1"))
        let recipe = ImageRecipe(header, version: version, timestamp: 0, payload: payload)
        #expect(throws: error) { try recipe.image() }
    }

    @Test func `carries the image id of its recipe`() throws {
        let version = try #require(ImageVersion("1"))
        let image = try ImageRecipe(.da1458x(imageID: 1), version: version, timestamp: 7, payload: [1, 2])
            .image()
        #expect(image.bytes[3] == 1)
        #expect(image.crcMatches == true)
    }
}

@Suite struct `An image version` {
    @Test(arguments: [
        ("312e322e3300ffffffffffffffffffff", "1.2.3"), ("362e302e31342e3131313400ffffffff", "6.0.14.1114"),
        ("4142434445464748494a4b4c4d4e4f50", "ABCDEFGHIJKLMNOP"), ("ffffffffffffffffffffffffffffffff", ""),
        ("00414243000000000000000000000000", ""), ("31ff3200000000000000000000000000", "1"),
    ])
    func `ends at the first 00 or FF`(_ bytes: String, _ text: String) throws {
        var reader = ByteReader([UInt8](hex: bytes))
        let version = try ImageVersion(parsing: &reader)
        #expect(version.text == text)
        #expect(version.isText)
    }

    @Test(arguments: [
        ("v_6.0.14.1114", "6.0.14.1114"), ("6.0.14.1114", "6.0.14.1114"),
        ("v_1234567890123456789", "123456789012345"),
    ])
    func `follows the rule of the vendor's version file`(_ definition: String, _ text: String) {
        #expect(ImageVersion(definition: definition)?.text == text)
    }

    @Test func `is written with a zero after it and FF to its end`() {
        #expect(ImageVersion("1.2.3")?.bytes == [UInt8](hex: "312e322e3300ffffffffffffffffffff"))
        #expect(ImageVersion("123456789012345")?.bytes == [UInt8](hex: "31323334353637383930313233343500"))
        for text in ["", "1234567890123456", "ü", "a\nb"] { #expect(ImageVersion(text) == nil) }
    }

    @Test func `marks bytes that are not text`() throws {
        var reader = ByteReader([UInt8](hex: "31 1b 80 32 00 000000000000000000 0000"))
        let version = try ImageVersion(parsing: &reader)
        #expect(version.text == "1\u{FFFD}\u{FFFD}2")
        #expect(!version.isText)
    }
}
