/// Eddystone EID (beacon-frames.md, Eddystone), service FEAA. The id changes, so it is nobody's identity:
///
///     0  1  30
///     1  1  power at 0 m in dBm, signed
///     2  8  ephemeral id
public struct EddystoneEID: Equatable, Sendable {
    /// In dBm, at 0 m.
    public let power: Int8
    /// Eight bytes.
    public let ephemeralID: [UInt8]

    /// Reads the frame; throws where it is short or begins otherwise.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEID)
        try reader.mark("frame type", 0x30)
        power = try reader.signed("power")
        ephemeralID = try reader.bytes("ephemeral id", 8)
    }

    var facts: FrameFacts { FrameFacts(measuredPower: EddystonePower.atOneMetre(power)) }
}
