/// The rate at which units finish, for an estimate of the remaining time of a tray.
public struct CompletionRate: Hashable, Sendable {
    private var atWork = 0
    private var last: Duration?
    /// Seconds of work, summed over all units.
    private var worked = 0.0
    /// Seconds in which at least one unit was at work.
    private var busy = 0.0
    private var done = 0
    private var seconds = 0.0

    /// Starts with no units at work.
    public init() {}

    private mutating func pass(to moment: Duration) {
        if let last, atWork > 0 {
            let passed = max(0, (moment - last) / .seconds(1))
            worked += passed * Double(atWork)
            busy += passed
        }
        last = moment
    }

    /// An attempt starts.
    public mutating func began(at moment: Duration) {
        pass(to: moment)
        atWork += 1
    }

    /// An attempt has ended.
    public mutating func ended(after attempt: AttemptRecord, at moment: Duration) {
        pass(to: moment)
        atWork = max(0, atWork - 1)
        // An early failure does not show how long other units take.
        guard attempt.verdict?.outcome == .passed, let seconds = attempt.seconds else { return }
        done += 1
        self.seconds += seconds
    }

    /// Estimated seconds until `waiting` units are done and those that have been at work for `running` seconds each;
    /// nil until a unit has passed.
    public func secondsLeft(waiting: Int, running: [Double]) -> Double? {
        guard done > 0, busy > 0, waiting + running.count > 0 else { return nil }
        let typical = seconds / Double(done)
        let rests = running.map { max(1, typical - $0) }
        let width = max(1, worked / busy, Double(running.count))
        return max((rests.reduce(0, +) + Double(waiting) * typical) / width, rests.max() ?? typical)
    }
}
