import Bytes
import Nordic
import TestSupport
import Testing

/// An init packet of each generation for the image of the golden vectors: 4100 bytes, byte i = i mod 251.
struct LegacyInitPacketVector: CustomTestStringConvertible, Sendable {
    let generation: LegacyGeneration
    let hex: String
    /// Lengths at which the beginning of the packet is one of another generation.
    let readablePrefixes: [Int]

    var testDescription: String { generation.rawValue }
    var bytes: [UInt8] { [UInt8](hex: hex) }

    private static let head = "5200 afad ffffffff 0100 b600"
    private static let length = "04100000"
    static let hash = "d0fd3bce45ac7965618a3a8c8ed9d38c0981ee6ea141831607e427087ca4e310"

    static let all = [
        LegacyInitPacketVector(generation: .crc16, hex: "\(head) 7f29", readablePrefixes: [2, 12]),
        LegacyInitPacketVector(
            generation: .extendedCRC16, hex: "\(head) 00000000 7f29",
            readablePrefixes: [2, 12] + Array(14...17)),
        LegacyInitPacketVector(
            generation: .hash, hex: "\(head) 01000000 \(length) \(hash)",
            readablePrefixes: [2, 12] + Array(14...22)),
        LegacyInitPacketVector(
            generation: .signedHash, hex: "\(head) 02000000 \(length) \(hash) \(signature)",
            readablePrefixes: [2, 12] + Array(14...22)),
    ]

    /// Made by python-ecdsa with the key of RFC 6979 A.2.5, deterministically, over the bytes before it.
    private static let signature =
        "54b49fc13d69c4de026628a22dbe9a2ed58c94c4ce3174b396f1a5f667cd8d6e"
        + "3250b862a8fc93085a3dd9e801bdaacbf8ab94cb746bafe930aa92e36926a55c"
}
