import GRDB
public import Tray

/// How many runs began before a moment, and how many of them have to stay.
public struct OldRuns: Hashable, Sendable {
    /// All of them.
    public let all: Int
    /// Runs with entries that are still to be sent, or were refused and not decided on.
    public let undelivered: Int
    /// Of the others, single updates that began within the last day and have no end: they may still be running.
    public let unfinished: Int
}

extension Journal {
    private static let undelivered = """
        (id IN (SELECT run FROM outbox WHERE state IN ('waiting', 'sent', 'refused') AND run IS NOT NULL))
        """
    /// A single update works without the lock of the journal.
    private static let unfinished =
        "(single AND began > ? AND id IN (SELECT run FROM session WHERE ended IS NULL))"

    /// Deletes the runs that began before `moment`, with all their rows, and frees their space. Returns the number of
    /// runs.
    ///
    /// The runs that `OldRuns` counts stay. The journal must have been opened for a run: then no other run is active.
    public func deleteRuns(before moment: RecordedTime) async throws(JournalError) -> Int {
        let yesterday = RecordedTime.now.milliseconds - 86_400_000
        let count = try await connection.write { database in
            try database.execute(
                sql: "DELETE FROM run WHERE began < ? AND NOT \(Self.undelivered) AND NOT \(Self.unfinished)",
                arguments: [moment.milliseconds, yesterday])
            return database.changesCount
        }
        try await connection.execute("PRAGMA incremental_vacuum")
        return count
    }

    /// The runs that began before `moment`.
    public func runs(before moment: RecordedTime) async throws(JournalError) -> OldRuns {
        let yesterday = RecordedTime.now.milliseconds - 86_400_000
        return try await connection.read { database in
            let row = try Fields.one(
                database,
                """
                SELECT count(*), ifnull(sum(\(Self.undelivered)), 0), ifnull(sum(NOT \(Self.undelivered) AND \(Self.unfinished)), 0)
                FROM run WHERE began < ?
                """, [yesterday, moment.milliseconds])
            return OldRuns(
                all: Int(try row.integer(0)), undelivered: Int(try row.integer(1)),
                unfinished: Int(try row.integer(2)))
        }
    }
}
