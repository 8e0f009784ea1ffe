import Testing
import Tray

@testable import BeaconCommands

@Suite struct `How long a run took` {
    /// A run in which the wall clock was set by so many seconds.
    @Test(arguments: [0, -7200, -946_080_000, 86_400] as [Int64])
    func `does not depend on the wall clock`(_ step: Int64) {
        var record = TrayRecord(id: "run")
        var session = TrayRecord.Session(
            number: 1, began: RecordedTime(milliseconds: 1_000_000_000_000), version: "1")
        session.ended = RecordedTime(milliseconds: 1_000_000_000_000 + (step + 12) * 1000)
        (session.seconds, session.limitedBy) = (12.25, "air")
        record.sessions = [session]
        let line = BatchSummary(record: record, wasStopped: false).line
        #expect(line.members["seconds"] == .rounded(12.25))
        let report = TrayReportFormat.json.text(of: record, made: session.began, version: "1")
        #expect(report.contains("\"seconds\":12.25"), "\(report)")
    }

    @Test(arguments: [(-0.44, "-0.4"), (-7190.4, "-7190.4"), (0, "0.0"), (12.25, "12.3")])
    func `is never written with two signs`(_ value: Double, _ text: String) {
        #expect(Quantities.decimal(value) == text)
    }
}
