import Tray
import UpdateModel

/// The speed and progress of a run, shared by the live view, the page and the report.
struct RunFigures: Sendable {
    private var speed = RunSpeed()
    private var pace = CompletionRate()
    /// When the running attempts began.
    private var running: [UnitNumber: Duration] = [:]
    private var waiting: Set<UnitNumber>
    /// Units that have ended and were not started again.
    private var ended: Set<UnitNumber> = []
    /// Whether the run is held, so that no further unit is started.
    private var isHeld = false

    /// The figures of a run of these units.
    init(_ units: [UnitRecord]) {
        waiting = Set(units.indices.filter { units[$0].verdict == nil }.map { UnitNumber($0) })
    }

    /// How many units have ended; a unit that is retried counts again once it ends.
    var done: Int { ended.count }

    /// The most bytes sent to all units within a second.
    var mostBytesPerSecond: Int { speed.most }

    /// The bytes sent to all units in the second before `moment`.
    mutating func bytesPerSecond(at moment: Duration) -> Int { speed.bytesPerSecond(at: moment) }

    /// How long the rest takes; nil while that is not known, and while the run is held.
    func secondsLeft(at moment: Duration) -> Double? {
        guard !isHeld else { return nil }
        return pace.secondsLeft(
            waiting: waiting.count, running: running.values.map { (moment - $0) / .seconds(1) })
    }

    /// Records an event at `moment`.
    mutating func note(_ event: TrayEvent, at moment: Duration) {
        switch event {
        case .began(let unit, _):
            speed.forget(unit)
            waiting.remove(unit)
            ended.remove(unit)
            running[unit] = moment
            pace.began(at: moment)
        case .update(let unit, .progress(let sent, _, _)): speed.note(unit, sent: sent, at: moment)
        case .attempted(let unit, let attempt):
            end(attempt, of: unit, at: moment)
            waiting.insert(unit)
        case .ended(let unit, let record):
            if let attempt = record.attempts.last { end(attempt, of: unit, at: moment) }
            waiting.remove(unit)
            ended.insert(unit)
        case .hold(let hold): isHeld = hold.released == nil
        default: break
        }
    }

    private mutating func end(_ attempt: AttemptRecord, of unit: UnitNumber, at moment: Duration) {
        guard running.removeValue(forKey: unit) != nil else { return }
        pace.ended(after: attempt, at: moment)
    }
}
