/// Speeds of a transfer in bytes per second, as of the last accepted block.
public struct TransferSpeeds: Equatable, Sendable {
    /// The speed of the last block: its bytes by the time from its first packet to its acceptance.
    public let current: Double
    /// The speed of the fastest block.
    public let max: Double
    /// The speed of the slowest block.
    public let min: Double
    /// All bytes by the time since the first packet.
    public let average: Double
}

/// Measures a transfer, without a clock: times are arguments, as durations since any fixed moment.
public struct TransferMeter: Sendable {
    private var firstPacket: Duration?
    private var lastAnswer: Duration?
    private var blockStart: Duration?
    private var blockBytes = 0
    private var accepted = 0
    private var fastest = 0.0
    private var slowest = Double.infinity
    private var recent = RecentRate()

    /// A meter before the first packet.
    public init() {}

    /// Whether a packet was sent.
    public var hasBegun: Bool { firstPacket != nil }

    /// Records a sent packet of `count` bytes.
    public mutating func sent(_ count: Int, at now: Duration) {
        firstPacket = firstPacket ?? now
        if blockStart == nil {
            blockStart = now
            blockBytes = 0
        }
        blockBytes += count
        recent.add(count, at: now)
    }

    /// The device has accepted everything sent since the last acceptance. Nil if there was nothing.
    public mutating func blockAccepted(at now: Duration) -> TransferSpeeds? {
        guard let start = blockStart, let first = firstPacket, now > start else { return nil }
        let speed = Double(blockBytes) / (now - start).seconds
        accepted += blockBytes
        fastest = Swift.max(fastest, speed)
        slowest = Swift.min(slowest, speed)
        lastAnswer = now
        blockStart = nil
        return TransferSpeeds(
            current: speed, max: fastest, min: slowest, average: Double(accepted) / (now - first).seconds)
    }

    /// Everything sent since the last acceptance has to be sent again.
    public mutating func blockLost() { blockStart = nil }

    /// Bytes per second over the last second.
    public mutating func recentRate(at now: Duration) -> Double { recent.rate(at: now) }

    /// From the first packet to the last acceptance.
    public var elapsed: Duration {
        guard let firstPacket, let lastAnswer else { return .zero }
        return lastAnswer - firstPacket
    }

    /// Accepted bytes per second of `elapsed`.
    public var average: Double { elapsed > .zero ? Double(accepted) / elapsed.seconds : 0 }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double { self / .seconds(1) }
}
