import Testing
import Tray

@testable import BeaconCommands

@Suite struct `The summary of a run` {
    private static func unit(_ slot: String, _ verdict: Tray.Verdict?, attempts: Int = 0) -> UnitRecord {
        var unit = UnitRecord(slot: slot)
        unit.verdict = verdict
        unit.attempts = (0..<attempts).map {
            AttemptRecord(
                number: $0 + 1, session: 1, adapter: "sim0", began: RecordedTime(milliseconds: 0), address: ""
            )
        }
        return unit
    }

    @Test func `has one line for all units that were not begun for one reason`() {
        let stopped = Tray.Verdict(.aborted, code: "interrupted", message: "the run was stopped")
        let late = Tray.Verdict(.aborted, code: "tray-time", message: "the tray took too long")
        let units = [
            Self.unit("A1", Tray.Verdict(.passed)), Self.unit("A2", stopped), Self.unit("A3", stopped),
            Self.unit("A4", stopped, attempts: 1), Self.unit("B1", stopped), Self.unit("B2", late),
            Self.unit("B3", nil),
        ]
        #expect(
            BatchSummary.left(units) == [
                "3 not begun: A2-A3, B1: interrupted: the run was stopped",
                "1 not begun: B2: tray-time: the tray took too long",
            ])
        #expect(BatchSummary.left([Self.unit("A1", Tray.Verdict(.passed))]).isEmpty)
    }
}
