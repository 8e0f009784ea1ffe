/// How results are delivered.
public struct DeliveryPolicy: Hashable, Sendable {
    /// The most results in one call.
    public var batch = 50
    /// The interval of the station's heartbeat, also without results to deliver.
    public var heartbeat = Duration.seconds(30)
    /// The first pause after a failed call; each pause is twice the one before.
    public var firstPause = Duration.seconds(1)
    /// The longest pause.
    public var longestPause = Duration.seconds(60)

    /// The program's policy.
    public init() {}

    /// The pause after this many failures in a row, varied by `chance` (0 to 1) between three quarters and five
    /// quarters of its length, so that benches that lost the work server together do not return together.
    public func pause(after failures: Int, chance: Double) -> Duration {
        var pause = firstPause
        for _ in 1..<max(2, failures) where failures > 1 && pause < longestPause { pause *= 2 }
        return min(pause, longestPause) * (0.75 + chance / 2)
    }
}
