/// How fast all units of a run are sent firmware together, in whole seconds of its time: one figure for the live view, the page and the
/// report. The speed of a moment is that of the second before; a burst that is over sooner does not count as if it went on.
public struct RunSpeed: Hashable, Sendable {
    private var sent: [UnitNumber: Int] = [:]
    private var second = Int.min
    private var bytes = 0
    private var before = 0
    /// The most that were sent within a second.
    public private(set) var most = 0

    /// Nothing was sent yet.
    public init() {}

    /// `unit` has been sent so much by `moment`. What is sent again after a loss counts when it goes beyond what was sent before it.
    public mutating func note(_ unit: UnitNumber, sent total: Int, at moment: Duration) {
        pass(to: moment)
        defer { sent[unit] = total }
        guard let last = sent[unit], total > last else { return }
        bytes += total - last
        most = max(most, bytes)
    }

    /// An attempt at `unit` begins.
    public mutating func forget(_ unit: UnitNumber) { sent[unit] = nil }

    /// Bytes in the second before that of `moment`.
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
