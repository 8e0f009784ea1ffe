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
