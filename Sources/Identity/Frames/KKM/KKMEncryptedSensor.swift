/// KKM's encrypted sensor frame (beacon-frames.md, KBeacon), service FEAA or company 0A53. It is recognised,
/// never decrypted:
///
///     0  1  06
///     1  2  mask, big-endian
///     3  16 encrypted
///     19 4  Unix time, big-endian
public struct KKMEncryptedSensor: Equatable, Sendable {
    /// The bit mask of its fields.
    public let mask: UInt16
    /// Sixteen bytes.
    public let encrypted: [UInt8]
    /// Seconds since 1970.
    public let unixTime: UInt32

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .kkmEncryptedSensor)
        try reader.mark("frame type", 0x06)
        mask = try reader.integer("mask")
        encrypted = try reader.bytes("encrypted values", 16)
        unixTime = try reader.integer("time")
    }
}
