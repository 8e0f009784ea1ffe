/// Speeds at fixed intervals, whether or not anything moves: what blocks cannot show while one takes long. A value:
/// time is an argument, as a duration since any fixed moment.
public struct SteadySpeeds: Sendable {
    /// From one look to the next; vendors' libraries name it (dialog-suota.md, Events).
    public static let interval = Duration.milliseconds(500)
    /// Looks in the second that the current speed is told for.
    private static let looksInSecond = 2

    /// What one look shows, in bytes per second.
    public struct Look: Equatable, Sendable {
        /// Of the time since the last look, with the extremes so far, and since the first byte.
        public let speeds: TransferSpeeds
        /// Of the last second; nil where that is not over.
        public let lastSecond: Double?
    }

    private var start: Duration?
    private var total = 0
    private var sinceLook = 0
    private var inSecond = 0
    private var looks = 0
    private var fastest = 0.0
    private var slowest = Double.infinity

    /// Nothing was accepted yet.
    public init() {}

    /// Bytes begin to leave, or begin to again.
    public mutating func begin(at now: Duration) {
        start = start ?? now
        (sinceLook, inSecond, looks) = (0, 0, 0)
    }

    /// The device has accepted `count` bytes more.
    public mutating func accepted(_ count: Int) {
        total += count
        sinceLook += count
        inSecond += count
    }

    /// An interval has passed since the last look, or since the beginning.
    public mutating func look(at now: Duration) -> Look {
        let current = Double(sinceLook) / Self.interval.seconds
        fastest = max(fastest, current)
        slowest = min(slowest, current)
        sinceLook = 0
        looks += 1
        var second: Double?
        if looks.isMultiple(of: Self.looksInSecond) {
            second = Double(inSecond)
            inSecond = 0
        }
        let length = max((now - (start ?? now)).seconds, Self.interval.seconds)
        return Look(
            speeds: TransferSpeeds(
                current: current, max: fastest, min: slowest, average: Double(total) / length),
            lastSecond: second)
    }
}
