import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `An MCUboot image` {
    @Test func `without signature has header, body and hash`() throws {
        let image = try MCUbootImage(parsing: ImageVectors.unsigned)
        #expect(image.header.version == ImageVersion(major: 1, minor: 2, revision: 3, build: 4))
        #expect((image.header.headerBytes, image.header.bodyBytes) == (32, 300))
        #expect(image.hashMatches == true)
        #expect(image.end == 372)
        #expect(image.padding == .none)
        #expect(image.signatures.isEmpty)
        #expect(image.tlvs.map(\.name) == ["sha256"])
    }

    @Test func `has protected TLVs, which the hash covers`() throws {
        let image = try MCUbootImage(parsing: ImageVectors.protected)
        #expect(image.hashMatches == true)
        #expect(image.securityCounter == 7)
        #expect(image.dependencies.map(\.image) == [1])
        #expect(image.dependencies.map(\.version) == [ImageVersion("2.0.1+5")])
        #expect(
            image.tlvs.map(\.name) == [
                "security-counter", "dependency", "vendor", "sha256", "key-hash", "ecdsa-signature",
            ])
        #expect(image.verdict(by: try #require(ImageVectors.keyOfProtected)) == .valid)
        #expect(image.verdict(by: try #require(ImageVectors.keyOfEd25519)) == .otherKey)
    }

    @Test func `is signed with Ed25519 over its hash`() throws {
        let image = try MCUbootImage(parsing: ImageVectors.ed25519)
        #expect(image.verdict(by: try #require(ImageVectors.keyOfEd25519)) == .valid)
        #expect(image.signatures.map(\.algorithm) == ["Ed25519"])
    }

    @Test func `is refused when any byte is missing at its end`() {
        for bytes in [ImageVectors.unsigned, ImageVectors.protected, ImageVectors.ed25519] {
            for count in 4..<bytes.count {
                #expect {
                    try MCUbootImage(parsing: Array(bytes.prefix(count)))
                } throws: {
                    guard let error = $0 as? MCUbootImageError, case .truncated = error else { return false }
                    return error.code == .file.fileTruncated && "\(error)".contains("truncated")
                }
            }
            for count in 0..<4 {
                #expect(throws: MCUbootImageError.notAnImage) {
                    try MCUbootImage(parsing: Array(bytes.prefix(count)))
                }
            }
        }
    }

    @Test func `with a flipped bit has an error, or does not say whose its signature is`() throws {
        let keys = [ImageVectors.keyOfProtected, ImageVectors.keyOfEd25519].compactMap(\.self)
        #expect(keys.count == 2)
        for (bytes, key) in [(ImageVectors.protected, keys[0]), (ImageVectors.ed25519, keys[1])] {
            for index in bytes.indices {
                for bit in [0, 3, 7] {
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    guard let image = try? MCUbootImage(parsing: damaged) else { continue }
                    let file = MCUbootFile(image)
                    let found = file.findings(key: key)
                    #expect(
                        found.contains { $0.level == .error || $0.code == .mcubootFile.keyNotNamed },
                        "byte \(index), bit \(bit)")
                    _ = (file.inspection, file.summary, file.uploads)
                }
            }
        }
    }

    @Test func `of format 1 or with big-endian numbers is refused by name`() {
        var draft = ImageDraft()
        draft.magic[0] = 0x3C
        #expect(throws: MCUbootImageError.format1) { try MCUbootImage(parsing: draft.bytes) }
        draft.magic = [0x96, 0xF3, 0xB8, 0x3D]
        #expect(throws: MCUbootImageError.bigEndian) { try MCUbootImage(parsing: draft.bytes) }
    }

    @Test func `with a header shorter than its fixed part is refused`() {
        var draft = ImageDraft()
        draft.headerBytes = 31
        #expect(throws: MCUbootImageError.headerSize(31)) { try MCUbootImage(parsing: draft.bytes) }
    }

    @Test(arguments: [UInt32(0xFFFF_FFFF), 0x7FFF_FFFF, 301, 400])
    func `whose body ends after the file is truncated`(size: UInt32) {
        var bytes = ImageVectors.unsigned
        bytes.replaceSubrange(12..<16, with: size.bytes())
        #expect {
            try MCUbootImage(parsing: bytes)
        } throws: {
            let error = $0 as? MCUbootImageError
            return error?.code == (size == 301 ? .mcubootFile.tlvMalformed : .file.fileTruncated)
        }
    }

    @Test func `has protected TLVs of the length that the header gives`() {
        var draft = ImageDraft()
        draft.protected = [(0x50, [1, 0, 0, 0])]
        draft.protectedBytes = 11
        #expect(throws: MCUbootImageError.self) { try MCUbootImage(parsing: draft.bytes) }
        draft.protectedBytes = 0
        #expect(throws: MCUbootImageError.self) { try MCUbootImage(parsing: draft.bytes) }
        draft.protectedBytes = 12
        #expect(throws: Never.self) { try MCUbootImage(parsing: draft.bytes) }
    }

    @Test func `has a boot record that names its software`() throws {
        var draft = ImageDraft()
        // {1: "app", 4: "1.0", 5: h'00'}
        draft.protected = [(0x60, [UInt8](hex: "a3 01 63617070 04 63312e30 05 4100"))]
        #expect(try MCUbootImage(parsing: draft.bytes).softwareType == "app")
        draft.protected = [(0x60, [UInt8](hex: "a3 01 636170"))]
        #expect(try MCUbootImage(parsing: draft.bytes).softwareType == nil)
    }
}

@Suite struct `The padding of an MCUboot image` {
    private static let magic = [UInt8](hex: "77c295f360d2ef7f3552500f2cb67980")
    private static let endOfMagic = [UInt8](hex: "2de15d29410b8d77679c110f1f8a")

    /// A slot of 1024 bytes after the image, with the trailer of this alignment.
    static func trailer(alignment: Int, isConfirmed: Bool) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: 1024)
        let magic = alignment == 8 ? magic : [UInt8(alignment), 0] + endOfMagic
        bytes.replaceSubrange(1008..<1024, with: magic)
        if isConfirmed { bytes[1024 - max(16, alignment) - alignment] = 1 }
        return bytes
    }

    private static func padding(_ rest: [UInt8]) throws -> ImagePadding {
        try MCUbootImage(parsing: ImageVectors.unsigned + rest).padding
    }

    @Test func `is FF`() throws {
        #expect(try Self.padding([0xFF]) == .fill(bytes: 1))
        #expect(try Self.padding([UInt8](repeating: 0xFF, count: 4096)) == .fill(bytes: 4096))
    }

    @Test(arguments: [8, 16, 32], [true, false])
    func `ends with a trailer of any alignment`(alignment: Int, isConfirmed: Bool) throws {
        let rest = Self.trailer(alignment: alignment, isConfirmed: isConfirmed)
        #expect(
            try Self.padding(rest) == .trailer(bytes: 1024, alignment: alignment, isConfirmed: isConfirmed))
    }

    @Test(arguments: [true, false]) func `is 0 for flash that is erased to 0`(isConfirmed: Bool) throws {
        #expect(try Self.padding([0, 0, 0]) == .fill(bytes: 3))
        let rest = Self.trailer(alignment: 8, isConfirmed: isConfirmed).map { $0 == 0xFF ? 0 : $0 }
        #expect(
            try Self.padding(rest.dropLast(16) + Self.magic)
                == .trailer(bytes: 1024, alignment: 8, isConfirmed: isConfirmed))
        #expect(try Self.padding([0, 0xFF]) == .other(bytes: 2))
    }

    @Test func `is unknown if anything else is in it`() throws {
        let trailer = Self.trailer(alignment: 8, isConfirmed: true)
        for index in trailer.indices.dropLast(16) where index != 1000 {
            var rest = trailer
            rest[index] = 0
            #expect(try Self.padding(rest) == .other(bytes: 1024))
        }
        for length in 1..<16 {
            #expect(try Self.padding(trailer.suffix(length)) == .other(bytes: length))
        }
        #expect(try Self.padding([0x18, 0] + Self.endOfMagic) == .other(bytes: 16))
    }
}
