import GRDB
package import Tray

extension Journal {
    private static let undelivered = """
        (id IN (SELECT run FROM outbox WHERE state IN ('waiting', 'sent', 'refused') AND run IS NOT NULL))
        """
    /// The condition for a single update that may still be running: `flash` does not take the journal's lock.
    private static let unfinished =
        "(single AND began > ? AND id IN (SELECT run FROM session WHERE ended IS NULL))"

    /// This moment yesterday, in milliseconds since 1970.
    private static var yesterday: Int64 { RecordedTime.now.milliseconds - 86_400_000 }

    /// Deletes the runs that began before `moment`, with all their rows, and frees their space. Returns the number of
    /// runs. Keeps runs that `OldRuns` counts as undelivered or unfinished. The journal must have been opened for a run,
    /// so that no other run over a tray is active.
    package func deleteRuns(before moment: RecordedTime) async throws(JournalError) -> Int {
        let count = try await connection.write { database in
            try database.execute(
                sql: "DELETE FROM run WHERE began < ? AND NOT \(Self.undelivered) AND NOT \(Self.unfinished)",
                arguments: [moment.milliseconds, Self.yesterday])
            return database.changesCount
        }
        try await connection.execute("PRAGMA incremental_vacuum")
        return count
    }

    package func runs(before moment: RecordedTime) async throws(JournalError) -> OldRuns {
        return try await connection.read { database in
            let row = try Fields.one(
                database,
                """
                SELECT count(*), ifnull(sum(\(Self.undelivered)), 0), ifnull(sum(NOT \(Self.undelivered) AND \(Self.unfinished)), 0)
                FROM run WHERE began < ?
                """, [Self.yesterday, moment.milliseconds])
            return OldRuns(
                all: Int(try row.integer(0)), undelivered: Int(try row.integer(1)),
                unfinished: Int(try row.integer(2)))
        }
    }
}

/// How many runs began before a moment, and how many of them have to stay.
package struct OldRuns: Hashable, Sendable {
    package let all: Int
    /// Runs with outbox entries that are still to be sent, or that were refused and not dropped.
    package let undelivered: Int
    /// Of the other runs, single updates that began within the last day and have no end: they may still be running.
    package let unfinished: Int
}
