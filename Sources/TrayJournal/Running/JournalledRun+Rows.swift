import GRDB
import Tray

extension JournalledRun {
    /// Throws `flaw` unless the last statement has changed a row.
    static func expect(_ database: Database, _ flaw: String, _ path: String) throws {
        guard database.changesCount > 0 else { throw JournalError(.contradiction(flaw), at: path) }
    }

    static func put(_ session: TrayRecord.Session, of run: Int64, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO session (run, number, began, ended, record) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET ended = excluded.ended, record = excluded.record
                """,
            arguments: [
                run, session.number, session.began.milliseconds, session.ended?.milliseconds,
                try RecordText.of(session),
            ])
    }

    static func put(_ hold: TrayRecord.Hold, of run: Int64, _ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE hold SET released = ?, record = ?
                WHERE run = ? AND began = ? AND number = (SELECT max(number) FROM hold WHERE run = ?)
                """,
            arguments: [
                hold.released?.milliseconds, try RecordText.of(hold), run, hold.began.milliseconds, run,
            ])
        guard database.changesCount == 0 else { return }
        try database.execute(
            sql: """
                INSERT INTO hold (run, number, began, released, code, record)
                SELECT ?, ifnull(max(number), 0) + 1, ?, ?, ?, ? FROM hold WHERE run = ?
                """,
            arguments: [
                run, hold.began.milliseconds, hold.released?.milliseconds, hold.code, try RecordText.of(hold),
                run,
            ])
    }

    /// Writes the identity of the unit, not its results.
    static func put(_ unit: UnitRecord, of run: Int64, _ database: Database) throws {
        var identity = unit
        identity.attempts = []
        identity.verdict = nil
        try database.execute(
            sql: """
                INSERT INTO unit (run, slot, device, address, identifier, name, record) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET device = excluded.device, address = excluded.address,
                  identifier = excluded.identifier, name = excluded.name, record = excluded.record
                """,
            arguments: [
                run, unit.slot, unit.device, unit.address, unit.identifier, unit.name,
                try RecordText.of(identity),
            ])
    }

    static func begin(_ attempt: AttemptRecord, of slot: String, _ run: Int64, _ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO attempt (unit, number, session, began, address, adapter, record)
                VALUES ((SELECT id FROM unit WHERE run = ? AND slot = ?), ?, ?, ?, ?, ?, '')
                """,
            arguments: [
                run, slot, attempt.number, attempt.session, attempt.began.milliseconds, attempt.address,
                attempt.adapter,
            ])
        try put(attempt, of: slot, run, database, "")
    }

    static func put(
        _ attempt: AttemptRecord, of slot: String, _ run: Int64, _ database: Database, _ path: String
    ) throws {
        try database.execute(
            sql: """
                UPDATE attempt SET address = ?, adapter = ?, file = ?, sha256 = ?, version_before = ?, version_after = ?,
                  verified = ?, outcome = ?, code = ?, record = ?
                WHERE number = ? AND unit = (SELECT id FROM unit WHERE run = ? AND slot = ?)
                """,
            arguments: [
                attempt.address, attempt.adapter, attempt.firmware?.path, attempt.firmware?.sha256,
                attempt.versionBefore, attempt.versionAfter, attempt.verified,
                attempt.verdict?.outcome.rawValue,
                attempt.verdict?.code, try RecordText.of(attempt), attempt.number, run, slot,
            ])
        try expect(database, "attempt \(attempt.number) of slot '\(slot)' has not begun", path)
    }

    static func close(
        _ slot: String, _ verdict: UnitVerdict, at moment: RecordedTime, _ run: Int64, _ database: Database,
        _ path: String
    ) throws {
        try database.execute(
            sql: "UPDATE unit SET outcome = ?, code = ?, verdict = ?, closed = ? WHERE run = ? AND slot = ?",
            arguments: [
                verdict.outcome.rawValue, verdict.code, try RecordText.of(verdict), moment.milliseconds, run,
                slot,
            ])
        try expect(database, "the run has no slot '\(slot)'", path)
    }
}
