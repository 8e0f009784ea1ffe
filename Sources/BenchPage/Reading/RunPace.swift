import Tray

/// How long units take, for when the last will be done.
struct RunPace: Hashable, Sendable {
    private var done = 0
    private var seconds = 0.0
    private var began: [String: RecordedTime] = [:]
    private var widest = 1

    /// An attempt at the unit in `slot` begins.
    mutating func begin(_ slot: String, at moment: RecordedTime) {
        began[slot] = moment
        widest = max(widest, began.count)
    }

    /// It has ended.
    mutating func end(_ slot: String, seconds: Double?, passed: Bool) {
        began[slot] = nil
        // What failed at once says nothing of how long the others take.
        guard passed, let seconds, seconds.isFinite, seconds >= 0 else { return }
        done += 1
        self.seconds += seconds
    }

    /// When `waiting` units will be done and those at work; nil while no unit has shown how long one takes, and for none.
    func ends(waiting: Int, at moment: RecordedTime) -> RecordedTime? {
        guard done > 0, waiting + began.count > 0 else { return nil }
        let typical = seconds / Double(done)
        let rests = began.values.map { max(1, typical - max(0, moment.seconds(since: $0))) }
        let left = max(
            (rests.reduce(0, +) + Double(waiting) * typical) / Double(widest), rests.max() ?? typical)
        guard left < 1e7 else { return nil }
        return RecordedTime(milliseconds: moment.milliseconds + Int64(left) * 1000)
    }
}
