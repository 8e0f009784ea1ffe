import GRDB
import Tray

extension Journal {
    /// The latest run over a tray; nil if there is none.
    public func latestRun() async throws(JournalError) -> RunSummary? { try await runs(limit: 1).first }

    /// The latest run of the tray file `tray`, by its path as in records; nil for runs without a tray file. Runs of
    /// simulated beacons and of real ones are kept apart.
    public func latestRun(
        of tray: String?, simulated: Bool = false
    ) async throws(JournalError) -> RunSummary? {
        try await summaries(
            "WHERE tray IS ? AND simulated = ? AND NOT single ORDER BY id DESC LIMIT 1", [tray, simulated]
        ).first
    }

    /// The latest run of the tray file `tray` for the work order `order`.
    public func latestRun(
        of tray: String?, for order: String, simulated: Bool = false
    ) async throws(JournalError) -> RunSummary? {
        try await summaries(
            """
            WHERE tray IS ? AND order_number = ? AND simulated = ? AND NOT single ORDER BY id DESC LIMIT 1
            """, [tray, order, simulated]
        ).first
    }

    /// The runs of the tray file `tray` for the work order `order` that have left a unit unfinished: it was changed, is
    /// not on its firmware, and no later run has brought it there. The earliest first.
    public func runsLeavingUnits(
        of tray: String?, for order: String, simulated: Bool = false
    ) async throws(JournalError) -> [RunSummary] {
        try await summaries(
            """
            WHERE tray IS ? AND order_number = ? AND simulated = ? AND EXISTS (
              SELECT 1 FROM unit WHERE unit.run = run.id
                AND (unit.outcome IS NULL OR unit.outcome NOT IN ('passed', 'not-needed'))
                AND EXISTS (SELECT 1 FROM attempt JOIN change ON change.attempt = attempt.id WHERE attempt.unit = unit.id)
                AND NOT EXISTS (
                  SELECT 1 FROM unit AS later JOIN run AS its ON its.id = later.run
                  WHERE later.id > unit.id AND later.address IS unit.address AND its.simulated = run.simulated
                    AND later.outcome IN ('passed', 'not-needed')))
            ORDER BY id
            """, [tray, order, simulated])
    }

    /// The runs over trays that can be continued, the latest first: of each tray only its latest run, if it has a unit
    /// without a verdict, or one that was aborted or ended with a bench error, or if its last session has not ended.
    public func unfinishedRuns() async throws(JournalError) -> [RunSummary] {
        try await summaries(
            """
            WHERE NOT single AND id IN (
              SELECT run FROM unit WHERE outcome IS NULL OR outcome IN ('aborted', 'error')
              UNION
              SELECT run FROM session AS one WHERE ended IS NULL
                AND NOT EXISTS (SELECT 1 FROM session WHERE session.run = one.run AND session.number > one.number))
              AND NOT EXISTS (
                SELECT 1 FROM run AS later
                WHERE later.tray IS run.tray AND later.id > run.id AND NOT later.single
                  AND later.simulated = run.simulated)
            ORDER BY id DESC
            """)
    }

    /// The latest `limit` runs over trays, the latest first.
    public func runs(limit: Int) async throws(JournalError) -> [RunSummary] {
        try await summaries("WHERE NOT single ORDER BY id DESC LIMIT ?", [limit])
    }

    /// The runs whose ids begin with `text`, in hexadecimal digits and `-`; the latest first.
    public func runs(beginning text: String) async throws(JournalError) -> [RunSummary] {
        let text = text.lowercased()
        return try await summaries("WHERE uuid >= ? AND uuid < ? ORDER BY id DESC", [text, text + "g"])
    }

    private func summaries(
        _ condition: String, _ arguments: StatementArguments = []
    ) async throws(JournalError) -> [RunSummary] {
        try await connection.read { database in
            try Fields.all(database, "SELECT id, record, began FROM run " + condition, arguments).map { row in
                let run = try row.integer(0)
                let session = try Fields.all(
                    database, "SELECT record FROM session WHERE run = ? ORDER BY number DESC LIMIT 1", [run]
                ).first
                var counts: [Outcome: Int] = [:]
                var units = 0
                let groups = "SELECT outcome, count(*) FROM unit WHERE run = ? GROUP BY outcome"
                for group in try Fields.all(database, groups, [run]) {
                    let count = Int(try group.integer(1))
                    units += count
                    guard let name = try group.textIfAny(0) else { continue }
                    guard let outcome = Outcome(rawValue: name) else {
                        throw DamagedRow("an outcome is unknown")
                    }
                    counts[outcome] = count
                }
                return RunSummary(
                    run: try RecordText.read(row.text(1)),
                    lastSession: try session.map { try RecordText.read($0.text(0)) },
                    began: RecordedTime(milliseconds: try row.integer(2)), units: units, counts: counts)
            }
        }
    }
}
