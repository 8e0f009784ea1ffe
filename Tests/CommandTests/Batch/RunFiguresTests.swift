import Testing
import Tray
import UpdateModel

@testable import TrayCommands

@Suite struct `The figures of a run` {
    private static let units = (0..<3).map { UnitRecord(slot: "A\($0)") }

    private static func attempt(_ outcome: Outcome? = nil, seconds: Double? = nil) -> AttemptRecord {
        var attempt = AttemptRecord(
            number: 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0), address: "")
        (attempt.seconds, attempt.verdict) = (seconds, outcome.map { UnitVerdict($0) })
        return attempt
    }

    private static func turn(
        _ number: Int, _ outcome: Outcome, from begin: Double, to end: Double, _ figures: inout RunFigures
    ) {
        let unit = UnitNumber(number)
        let ended = attempt(outcome, seconds: end - begin)
        var record = units[number]
        (record.attempts, record.verdict) = ([ended], UnitVerdict(outcome))
        figures.note(.began(unit, attempt()), at: .seconds(begin))
        figures.note(.attempted(unit, ended), at: .seconds(end))
        figures.note(.ended(unit, record), at: .seconds(end))
    }

    @Test func `count a retried unit once`() {
        var figures = RunFigures(Self.units)
        for number in 0..<3 {
            Self.turn(number, number == 1 ? .failed : .passed, from: 0, to: 10, &figures)
        }
        #expect(figures.done == 3)
        figures.note(.began(UnitNumber(1), Self.attempt()), at: .seconds(20))
        #expect(figures.done == 2)
        Self.turn(1, .failed, from: 20, to: 30, &figures)
        #expect(figures.done == 3)
    }

    @Test func `estimate the time of waiting units, but not while starting is paused`() {
        var figures = RunFigures(Self.units)
        #expect(figures.secondsLeft(at: .zero) == nil)
        Self.turn(0, .passed, from: 0, to: 10, &figures)
        #expect(figures.secondsLeft(at: .seconds(10)) == 20)
        let hold = TrayRecord.Hold(began: RecordedTime(milliseconds: 0), code: "paused", message: "")
        figures.note(.hold(hold), at: .seconds(10))
        #expect(figures.secondsLeft(at: .seconds(10)) == nil)
    }

    @Test func `have the speed over whole seconds`() {
        var figures = RunFigures(Self.units)
        for (sent, at) in [(0, 0.1), (8000, 0.2), (9000, 1.5)] {
            figures.note(
                .update(UnitNumber(0), .progress(sent: sent, total: 9000, bytesPerSecond: 80_000)),
                at: .milliseconds(Int(at * 1000)))
        }
        #expect(figures.bytesPerSecond(at: .milliseconds(1600)) == 8000)
        #expect(figures.bytesPerSecond(at: .milliseconds(2100)) == 1000)
        #expect(figures.mostBytesPerSecond == 8000)
    }
}
