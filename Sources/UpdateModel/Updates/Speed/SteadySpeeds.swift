/// Speeds at fixed intervals, whether or not anything moves: what blocks cannot show while one takes long. A value:
/// time is an argument, as a duration since any fixed moment.
public struct SteadySpeeds: Sendable {
    /// The time between two samples, as in vendors' libraries (dialog-suota.md, Events).
    public static let interval = Duration.milliseconds(500)
    /// Samples per second, the period of the current speed.
    private static let looksInSecond = 2

    /// One sample, in bytes per second.
    public struct Look: Equatable, Sendable {
        /// The speed since the last sample with the extremes so far, and since the first byte.
        public let speeds: TransferSpeeds
        /// The speed of the last second; nil within a second.
        public let lastSecond: Double?
    }

    private var start: Duration?
    private var total = 0
    private var sinceLook = 0
    private var inSecond = 0
    private var looks = 0
    private var fastest = 0.0
    private var slowest = Double.infinity

    /// Nothing is accepted yet.
    public init() {}

    /// Sending begins, or begins again.
    public mutating func begin(at now: Duration) {
        start = start ?? now
        (sinceLook, inSecond, looks) = (0, 0, 0)
    }

    /// The device has accepted another `count` bytes.
    public mutating func accepted(_ count: Int) {
        total += count
        sinceLook += count
        inSecond += count
    }

    /// Takes a sample, an interval after the last one or after the start.
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
