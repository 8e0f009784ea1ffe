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
    /// What makes two ciphertexts of one state differ.
    public let salt: UInt16
    /// What it is authenticated by.
    public let integrity: UInt16

    /// Reads the frame; throws where it is short or begins otherwise.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEncryptedTLM)
        try reader.mark("frame type and version", 0x20, 0x01)
        encrypted = try reader.bytes("encrypted telemetry", 12)
        salt = try reader.integer("salt")
        integrity = try reader.integer("integrity")
    }
}
