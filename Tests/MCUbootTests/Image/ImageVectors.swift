import Bytes
import MCUboot
import TestSupport
import Testing

/// Images that imgtool 2.5.0 made with throw-away keys. All have the same body of 300 bytes.
enum ImageVectors {
    static let body: [UInt8] = (0..<300).map { UInt8(truncatingIfNeeded: 7 * $0 + $0 >> 8) }

    /// Without a signature.
    static let unsigned = image(
        header: "3db8f39600000000200000002c01000000000000010203000400000000000000",
        tlvs: "0769280010002000841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f")

    /// With protected TLVs: counter 7, image 1 of version 2.0.1+5, and one of the vendor; signed with P-256.
    static let protected = image(
        header: "3db8f39600000000200024002c01000000000000010203000400000000000000",
        tlvs: "08692400500004000700000040000c00010000000200010005000000a0000400deadbeef0769960010002000"
            + "e54a05f43acc4360801cb6c1bb7ef515732c611ed7925635ccea0dee88e00416010020000b155072ec0caa12"
            + "352eeb6c1e20088e4bc39766208430232a756fef7b23f1c522004600304402206c03c4bfd4e8a1b537a48c28"
            + "c212387afcdce683f53a9f8a06c255c2a99e6767022060e306fb2bf837f5b9a3e75b80f24691cf89a9e9b680"
            + "3058c15c000bffd4d732")

    /// Signed with Ed25519 over the hash.
    static let ed25519 = image(
        header: "3db8f39600000000200000002c01000000000000010203000400000000000000",
        tlvs: "0769900010002000841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f01002000"
            + "088366309850c7f4bcf8e053e115feac7ece3b80df2adacd18a9b5c5bb194a8524004000eef2ddfa1feb35d8"
            + "13b79b0ac2e89a7a9edf0dc2894dd8a659cc4a1b81cd036c9de9cf758d39ed0f04665e23a95c74da712fc500"
            + "5738c326d68c8d87c051c207")

    /// Keys of the signatures.
    static let keyOfProtected = SignatureKey(
        pem: """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnlTQbfVDy0EeILzmwR/o3j/zRGeP
            AwvGnQermIXwKBe/HE6xygwjw/k9HvtR8gj0RUAraVNCp8yhZA1mrvHRzA==
            -----END PUBLIC KEY-----
            """)
    static let keyOfEd25519 = SignatureKey(
        pem: """
            -----BEGIN PUBLIC KEY-----
            MCowBQYDK2VwAyEAkwAQnSGS/32/LTGdRjVPRRSFb0yQ/Fo0HQ9fK5EXsN4=
            -----END PUBLIC KEY-----
            """)

    private static func image(header: String, tlvs: String) -> [UInt8] {
        [UInt8](hex: header) + body + [UInt8](hex: tlvs)
    }

    /// All vectors of the bench, which stay outside the repository.
    static let all: JSONValue? = Samples.vectors("mcuboot.json").flatMap { try? JSONValue(json: $0) }
}

/// Writes images, without the parser's code.
struct ImageDraft {
    var magic: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96]
    var loadAddress: UInt32 = 0
    var headerBytes: UInt16 = 32
    /// The length of the protected area in the header; nil for the real one.
    var protectedBytes: UInt16?
    var flags: UInt32 = 0
    /// Major, minor, revision in two bytes, and build in four.
    var version: [UInt8] = [1, 2, 3, 0, 0, 0, 0, 0]
    var body: [UInt8] = Array("a program".utf8)
    var protected: [(type: UInt16, value: [UInt8])] = []
    /// The TLVs after the hash.
    var unprotected: [(type: UInt16, value: [UInt8])] = [
        (0x01, [UInt8](repeating: 1, count: 32)), (0x24, [UInt8](repeating: 7, count: 64)),
    ]
    var digest = SHA2.sha256
    var hashes = 1
    var rest: [UInt8] = []

    /// What the hash covers.
    var hashed: [UInt8] {
        let area = protected.isEmpty ? [] : Self.area(0x6908, protected)
        var bytes = magic + loadAddress.bytes() + headerBytes.bytes()
        bytes += (protectedBytes ?? UInt16(area.count)).bytes() + UInt32(body.count).bytes()
        bytes += flags.bytes() + version + [0, 0, 0, 0]
        bytes += [UInt8](repeating: 0, count: max(0, Int(headerBytes) - 32)) + body + area
        return bytes
    }

    /// The value of the hash TLV.
    var hash: [UInt8] { digest.digest(hashed) }

    var bytes: [UInt8] {
        let type: UInt16 = [SHA2.sha256: 0x10, .sha384: 0x11, .sha512: 0x12][digest] ?? 0
        let hash = (type: type, value: hash)
        return hashed + Self.area(0x6907, Array(repeating: hash, count: hashes) + unprotected) + rest
    }

    private static func area(_ magic: UInt16, _ entries: [(type: UInt16, value: [UInt8])]) -> [UInt8] {
        let content = entries.flatMap { $0.type.bytes() + UInt16($0.value.count).bytes() + $0.value }
        return magic.bytes() + UInt16(content.count + 4).bytes() + content
    }
}
