/// How results are handed in.
public struct DeliveryPolicy: Hashable, Sendable {
    /// So many at a time.
    public var batch = 50
    /// The station tells of itself so often, also where it has nothing to hand in.
    public var heartbeat = Duration.seconds(30)
    /// The first pause after an engine that did not answer; each is twice the one before.
    public var firstPause = Duration.seconds(1)
    /// No pause is longer.
    public var longestPause = Duration.seconds(60)

    /// The program's.
    public init() {}

    /// The pause after so many failures in a row, by `chance` from 0 to 1 between three quarters and five quarters of its length: benches
    /// that lost the engine together do not come back together.
    public func pause(after failures: Int, chance: Double) -> Duration {
        var pause = firstPause
        for _ in 1..<max(2, failures) where failures > 1 && pause < longestPause { pause *= 2 }
        return min(pause, longestPause) * (0.75 + chance / 2)
    }
}
