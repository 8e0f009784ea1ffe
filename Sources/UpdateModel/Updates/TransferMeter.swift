/// Speeds of a transfer in bytes per second, as of the last accepted block.
public struct TransferSpeeds: Equatable, Sendable {
    /// The speed of the last block: its bytes divided by the time from its first packet to its acceptance.
    public let current: Double
    public let max: Double
    public let min: Double
    /// All bytes divided by the time since the first packet.
    public let average: Double
}

/// Measures a transfer. It has no clock: times are arguments, as durations since any fixed moment.
public struct TransferMeter: Sendable {
    private var firstPacket: Duration?
    private var lastAnswer: Duration?
    private var blockStart: Duration?
    private var blockBytes = 0
    private var accepted = 0
    private var fastest = 0.0
    private var slowest = Double.infinity
    private var recent = RecentRate()

    public init() {}

    /// Whether a packet was sent.
    public var hasBegun: Bool { firstPacket != nil }

    public mutating func sent(_ count: Int, at now: Duration) {
        firstPacket = firstPacket ?? now
        if blockStart == nil {
            blockStart = now
            blockBytes = 0
        }
        blockBytes += count
        recent.add(count, at: now)
    }

    /// Records that the device has accepted everything sent since the last acceptance, and returns the speeds. Nil if
    /// nothing was sent since then, as when several answers accept parts of a block: the first counts for all.
    public mutating func blockAccepted(at now: Duration) -> TransferSpeeds? {
        guard let first = firstPacket else { return nil }
        guard let start = blockStart, now > start else {
            if accepted > 0 { lastAnswer = now }
            return nil
        }
        let speed = Double(blockBytes) / (now - start).seconds
        accepted += blockBytes
        fastest = Swift.max(fastest, speed)
        slowest = Swift.min(slowest, speed)
        lastAnswer = now
        blockStart = nil
        return TransferSpeeds(
            current: speed, max: fastest, min: slowest, average: Double(accepted) / (now - first).seconds)
    }

    /// Records that everything sent since the last acceptance has to be sent again.
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
    public var seconds: Double { self / .seconds(1) }
}

/// Bytes per second over the last second, from ten slots of 100 ms each, so that the memory does not grow with the
/// transfer.
struct RecentRate: Sendable {
    private static let slotCount = 10
    private static let slotLength = Duration.milliseconds(100)
    private var slots = [Int](repeating: 0, count: slotCount)
    private var newest = 0
    private var start: Duration?

    mutating func add(_ count: Int, at now: Duration) {
        start = start ?? now
        advance(to: now)
        slots[newest % Self.slotCount] += count
    }

    mutating func rate(at now: Duration) -> Double {
        guard let start else { return 0 }
        advance(to: now)
        let span = min(max(now - start, Self.slotLength), .seconds(1))
        return Double(slots.reduce(0, +)) / span.seconds
    }

    private mutating func advance(to now: Duration) {
        let slot = Int(max(now, .zero) / Self.slotLength)
        guard slot > newest else { return }
        for stale in (newest + 1)...max(newest + 1, min(slot, newest + Self.slotCount)) {
            slots[stale % Self.slotCount] = 0
        }
        if slot > newest + Self.slotCount { slots = [Int](repeating: 0, count: Self.slotCount) }
        newest = slot
    }
}

/// How a transfer spent its time, to report what limited it.
public struct TimeLedger: Sendable {
    private var spent: [SpeedLimit: Duration] = [:]
    /// Whether a repetition is under way; all its time counts as retries.
    public var isRepeating = false

    public init() {}

    public mutating func book(_ length: Duration, to limit: SpeedLimit) {
        spent[isRepeating ? .retries : limit, default: .zero] += length
    }

    /// The limit with the largest share.
    public var limit: SpeedLimit {
        SpeedLimit.allCases.max { spent[$0, default: .zero] < spent[$1, default: .zero] } ?? .air
    }
}

/// Speeds at fixed intervals, so that a slow block shows before it is accepted. It has no clock: times are arguments,
/// as durations since any fixed moment.
public struct SteadySpeeds: Sendable {
    /// The time between two samples, as in vendors' libraries (dialog-suota.md, Events).
    public static let interval = Duration.milliseconds(500)
    /// Samples per second, the period of the current speed.
    private static let samplesPerSecond = 2

    /// One sample, in bytes per second.
    public struct Sample: Equatable, Sendable {
        /// `current` is the speed since the previous sample, `min` and `max` are its extremes so far, and `average` is
        /// the speed since the first byte.
        public let speeds: TransferSpeeds
        /// The speed of the last second; nil unless a second ends with this sample.
        public let lastSecond: Double?
    }

    private var start: Duration?
    private var total = 0
    private var sinceSample = 0
    private var inSecond = 0
    private var samples = 0
    private var fastest = 0.0
    private var slowest = Double.infinity

    public init() {}

    /// Records that sending begins, or begins again after a pause.
    public mutating func begin(at now: Duration) {
        start = start ?? now
        (sinceSample, inSecond, samples) = (0, 0, 0)
    }

    public mutating func accepted(_ count: Int) {
        total += count
        sinceSample += count
        inSecond += count
    }

    /// Takes a sample; to be called one `interval` after `begin` or after the previous sample.
    public mutating func sample(at now: Duration) -> Sample {
        let current = Double(sinceSample) / Self.interval.seconds
        fastest = max(fastest, current)
        slowest = min(slowest, current)
        sinceSample = 0
        samples += 1
        var second: Double?
        if samples.isMultiple(of: Self.samplesPerSecond) {
            second = Double(inSecond)
            inSecond = 0
        }
        let length = max((now - (start ?? now)).seconds, Self.interval.seconds)
        return Sample(
            speeds: TransferSpeeds(
                current: current, max: fastest, min: slowest, average: Double(total) / length),
            lastSecond: second)
    }
}
