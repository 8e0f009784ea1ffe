import GRDB
public import Tray

/// The part of a journal that one run writes. Each call is one transaction, on the disk when it returns.
///
/// In the order of the calls, and to the end: a task that is cancelled meanwhile, as by Ctrl-C, does not undo what it has asked
/// for. A call that fails has left nothing, and whoever wanted to change a device must not.
public struct JournalledRun: Sendable {
    /// The run's id.
    public let id: String
    /// Where it is written.
    public let journal: Journal
    let row: Int64

    /// Writes that a session has begun, how far it is, or that it has ended.
    public func note(_ session: TrayRecord.Session) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(session, of: row, $0) }
    }

    /// Writes who a unit is, which the journal did not know, or knew less of. Its attempts and its verdict have calls of their
    /// own.
    public func note(_ unit: UnitRecord) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(unit, of: row, $0) }
    }

    /// Writes that no further unit is begun, or that they are again: the hold that began then has been let go.
    public func note(_ hold: TrayRecord.Hold) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(hold, of: row, $0) }
    }

    /// Writes that an attempt at the unit in `slot` begins.
    public func begin(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.begin(attempt, of: slot, row, $0) }
    }

    /// Writes what is about to be done to the unit in `slot` in the attempt with the number `attempt`, which has not ended. To
    /// be awaited before it is done.
    public func willChange(_ change: ChangeRecord, in attempt: Int, of slot: String)
        async throws(JournalError)
    {
        try await journal.connection.write { [row] database in
            try database.execute(
                sql: """
                    INSERT INTO change (attempt, at, step, address, part, parts, sha256)
                    SELECT attempt.id, ?, ?, ?, ?, ?, ? FROM attempt JOIN unit ON unit.id = attempt.unit
                    WHERE unit.run = ? AND unit.slot = ? AND attempt.number = ? AND attempt.outcome IS NULL
                    """,
                arguments: [
                    change.at.milliseconds, change.step.rawValue, change.address, change.part, change.parts,
                    change.sha256, row, slot, attempt,
                ])
            try Self.expect(database, "attempt \(attempt) of slot '\(slot)' is not under way", journal.path)
        }
    }

    /// Writes how far an attempt at the unit in `slot` has come, or how it has ended.
    public func note(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            try Self.put(attempt, of: slot, row, database, journal.path)
        }
    }

    /// Writes how a unit's turn has ended, with the attempt that ended it and what others have to learn of it: all of it or
    /// nothing. An entry of the outbox that is there with the same body stays as it is.
    public func close(
        _ slot: String, _ verdict: Verdict, ending attempt: AttemptRecord? = nil, outbox: [OutboxEntry] = [],
        at moment: RecordedTime
    ) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            if let attempt { try Self.put(attempt, of: slot, row, database, journal.path) }
            try Self.close(slot, verdict, at: moment, row, database, journal.path)
            for entry in outbox { try entry.put(of: row, at: moment, database, journal.path) }
        }
    }

    /// Takes back that the turns of the units in `slots` have ended: they get another.
    public func reopen(_ slots: [String]) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            for slot in slots {
                try database.execute(
                    sql: """
                        UPDATE unit SET outcome = NULL, code = NULL, verdict = NULL, closed = NULL
                        WHERE run = ? AND slot = ?
                        """, arguments: [row, slot])
                try Self.expect(database, "the run has no slot '\(slot)'", journal.path)
            }
        }
    }
}
