/// The rate at which all units of a run together receive firmware, in whole seconds of the run's time; shared by the
/// live view, the page and the report. The speed at a moment is that of the second before, so that a burst that has
/// ended does not seem to continue.
public struct RunSpeed: Hashable, Sendable {
    private var sent: [UnitNumber: Int] = [:]
    private var second = Int.min
    private var bytes = 0
    private var before = 0
    /// The most bytes sent within a second.
    public private(set) var most = 0

    /// Starts with nothing sent.
    public init() {}

    /// Records that `unit` has been sent `total` bytes by `moment`. Bytes that are sent again after a loss count once
    /// they exceed the amount before the loss.
    public mutating func note(_ unit: UnitNumber, sent total: Int, at moment: Duration) {
        pass(to: moment)
        defer { sent[unit] = total }
        guard let last = sent[unit], total > last else { return }
        bytes += total - last
        most = max(most, bytes)
    }

    /// Resets `unit` for a new attempt.
    public mutating func forget(_ unit: UnitNumber) { sent[unit] = nil }

    /// Bytes sent in the second before that of `moment`.
    public mutating func bytesPerSecond(at moment: Duration) -> Int {
        pass(to: moment)
        return before
    }

    private mutating func pass(to moment: Duration) {
        let now = Int((moment / .seconds(1)).rounded(.down))
        guard now > second else { return }
        before = now - 1 == second ? bytes : 0
        (second, bytes) = (now, 0)
    }
}
