import GRDB
package import Tray

extension Journal {
    /// Records that a run has begun, with the content of `record`: its first session, its units and their results.
    package func begin(_ record: TrayRecord) async throws(JournalError) -> JournalledRun {
        let row = try await connection.write { [path] database in
            var header = record
            (header.sessions, header.holds, header.units) = ([], [], [])
            let began = record.sessions.first?.began ?? .now
            try database.execute(
                sql: """
                    INSERT INTO run (uuid, began, tray, station, operator, order_number, simulated, single, record)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    record.id, began.milliseconds, record.tray, record.station, record.operatorName,
                    record.orderNumber, record.isSimulated == true, record.isSingle == true,
                    try RecordText.of(header),
                ])
            let run = database.lastInsertedRowID
            for session in record.sessions { try JournalledRun.put(session, of: run, database) }
            for hold in record.holds { try JournalledRun.put(hold, of: run, database) }
            for unit in record.units {
                try JournalledRun.put(unit, of: run, database)
                for attempt in unit.attempts {
                    try JournalledRun.begin(attempt, of: unit.slot, run, database)
                }
                guard let verdict = unit.verdict else { continue }
                try JournalledRun.close(unit.slot, verdict, at: began, run, database, path)
            }
            return run
        }
        return JournalledRun(id: record.id, journal: self, row: row)
    }

    /// The run `id`, to continue it; nil if there is none.
    package func run(_ id: String) async throws(JournalError) -> JournalledRun? {
        let row = try await connection.read {
            try Int64.fetchOne($0, sql: "SELECT id FROM run WHERE uuid = ?", arguments: [id])
        }
        return row.map { JournalledRun(id: id, journal: self, row: $0) }
    }
}
