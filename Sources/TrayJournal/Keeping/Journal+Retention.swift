import GRDB
public import Tray

extension Journal {
    /// Deletes the runs that began before `moment`, with all that belongs to them, and gives their room back. How many there were.
    ///
    /// A run stays while something of it has to be sent, or was refused and not decided on. To be called of a journal that was
    /// opened for a run: then none is going on.
    public func deleteRuns(before moment: RecordedTime) async throws(JournalError) -> Int {
        let count = try await connection.write { database in
            try database.execute(
                sql: """
                    DELETE FROM run WHERE began < ? AND id NOT IN
                      (SELECT run FROM outbox WHERE state IN ('waiting', 'sent', 'refused') AND run IS NOT NULL)
                    """, arguments: [moment.milliseconds])
            return database.changesCount
        }
        try await connection.execute("PRAGMA incremental_vacuum")
        return count
    }

    /// How many runs began before `moment`, and how many of them have to stay for what is in the outbox.
    public func runs(
        before moment: RecordedTime
    ) async throws(JournalError) -> (all: Int, kept: Int) {
        try await connection.read { database in
            let row = try Fields.one(
                database,
                """
                SELECT count(*), ifnull(sum(id IN (SELECT run FROM outbox WHERE state IN ('waiting', 'sent', 'refused'))), 0)
                FROM run WHERE began < ?
                """, [moment.milliseconds])
            return (Int(try row.integer(0)), Int(try row.integer(1)))
        }
    }
}
