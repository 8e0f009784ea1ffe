import Testing
import Tray
import UpdateModel

@testable import CommandKit
@testable import TrayCommands

@Suite struct `The summary of a run` {
    private static func unit(_ slot: String, _ verdict: UnitVerdict?, attempts: Int = 0) -> UnitRecord {
        var unit = UnitRecord(slot: slot)
        unit.verdict = verdict
        unit.attempts = (0..<attempts).map {
            AttemptRecord(
                number: $0 + 1, session: 1, adapter: "sim0", began: RecordedTime(milliseconds: 0), address: ""
            )
        }
        return unit
    }

    @Test func `has one line for all units that were not started for one reason`() {
        let stopped = UnitVerdict(.aborted, code: .system.interrupted, message: "the run was stopped")
        let late = UnitVerdict(.aborted, code: .tray.trayTime, message: "the tray took too long")
        let units = [
            Self.unit("A1", UnitVerdict(.passed)), Self.unit("A2", stopped), Self.unit("A3", stopped),
            Self.unit("A4", stopped, attempts: 1), Self.unit("B1", stopped), Self.unit("B2", late),
            Self.unit("B3", nil),
        ]
        #expect(
            BatchSummary.notStarted(units) == [
                "3 not started: A2 A3 B1 (interrupted: the run was stopped); run again with --resume",
                "1 not started: B2 (tray-time: the tray took too long); run again with --resume",
            ])
        #expect(BatchSummary.notStarted([Self.unit("A1", UnitVerdict(.passed))]).isEmpty)
    }

    /// A unit that waits for its link has an attempt, but nothing was done to it.
    @Test(arguments: [("connecting", true), ("entering-bootloader", false)])
    func `counts a unit as not started until it had a link`(phase: String, isLeft: Bool) {
        var unit = Self.unit("A1", UnitVerdict(.aborted), attempts: 1)
        unit.attempts[0].verdict = unit.verdict
        unit.attempts[0].phases = [
            AttemptRecord.Phase("connecting", at: 0), AttemptRecord.Phase(phase, at: 1),
        ]
        #expect(unit.wasNotStarted == isLeft)
    }
}

@Suite struct `The duration of a run` {
    /// A run in which the wall clock was set by `by` seconds.
    @Test(arguments: [0, -7200, -946_080_000, 86_400] as [Int64])
    func `does not depend on the wall clock`(_ step: Int64) {
        var record = TrayRecord(id: "run")
        var session = TrayRecord.Session(
            number: 1, began: RecordedTime(milliseconds: 1_000_000_000_000), version: "1")
        session.ended = RecordedTime(milliseconds: 1_000_000_000_000 + (step + 12) * 1000)
        (session.seconds, session.limitedBy) = (12.25, "air")
        record.sessions = [session]
        let line = BatchSummary(record: record, wasStopped: false).finished.text
        #expect(line.contains("\"seconds\":12.25"), "\(line)")
        let report = TrayReportFormat.json.text(of: record, made: session.began, version: "1")
        #expect(report.contains("\"seconds\":12.25"), "\(report)")
    }

    @Test(arguments: [(-0.44, "-0.4"), (-7190.4, "-7190.4"), (0, "0.0"), (12.25, "12.3")])
    func `is never written with two signs`(_ value: Double, _ text: String) {
        #expect(Quantities.decimal(value) == text)
    }
}
