/// The end of a Legacy init packet, which the device uses to check the received image.
public enum LegacyExtension: Hashable, Sendable {
    /// No extension; the SDK's template refuses that.
    case none
    /// CRC-16/CCITT-FALSE of the image (generation 0.5).
    case crc16(UInt16)
    /// The same after extension id 0 (generation 0.6).
    case extendedCRC16(UInt16)
    /// Bytes of the image and its SHA-256 in normal byte order, after extension id 1 (generation 0.7).
    case hash(length: UInt32, digest: [UInt8])
    /// The same after extension id 2, and an ECDSA P-256 signature: r then s, 32 bytes each, most significant byte
    /// first (generation 0.8).
    case signedHash(length: UInt32, digest: [UInt8], signature: [UInt8])

    /// The generation with this extension; nil for no extension.
    public var generation: LegacyGeneration? {
        switch self {
        case .none: nil
        case .crc16: .crc16
        case .extendedCRC16: .extendedCRC16
        case .hash: .hash
        case .signedHash: .signedHash
        }
    }

    /// The CRC16 of the image; nil in generations without it.
    public var crc16: UInt16? {
        switch self {
        case .crc16(let value), .extendedCRC16(let value): value
        default: nil
        }
    }

    /// The image's size in bytes; nil in generations without it.
    public var length: UInt32? {
        switch self {
        case .hash(let length, _), .signedHash(let length, _, _): length
        default: nil
        }
    }

    /// SHA-256 of the image; nil in generations without it.
    public var digest: [UInt8]? {
        switch self {
        case .hash(_, let digest), .signedHash(_, let digest, _): digest
        default: nil
        }
    }

    /// r then s, each with its most significant byte first, in generation 0.8.
    public var signature: [UInt8]? {
        if case .signedHash(_, _, let signature) = self { signature } else { nil }
    }
}
