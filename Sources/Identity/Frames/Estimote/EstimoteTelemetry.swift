/// Estimote's telemetry (beacon-frames.md, Estimote), service FE9A:
///
///     0  1  low nibble 2, high nibble the version of the protocol
///     1  8  the first half of the identifier
///     9  1  low two bits: 0 for subframe A, 1 for B
///     10 10 the subframe
public struct EstimoteTelemetry: Equatable, Sendable {
    /// 0, 1 or 2.
    public let protocolVersion: UInt8
    /// Eight bytes.
    public let shortID: [UInt8]
    /// The parsed subframe.
    public let content: Content

    /// The two halves of the telemetry.
    public enum Content: Equatable, Sendable {
        /// Motion and errors.
        case a(EstimoteMotion)
        /// Environment and battery.
        case b(EstimoteEnvironment)
    }

    /// Parses the frame; throws if it is short, not telemetry, or of an unpublished version or subframe.
    public init(parsing bytes: [UInt8]) throws(FrameError) {
        var reader = FrameReader(bytes, .estimoteTelemetry)
        let first: UInt8 = try reader.integer("frame type")
        protocolVersion = first >> 4
        guard first & 0x0F == 2, protocolVersion <= 2 else {
            throw reader.refusal(
                "frame type", at: 0, "version \(first >> 4) of type \(first & 0x0F) is unknown")
        }
        shortID = try reader.bytes("short id", 8)
        switch try reader.integer("subframe", as: UInt8.self) & 3 {
        case 0: content = .a(EstimoteMotion(try reader.bytes("subframe", 10), protocolVersion))
        case 1: content = .b(EstimoteEnvironment(try reader.bytes("subframe", 10), protocolVersion))
        case let other: throw reader.refusal("subframe", at: 9, "\(other) is unknown")
        }
    }

    var facts: FrameFacts {
        var facts =
            switch content {
            case .a(let motion): motion.facts
            case .b(let surroundings): surroundings.facts
            }
        facts.id = FrameReader.text(of: shortID)
        return facts
    }
}
