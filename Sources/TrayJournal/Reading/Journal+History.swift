import GRDB
public import Identity
import Tray

extension Journal {
    /// At most `limit` attempts that match `query`, the latest first; only those before the one with the number
    /// `before`. For the next page, pass the last one's number.
    public func history(
        _ query: HistoryQuery, before: Int64? = nil, limit: Int
    ) async throws(JournalError) -> [HistoryRow] {
        let (sql, arguments) = Self.statement(query, before: before, limit: limit)
        return try await connection.read { database in
            try Fields.all(database, sql, arguments).map { row in
                var unit: UnitRecord = try RecordText.read(row.text(2))
                unit.verdict = try row.textIfAny(3).map { try RecordText.read($0) }
                return HistoryRow(
                    number: try row.integer(0), run: try RecordText.read(row.text(1)), unit: unit,
                    attempt: try RecordText.read(row.text(4)))
            }
        }
    }

    /// The beacon's latest passed attempt, if it was with the file with this SHA-256; nil otherwise. Runs of simulated
    /// beacons and of real ones are kept apart.
    public func pass(
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
}
