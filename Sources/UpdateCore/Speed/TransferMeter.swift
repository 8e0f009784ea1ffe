/// Speeds of a transfer in bytes per second, as of the last accepted block.
public struct TransferSpeeds: Equatable, Sendable {
    /// The last block's: its bytes by the time from its first packet to its acceptance.
    public let current: Double
    /// The fastest block's.
    public let max: Double
    /// The slowest block's.
    public let min: Double
    /// All bytes by all time since the first packet.
    public let average: Double
}

/// Measures a transfer. A value: time is an argument, as a duration since any fixed moment.
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

    /// Whether a packet has left.
    public var hasBegun: Bool { firstPacket != nil }

    /// A packet of `count` bytes has left.
    public mutating func sent(_ count: Int, at now: Duration) {
        firstPacket = firstPacket ?? now
        if blockStart == nil {
            blockStart = now
            blockBytes = 0
        }
        blockBytes += count
        recent.add(count, at: now)
    }

    /// The device has accepted what was sent since the last time. Nil when that was nothing.
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

    /// What was sent since the last acceptance has to be sent again.
    public mutating func blockLost() { blockStart = nil }

    /// Bytes per second over the last second.
    public mutating func recentRate(at now: Duration) -> Double { recent.rate(at: now) }

    /// From the first packet to the last acceptance.
    public var elapsed: Duration {
        guard let firstPacket, let lastAnswer else { return .zero }
        return lastAnswer - firstPacket
    }

    /// Accepted bytes by `elapsed`.
    public var average: Double { elapsed > .zero ? Double(accepted) / elapsed.seconds : 0 }
}

extension Duration {
    /// This duration in seconds.
    public var seconds: Double { self / .seconds(1) }
}
