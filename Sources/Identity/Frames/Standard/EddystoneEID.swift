/// Eddystone EID (beacon-frames.md, Eddystone), service FEAA. The id changes, so it identifies no beacon:
///
///     0  1  30
///     1  1  power at 0 m in dBm, signed
///     2  8  ephemeral id
public struct EddystoneEID: Equatable, Sendable {
    /// In dBm, at 0 m.
    public let power: Int8
    /// Eight bytes.
    public let ephemeralID: [UInt8]

    /// Parses the frame; throws if it is short or begins differently.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .eddystoneEID)
        try reader.mark("frame type", 0x30)
        power = try reader.signed("power")
        ephemeralID = try reader.bytes("ephemeral id", 8)
    }

    var facts: FrameFacts { FrameFacts(measuredPower: EddystonePower.atOneMetre(power)) }
}
