import Tray
import TrayEngine
import UpdateCore

/// The figures of a run that are made as it goes: one for the live view, the page and the report.
struct RunFigures: Sendable {
    private var speed = RunSpeed()
    private var pace = Pace()
    /// When the attempts under way began.
    private var running: [UnitNumber: Duration] = [:]
    private var waiting: Set<UnitNumber>
    /// Whose turn has ended, and no other has begun since.
    private var ended: Set<UnitNumber> = []
    /// Why no further unit is begun; nil while they are.
    private var isHeld = false

    /// Of a run of these units.
    init(_ units: [UnitRecord]) {
        waiting = Set(units.indices.filter { units[$0].verdict == nil }.map { UnitNumber($0) })
    }

    /// How many units' turns have ended; one that is tried again is none of them until it has ended again.
    var done: Int { ended.count }

    /// The most bytes that all units were sent within a second.
    var mostBytesPerSecond: Int { speed.most }

    /// The bytes that all units were sent in the second before `moment`.
    mutating func bytesPerSecond(at moment: Duration) -> Int { speed.bytesPerSecond(at: moment) }

    /// How long the rest takes; nil while that is not known, and while nothing is begun.
    func secondsLeft(at moment: Duration) -> Double? {
        guard !isHeld else { return nil }
        return pace.secondsLeft(
            waiting: waiting.count, running: running.values.map { (moment - $0) / .seconds(1) })
    }

    /// Takes what has happened at `moment`.
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
