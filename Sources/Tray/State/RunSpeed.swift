import UpdateModel

/// The rate at which all units of a run together receive firmware, for live view, page and report. It is counted in whole
/// seconds: the speed at a moment is that of the last complete second, so a burst that has ended does not seem to
/// continue.
package struct RunSpeed: Hashable, Sendable {
    private var sent: [UnitNumber: Int] = [:]
    private var second = Int.min
    /// Bytes sent in the current second, and in the second before it.
    private var bytes = 0
    private var previous = 0
    /// The most bytes sent within a second.
    package private(set) var most = 0

    package init() {}

    /// Records that `unit` has been sent `total` bytes by `moment`. If `total` falls after a loss, bytes count again
    /// from the lower number.
    package mutating func note(_ unit: UnitNumber, sent total: Int, at moment: Duration) {
        advance(to: moment)
        defer { sent[unit] = total }
        guard let last = sent[unit], total > last else { return }
        bytes += total - last
        most = max(most, bytes)
    }

    /// Resets `unit` for a new attempt.
    package mutating func forget(_ unit: UnitNumber) { sent[unit] = nil }

    /// Bytes sent in the second before that of `moment`.
    package mutating func bytesPerSecond(at moment: Duration) -> Int {
        advance(to: moment)
        return previous
    }

    private mutating func advance(to moment: Duration) {
        let now = Int((moment / .seconds(1)).rounded(.down))
        guard now > second else { return }
        previous = now - 1 == second ? bytes : 0
        (second, bytes) = (now, 0)
    }
}

/// The rate at which units finish, for an estimate of the remaining time of a tray.
struct CompletionRate: Hashable, Sendable {
    private var atWork = 0
    private var last: Duration?
    /// Seconds of work, summed over all units.
    private var worked = 0.0
    /// Seconds in which at least one unit was at work.
    private var busy = 0.0
    /// Attempts that passed, and their total duration in seconds.
    private var done = 0
    private var seconds = 0.0

    private mutating func advance(to moment: Duration) {
        if let last, atWork > 0 {
            let passed = max(0, (moment - last) / .seconds(1))
            worked += passed * Double(atWork)
            busy += passed
        }
        last = moment
    }

    mutating func began(at moment: Duration) {
        advance(to: moment)
        atWork += 1
    }

    mutating func ended(after attempt: AttemptRecord, at moment: Duration) {
        advance(to: moment)
        atWork = max(0, atWork - 1)
        // An early failure does not show how long other units take.
        guard attempt.verdict?.outcome == .passed, let seconds = attempt.seconds, (0..<1e7).contains(seconds)
        else { return }
        done += 1
        self.seconds += seconds
    }

    /// The estimated seconds until all units are done: those that wait (their number) and those at work (`running`, the
    /// seconds so far of each). Nil until a unit has passed.
    func secondsLeft(waiting: Int, running: [Double]) -> Double? {
        guard done > 0, busy > 0, waiting + running.count > 0 else { return nil }
        let typical = seconds / Double(done)
        let rests = running.map { max(1, typical - $0) }
        let width = max(1, worked / busy, Double(running.count))
        return max((rests.reduce(0, +) + Double(waiting) * typical) / width, rests.max() ?? typical)
    }
}
