/// An exponential back-off: the pauses between attempts at something that fails again and again, such as a link to a
/// beacon (`RetryPolicy`), a hook or the work server.
///
/// Each pause is twice the previous one, up to `longest`.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    package let first: Duration
    package let longest: Duration

    package init(first: Duration, longest: Duration) {
        (self.first, self.longest) = (first, longest)
    }

    /// The pause after this many failures in a row.
    ///
    /// With `chance`, a random number from 0 to 1, it varies between three quarters and five quarters of its length, so
    /// that programs that lost a server together do not return together.
    package func pause(after failures: Int, chance: Double? = nil) -> Duration {
        let doublings = min(max(failures, 1) - 1, 30)
        let pause = min(first * (1 << doublings), longest)
        guard let chance else { return pause }
        return pause * (0.75 + chance / 2)
    }
}
