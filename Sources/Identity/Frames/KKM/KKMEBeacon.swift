/// KKM's EBeacon (beacon-frames.md, KBeacon), company 0A53: an iBeacon whose UUID is encrypted. It is
/// recognised, never decrypted:
///
///     0  1  03
///     1  1  length
///     2  16 encrypted UUID
///     18 4  Unix time, big-endian
///     22 1  power
public struct KKMEBeacon: Equatable, Sendable {
    /// Sixteen bytes.
    public let encrypted: [UInt8]
    /// Seconds since 1970.
    public let unixTime: UInt32

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmEBeacon)
        try reader.mark("frame type", 0x03)
        _ = try reader.bytes("length", 1)
        encrypted = try reader.bytes("encrypted UUID", 16)
        unixTime = try reader.integer("time")
        _ = try reader.bytes("power", 1)
    }
}
