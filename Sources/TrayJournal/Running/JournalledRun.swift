import GRDB
public import Tray

/// The part of a journal that one run writes. Each call is one transaction, which is on the disk when it returns.
///
/// Calls run in their order and to completion: cancelling the task, for example with Ctrl-C, does not undo a call. A
/// call that fails has changed nothing, and the caller must not change a device.
public struct JournalledRun: Sendable {
    /// The run's id.
    public let id: String
    /// The journal of the run.
    public let journal: Journal
    let row: Int64

    /// Records the start, the progress or the end of a session.
    public func note(_ session: TrayRecord.Session) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(session, of: row, $0) }
    }

    /// Records the identity of a unit, which was unknown or less complete. Attempts and verdicts have calls of their
    /// own.
    public func note(_ unit: UnitRecord) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(unit, of: row, $0) }
    }

    /// Records that no further unit starts, or that the hold that began then was released.
    public func note(_ hold: TrayRecord.Hold) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(hold, of: row, $0) }
    }

    /// Records that an attempt at the unit in `slot` begins.
    public func begin(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.begin(attempt, of: slot, row, $0) }
    }

    /// Records a change that is about to be made to the unit in `slot`, in the attempt `attempt`, which has not ended.
    /// Await this before the change.
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

    /// Records the progress or the end of an attempt at the unit in `slot`.
    public func note(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            try Self.put(attempt, of: slot, row, database, journal.path)
        }
    }

    /// Records a unit's verdict, with the attempt that ended it and the entries for the outbox: all of it or nothing.
    /// An outbox entry that exists with the same body does not change.
    public func close(
        _ slot: String, _ verdict: UnitVerdict, ending attempt: AttemptRecord? = nil,
        outbox: [OutboxEntry] = [],
        at moment: RecordedTime
    ) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            if let attempt { try Self.put(attempt, of: slot, row, database, journal.path) }
            try Self.close(slot, verdict, at: moment, row, database, journal.path)
            for entry in outbox { try entry.put(of: row, at: moment, database, journal.path) }
        }
    }

    /// Withdraws the verdicts of the units in `slots`, which are tried again.
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
