package import Firmware
import FoundationEssentials
import GRDB
package import Tray
import UpdateModel

extension Journal {
    /// The latest `limit` attempts that match `query`, the latest first. For the next page, pass the number of the last
    /// one as `before`; nil for the first page.
    package func history(
        _ query: HistoryQuery, before: Int64? = nil, limit: Int
    ) async throws(JournalError) -> [HistoryRow] {
        let (sql, arguments) = Self.statement(query, before: before, limit: limit)
        return try await connection.read { database in
            try Fields.all(database, sql, arguments).map { row in
                HistoryRow(
                    number: try row.integer(0), run: try row.record(1), unit: try row.unit(2, verdict: 3),
                    attempt: try row.record(4))
            }
        }
    }

    /// The beacon's latest passed attempt, if its file had this SHA-256; otherwise nil. Searches only runs of simulated
    /// beacons, or only others.
    package func pass(
        of device: DeviceSelector, sha256: String, simulated: Bool = false
    ) async throws(JournalError) -> HistoryRow? {
        var query = HistoryQuery()
        query.device = device
        query.outcomes = [.passed]
        query.isSimulated = simulated
        let last = try await history(query, limit: 1).first
        return last?.attempt.firmware?.sha256 == sha256 ? last : nil
    }

    static func statement(
        _ query: HistoryQuery, before: Int64?, limit: Int
    ) -> (sql: String, arguments: StatementArguments) {
        var condition = query.condition
        if let before { condition.add("attempt.id < ?", [before]) }
        let filter = condition.parts.isEmpty ? "" : "WHERE " + condition.parts.joined(separator: "\n  AND ")
        let sql = """
            SELECT attempt.id, run.record, unit.record, unit.verdict, attempt.record
            FROM attempt CROSS JOIN unit ON unit.id = attempt.unit CROSS JOIN run ON run.id = unit.run
            \(filter)
            ORDER BY attempt.id DESC LIMIT ?
            """
        return (sql, condition.arguments + [max(0, limit)])
    }

    package func record(of id: String) async throws(JournalError) -> TrayRecord? {
        try await connection.read { database in
            let found = try Fields.all(database, "SELECT id, record FROM run WHERE uuid = ?", [id]).first
            guard let row = found else { return nil }
            let run = try row.integer(0)
            var record: TrayRecord = try row.record(1)
            record.sessions = try Self.records("session", of: run, database)
            record.holds = try Self.records("hold", of: run, database)
            record.units = try Self.units(of: run, database)
            return record
        }
    }

    /// The changes recorded for the unit in `slot` of the run `id`, in order, each with the number of its attempt.
    package func changes(
        of id: String, slot: String
    ) async throws(JournalError) -> [(attempt: Int, change: ChangeRecord)] {
        try await connection.read { database in
            let sql = """
                SELECT attempt.number, change.step, change.address, change.part, change.parts, change.sha256, change.at
                FROM run JOIN unit ON unit.run = run.id JOIN attempt ON attempt.unit = unit.id
                JOIN change ON change.attempt = attempt.id
                WHERE run.uuid = ? AND unit.slot = ? ORDER BY change.id
                """
            return try Fields.all(database, sql, [id, slot]).map { row in
                guard let step = DeviceStep(rawValue: try row.text(1)) else {
                    throw DamagedRow("a step is unknown")
                }
                let change = ChangeRecord(
                    step, address: try row.text(2), part: try row.integerIfAny(3).map { Int($0) },
                    of: try row.integerIfAny(4).map { Int($0) }, sha256: try row.textIfAny(5),
                    at: try row.time(6))
                return (Int(try row.integer(0)), change)
            }
        }
    }

    private static func records<Record: Decodable>(
        _ table: String, of run: Int64, _ database: Database
    ) throws -> [Record] {
        try Fields.all(database, "SELECT record FROM \(table) WHERE run = ? ORDER BY number", [run])
            .map { try $0.record(0) }
    }

    private static func units(of run: Int64, _ database: Database) throws -> [UnitRecord] {
        var attempts: [Int64: [AttemptRecord]] = [:]
        let all = """
            SELECT attempt.unit, attempt.record FROM unit JOIN attempt ON attempt.unit = unit.id
            WHERE unit.run = ? ORDER BY attempt.unit, attempt.number
            """
        for row in try Fields.all(database, all, [run]) {
            attempts[try row.integer(0), default: []].append(try row.record(1))
        }
        let units = "SELECT id, record, verdict FROM unit WHERE run = ? ORDER BY id"
        return try Fields.all(database, units, [run]).map { row in
            var unit = try row.unit(1, verdict: 2)
            unit.attempts = attempts[try row.integer(0)] ?? []
            return unit
        }
    }

    package func latestRun() async throws(JournalError) -> RunSummary? { try await runs(limit: 1).first }

    /// The latest run of the tray file `tray`, by its path as in records; nil for runs without a tray file. `order`:
    /// only runs for this work order; nil for all runs. `simulated`: only runs of simulated beacons, or only others.
    package func latestRun(
        of tray: String?, for order: String? = nil, simulated: Bool = false
    ) async throws(JournalError) -> RunSummary? {
        try await summaries(
            """
            WHERE tray IS ? AND order_number IS ifnull(?, order_number) AND simulated = ? AND NOT single
            ORDER BY id DESC LIMIT 1
            """, [tray, order, simulated]
        ).first
    }

    /// The runs of the tray file `tray` for the work order `order` with a unit that was changed, does not have its
    /// firmware, and did not get it in a later run. The earliest first.
    package func runsLeavingUnits(
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

    /// The runs over trays that can be continued, the latest first: of each tray the latest run, if a unit of it has no
    /// verdict, was aborted or ended with a bench error, or if its last session has not ended.
    package func unfinishedRuns() async throws(JournalError) -> [RunSummary] {
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
    package func runs(limit: Int) async throws(JournalError) -> [RunSummary] {
        try await summaries("WHERE NOT single ORDER BY id DESC LIMIT ?", [limit])
    }

    /// The runs whose ids begin with `text`, in hexadecimal digits and `-`; the latest first.
    package func runs(beginning text: String) async throws(JournalError) -> [RunSummary] {
        let text = text.lowercased()
        return try await summaries("WHERE uuid >= ? AND uuid < ? ORDER BY id DESC", [text, text + "g"])
    }

    private func summaries(
        _ condition: String, _ arguments: StatementArguments = []
    ) async throws(JournalError) -> [RunSummary] {
        try await connection.read { database in
            try Fields.all(database, "SELECT id, record, began FROM run " + condition, arguments).map { row in
                let run = try row.integer(0)
                var counts: [UnitStatus: Int] = [:]
                let groups = "SELECT outcome, count(*) FROM unit WHERE run = ? GROUP BY outcome"
                for group in try Fields.all(database, groups, [run]) {
                    let name = try group.textIfAny(0)
                    let outcome = name.flatMap { UnitOutcome(rawValue: $0) }
                    guard name == nil || outcome != nil else { throw DamagedRow("an outcome is unknown") }
                    counts[UnitStatus(outcome)] = Int(try group.integer(1))
                }
                return RunSummary(run: try row.record(1), began: try row.time(2), counts: counts)
            }
        }
    }
}

extension Fields {
    func record<Record: Decodable>(_ index: Int) throws -> Record { try Self.record(try text(index)) }

    /// The unit in the column `index`, with the verdict from the column `verdict`.
    func unit(_ index: Int, verdict: Int) throws -> UnitRecord {
        var unit: UnitRecord = try record(index)
        unit.verdict = try textIfAny(verdict).map { try Self.record($0) }
        return unit
    }

    private static func record<Record: Decodable>(_ text: String) throws -> Record {
        do { return try JSONDecoder().decode(Record.self, from: Data(text.utf8)) } catch {
            throw DamagedRow("a record cannot be read")
        }
    }
}

/// A run and its progress, without its units.
package struct RunSummary: Hashable, Sendable {
    /// The run, without sessions, holds and units.
    package let run: TrayRecord
    /// When its first session began.
    package let began: RecordedTime
    /// The number of units with each status, as ``UnitCounts/byStatus`` of the run's record.
    package let counts: [UnitStatus: Int]

    package var open: Int { counts[.waiting] ?? 0 }
}
