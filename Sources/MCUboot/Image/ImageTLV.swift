import Bytes

/// An entry in a TLV area of an image: u16 type, u16 length, value.
package struct ImageTLV: Hashable, Sendable {
    package let type: UInt16
    /// Bytes from the start of the image to the entry.
    package let offset: Int
    package let value: [UInt8]

    package var kind: Kind? { Kind(rawValue: type) }

    /// Types xxA0 to xxFE are for the maker of the product.
    package var isVendorDefined: Bool { (0xA0...0xFE).contains(type & 0xFF) }

    /// The name of the type in JSON output.
    package var name: String { kind?.name ?? (isVendorDefined ? "vendor" : "unknown") }
}

extension ImageTLV {
    package enum Kind: UInt16, CaseIterable, Sendable {
        case keyHash = 0x01
        case publicKey = 0x02
        case sha256 = 0x10
        case sha384 = 0x11
        case sha512 = 0x12
        case rsa2048 = 0x20
        case ecdsaP224 = 0x21
        case ecdsa = 0x22
        case rsa3072 = 0x23
        case ed25519 = 0x24
        /// The signature is over the bytes of the image, not over their hash.
        case pureSignature = 0x25
        case keyByRSA = 0x30
        case keyByAES = 0x31
        case keyByP256 = 0x32
        case keyByX25519 = 0x33
        case keyByX25519SHA512 = 0x34
        case dependency = 0x40
        case securityCounter = 0x50
        case bootRecord = 0x60
        case unpackedSize = 0x70
        case unpackedHash = 0x71
        case unpackedSignature = 0x72
        case unpackedPlainSize = 0x73
        case vendorID = 0x74
        case classID = 0x75
    }
}

extension ImageTLV.Kind {
    package var name: String {
        switch self {
        case .keyHash: "key-hash"
        case .publicKey: "public-key"
        case .sha256: "sha256"
        case .sha384: "sha384"
        case .sha512: "sha512"
        case .rsa2048: "rsa2048-signature"
        case .ecdsaP224: "ecdsa-p224-signature"
        case .ecdsa: "ecdsa-signature"
        case .rsa3072: "rsa3072-signature"
        case .ed25519: "ed25519-signature"
        case .pureSignature: "pure-signature"
        case .keyByRSA: "image-key-rsa2048"
        case .keyByAES: "image-key-aes-kw"
        case .keyByP256: "image-key-p256"
        case .keyByX25519: "image-key-x25519"
        case .keyByX25519SHA512: "image-key-x25519-sha512"
        case .dependency: "dependency"
        case .securityCounter: "security-counter"
        case .bootRecord: "boot-record"
        case .unpackedSize: "unpacked-size"
        case .unpackedHash: "unpacked-hash"
        case .unpackedSignature: "unpacked-signature"
        case .unpackedPlainSize: "unpacked-plain-size"
        case .vendorID: "vendor-id"
        case .classID: "class-id"
        }
    }

    /// The lengths of the value that bootloaders accept, in bytes; nil for any.
    var lengths: ClosedRange<Int>? {
        switch self {
        case .sha256, .sha384, .sha512: digest.map { $0.count...$0.count }
        case .rsa2048: 256...256
        case .rsa3072: 384...384
        case .ed25519: 64...64
        case .pureSignature: 1...1
        case .dependency: 12...12
        case .securityCounter: 4...4
        case .keyHash: 32...64
        case .vendorID, .classID: 16...16
        default: nil
        }
    }

    /// The digest of a hash TLV; nil for others.
    var digest: SHA2? { SHA2.allCases.first { $0.hashType == self } }

    /// The length of the value with the body's AES key of `keyBytes` bytes, encrypted; nil for other entries.
    func imageKeyLength(keyBytes: Int) -> Int? {
        switch self {
        case .keyByRSA: 256
        case .keyByAES: keyBytes + 8
        // A public key, an authentication code, and the encrypted AES key.
        case .keyByP256: 65 + 32 + keyBytes
        case .keyByX25519: 32 + 32 + keyBytes
        case .keyByX25519SHA512: 32 + 64 + keyBytes
        default: nil
        }
    }

    var isSignature: Bool { [.rsa2048, .ecdsaP224, .ecdsa, .rsa3072, .ed25519].contains(self) }
    var isImageKey: Bool { (Self.keyByRSA.rawValue...Self.keyByX25519SHA512.rawValue).contains(rawValue) }

    /// Whether the entry is a hash, a signature, or needed to check one; its place is the unprotected area.
    var isHashOrSignature: Bool {
        isSignature || digest != nil || [.keyHash, .publicKey, .pureSignature].contains(self)
    }

    /// Whether bootloaders with a list of allowed types accept the entry in the unprotected area.
    var isAllowedUnprotected: Bool { isHashOrSignature || isImageKey }
}

/// A TLV area: u16 magic, u16 bytes of the area including these four, entries.
enum ImageTLVArea: UInt16 {
    /// The area that the image's hash covers.
    case protected = 0x6908
    case unprotected = 0x6907

    private static let informationBytes: UInt16 = 4

    /// Parses the area; its length has to be `declared`, in bytes, unless that is nil.
    func parse(_ reader: inout ByteReader, declared: UInt16? = nil) throws(MCUbootImageError) -> [ImageTLV] {
        var area: ByteReader
        do throws(ByteError) {
            try reader.expect(rawValue, "it_magic")
            let offset = reader.offset
            let total: UInt16 = try reader.integer("it_tlv_tot")
            if let declared, total != declared { throw mismatch(declared, found: total, at: offset) }
            guard total >= Self.informationBytes else {
                throw mismatch(Self.informationBytes, found: total, at: offset)
            }
            area = try reader.nested("TLV area", Int(total - Self.informationBytes))
        } catch { throw MCUbootImageError(error) }
        do throws(ByteError) {
            var entries: [ImageTLV] = []
            while area.remaining > 0 {
                let offset = area.offset
                let (type, length): (UInt16, UInt16) = (
                    try area.integer("it_type"), try area.integer("it_len")
                )
                let value = try area.bytes("TLV value", Int(length))
                entries.append(ImageTLV(type: type, offset: offset, value: Array(value)))
            }
            return entries
        } catch { throw .tlv(error) }
    }

    private func mismatch(_ expected: UInt16, found: UInt16, at offset: Int) -> ByteError {
        ByteError(
            offset: offset, field: "it_tlv_tot",
            reason: .mismatch(expected: UInt64(expected), found: UInt64(found)))
    }
}

extension SHA2 {
    var hashType: ImageTLV.Kind {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
