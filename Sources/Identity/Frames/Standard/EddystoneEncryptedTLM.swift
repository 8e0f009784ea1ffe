/// Eddystone's encrypted telemetry (beacon-frames.md, Eddystone), service FEAA. It is recognised, never decrypted:
///
///     0  1  20
///     1  1  version 01
///     2  12 encrypted
///     14 2  salt
///     16 2  integrity
public struct EddystoneEncryptedTLM: Equatable, Sendable {
    /// Twelve bytes.
    public let encrypted: [UInt8]
    /// Makes two ciphertexts of the same state differ.
    public let salt: UInt16
    /// The authentication tag.
    public let integrity: UInt16

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEncryptedTLM)
        try reader.mark("frame type and version", 0x20, 0x01)
        encrypted = try reader.bytes("encrypted telemetry", 12)
        salt = try reader.integer("salt")
        integrity = try reader.integer("integrity")
    }
}
