import GRDB
public import Tray

extension Journal {
    /// The whole record of the run `id`; nil if there is none.
    public func record(of id: String) async throws(JournalError) -> TrayRecord? {
        try await connection.read { database in
            guard
                let row = try Fields.all(database, "SELECT id, record FROM run WHERE uuid = ?", [id]).first
            else { return nil }
            let run = try row.integer(0)
            var record: TrayRecord = try RecordText.read(row.text(1))
            record.sessions = try Self.records("session", of: run, database)
            record.holds = try Self.records("hold", of: run, database)
            record.units = try Self.units(of: run, database)
            return record
        }
    }

    /// The changes announced for the unit in `slot` of the run `id`, in their order, each with the number of its
    /// attempt.
    public func changes(
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
                    at: RecordedTime(milliseconds: try row.integer(6)))
                return (Int(try row.integer(0)), change)
            }
        }
    }

    private static func records<Record: Decodable>(
        _ table: String, of run: Int64, _ database: Database
    ) throws -> [Record] {
        try Fields.all(database, "SELECT record FROM \(table) WHERE run = ? ORDER BY number", [run])
            .map { try RecordText.read($0.text(0)) }
    }

    private static func units(of run: Int64, _ database: Database) throws -> [UnitRecord] {
        var attempts: [Int64: [AttemptRecord]] = [:]
        let all = """
            SELECT attempt.unit, attempt.record FROM unit JOIN attempt ON attempt.unit = unit.id
            WHERE unit.run = ? ORDER BY attempt.unit, attempt.number
            """
        for row in try Fields.all(database, all, [run]) {
            attempts[try row.integer(0), default: []].append(try RecordText.read(row.text(1)))
        }
        let units = "SELECT id, record, verdict FROM unit WHERE run = ? ORDER BY id"
        return try Fields.all(database, units, [run]).map { row in
            var unit: UnitRecord = try RecordText.read(row.text(1))
            unit.verdict = try row.textIfAny(2).map { try RecordText.read($0) }
            unit.attempts = attempts[try row.integer(0)] ?? []
            return unit
        }
    }
}
