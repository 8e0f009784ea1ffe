import FoundationEssentials
import GRDB
package import Tray
import UpdateModel

/// The part of a journal that one run writes. Each call is one transaction, which is on the disk when it returns.
///
/// Calls run in their order and to completion: cancelling the task, for example with Ctrl-C, does not undo a call. A
/// call that fails has changed nothing; after it, the caller must not change a device.
package struct JournalledRun: Sendable {
    package let id: String
    package let journal: Journal
    /// The run's `id` in the table `run`.
    let row: Int64

    /// Records the start, the progress or the end of a session.
    package func note(_ session: TrayRecord.Session) async throws(JournalError) {
        try await write { try $0.put(session) }
    }

    /// Records the identity of a unit, without its attempts and verdict.
    package func note(_ unit: UnitRecord) async throws(JournalError) { try await write { try $0.put(unit) } }

    /// Records that a hold has begun, or that the latest one, with the same beginning, was released.
    package func note(_ hold: TrayRecord.Hold) async throws(JournalError) {
        try await write { try $0.put(hold) }
    }

    package func begin(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await write { try $0.begin(attempt, of: slot) }
    }

    /// Records a change that is about to be made to the unit in `slot`, in its attempt number `attempt`, which must not
    /// have ended. Make the change only after this call has returned.
    package func willChange(
        _ change: ChangeRecord, in attempt: Int, of slot: String
    ) async throws(JournalError) {
        try await write { rows in
            try rows.execute(
                """
                INSERT INTO change (attempt, at, step, address, part, parts, sha256)
                SELECT attempt.id, ?, ?, ?, ?, ?, ? FROM attempt JOIN unit ON unit.id = attempt.unit
                WHERE unit.run = ? AND unit.slot = ? AND attempt.number = ? AND attempt.outcome IS NULL
                """,
                [
                    change.at.milliseconds, change.step.rawValue, change.address, change.part, change.parts,
                    change.sha256, rows.run, slot, attempt,
                ], orElse: "attempt \(attempt) of slot '\(slot)' is not under way")
        }
    }

    /// Records the progress or the end of an attempt at the unit in `slot`.
    package func note(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await write { try $0.put(attempt, of: slot) }
    }

    /// Records a unit's verdict, with the attempt that ended it and the entries for the outbox: all of it or nothing.
    /// An outbox entry that exists with the same body does not change.
    package func close(
        _ slot: String, _ verdict: UnitVerdict, ending attempt: AttemptRecord? = nil,
        outbox: [OutboxEntry] = [], at moment: RecordedTime
    ) async throws(JournalError) {
        try await write { rows in
            if let attempt { try rows.put(attempt, of: slot) }
            try rows.close(slot, verdict, at: moment)
            for entry in outbox { try rows.put(entry, at: moment) }
        }
    }

    /// Deletes the verdicts of the units in `slots`, which are tried again.
    package func reopen(_ slots: [String]) async throws(JournalError) {
        try await write { rows in
            for slot in slots {
                try rows.execute(
                    """
                    UPDATE unit SET outcome = NULL, code = NULL, verdict = NULL, closed = NULL
                    WHERE run = ? AND slot = ?
                    """, [rows.run, slot], orElse: "the run has no slot '\(slot)'")
            }
        }
    }

    package func note(_ claims: [ClaimRecord]) async throws(JournalError) {
        try await write { rows in
            for claim in claims {
                try rows.put(
                    "claim", ["run": rows.run, "slot": claim.slot],
                    [
                        "order_number": claim.order, "unit": claim.unit, "epoch": claim.epoch,
                        "boot": claim.boot, "lease_end": claim.leaseEnd,
                    ])
            }
        }
    }

    package func claims() async throws(JournalError) -> [String: ClaimRecord] {
        try await journal.connection.read { [row] database in
            let rows = try Fields.all(
                database,
                "SELECT slot, order_number, unit, epoch, boot, lease_end FROM claim WHERE run = ?", [row])
            let claims = try rows.map { row in
                ClaimRecord(
                    slot: try row.text(0), order: try row.text(1), unit: try row.text(2),
                    epoch: try row.integer(3), boot: try row.text(4), leaseEnd: try row.integerIfAny(5))
            }
            return Dictionary(claims.map { ($0.slot, $0) }) { first, _ in first }
        }
    }

    private func write(_ body: @escaping @Sendable (RunRows) throws -> Void) async throws(JournalError) {
        try await journal.connection.write { [row, path = journal.path] database in
            try body(RunRows(run: row, database: database, path: path))
        }
    }
}

/// The rows of one run, in a transaction of `database`.
struct RunRows {
    let run: Int64
    let database: Database
    /// The journal's file, for errors.
    let path: String

    /// Executes a statement; throws `flaw`, if given, if the statement has changed no row.
    func execute(_ sql: String, _ arguments: StatementArguments = [], orElse flaw: String? = nil) throws {
        try database.execute(sql: sql, arguments: arguments)
        if let flaw, database.changesCount == 0 { throw JournalError(.contradiction(flaw), at: path) }
    }

    /// Adds a row with the values of `fixed` and `changing`; if a row has the same key, sets its values of `changing`.
    func put(
        _ table: String, _ fixed: KeyValuePairs<String, (any DatabaseValueConvertible)?>,
        _ changing: KeyValuePairs<String, (any DatabaseValueConvertible)?>
    ) throws {
        let all = Array(fixed) + Array(changing)
        let marks = all.map { _ in "?" }.joined(separator: ", ")
        let changes = changing.map { "\($0.key) = excluded.\($0.key)" }.joined(separator: ", ")
        try execute(
            """
            INSERT INTO \(table) (\(all.map(\.key).joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT DO UPDATE SET \(changes)
            """, StatementArguments(all.map(\.value)))
    }

    func put(_ session: TrayRecord.Session) throws {
        try put(
            "session", ["run": run, "number": session.number, "began": session.began.milliseconds],
            ["ended": session.ended?.milliseconds, "record": try RecordText.of(session)])
    }

    func put(_ hold: TrayRecord.Hold) throws {
        let record = try RecordText.of(hold)
        try execute(
            """
            UPDATE hold SET released = ?, record = ?
            WHERE run = ? AND began = ? AND number = (SELECT max(number) FROM hold WHERE run = ?)
            """, [hold.released?.milliseconds, record, run, hold.began.milliseconds, run])
        guard database.changesCount == 0 else { return }
        try execute(
            """
            INSERT INTO hold (run, number, began, released, code, record)
            SELECT ?, ifnull(max(number), 0) + 1, ?, ?, ?, ? FROM hold WHERE run = ?
            """, [run, hold.began.milliseconds, hold.released?.milliseconds, hold.code, record, run])
    }

    func put(_ unit: UnitRecord) throws {
        var identity = unit
        (identity.attempts, identity.verdict) = ([], nil)
        try put(
            "unit", ["run": run, "slot": unit.slot],
            [
                "device": unit.device, "address": unit.address, "identifier": unit.identifier,
                "name": unit.name, "record": try RecordText.of(identity),
            ])
    }

    func begin(_ attempt: AttemptRecord, of slot: String) throws {
        try execute(
            """
            INSERT INTO attempt (unit, number, session, began, address, adapter, record)
            VALUES ((SELECT id FROM unit WHERE run = ? AND slot = ?), ?, ?, ?, ?, ?, '')
            """,
            [
                run, slot, attempt.number, attempt.session, attempt.began.milliseconds, attempt.address,
                attempt.adapter,
            ])
        try put(attempt, of: slot)
    }

    func put(_ attempt: AttemptRecord, of slot: String) throws {
        try execute(
            """
            UPDATE attempt SET address = ?, adapter = ?, file = ?, sha256 = ?, version_before = ?, version_after = ?,
              verified = ?, outcome = ?, code = ?, record = ?
            WHERE number = ? AND unit = (SELECT id FROM unit WHERE run = ? AND slot = ?)
            """,
            [
                attempt.address, attempt.adapter, attempt.firmware?.path, attempt.firmware?.sha256,
                attempt.versionBefore, attempt.versionAfter, attempt.verified,
                attempt.verdict?.outcome.rawValue, attempt.verdict?.code, try RecordText.of(attempt),
                attempt.number, run, slot,
            ], orElse: "attempt \(attempt.number) of slot '\(slot)' has not begun")
    }

    func close(_ slot: String, _ verdict: UnitVerdict, at moment: RecordedTime) throws {
        try execute(
            "UPDATE unit SET outcome = ?, code = ?, verdict = ?, closed = ? WHERE run = ? AND slot = ?",
            [
                verdict.outcome.rawValue, verdict.code, try RecordText.of(verdict), moment.milliseconds, run,
                slot,
            ], orElse: "the run has no slot '\(slot)'")
    }

    /// Adds an entry to the outbox with the next numbers; does nothing if the entry exists with the same body.
    func put(_ entry: OutboxEntry, at moment: RecordedTime) throws {
        let (kind, key, digest) = (entry.kind, entry.key, entry.digest)
        let found = try Fields.all(
            database, "SELECT body_sha256 FROM outbox WHERE kind = ? AND key = ?", [kind, key]
        ).first
        if let found {
            if try found.text(0) == digest { return }
            let flaw = "'\(key)' is in the outbox of '\(kind)' with different content"
            throw JournalError(.contradiction(flaw), at: path)
        }
        try execute("UPDATE journal SET sequence = sequence + 1")
        try execute(
            """
            INSERT INTO outbox_kind (kind, number) VALUES (?, 1) ON CONFLICT DO UPDATE SET number = number + 1
            """, [kind])
        try execute(
            """
            INSERT INTO outbox (sequence, number, kind, key, run, made, body, body_sha256, due)
            SELECT journal.sequence, outbox_kind.number, kind, ?, ?, ?, ?, ?, ?
            FROM journal, outbox_kind WHERE kind = ?
            """, [key, run, moment.milliseconds, entry.body, digest, moment.milliseconds, kind])
    }
}

/// The text of a record as stored in a row.
enum RecordText {
    static func of(_ record: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(record), as: UTF8.self)
    }
}

extension Journal {
    /// Records that a run has begun, with the content of `record`: its sessions, its units and their results.
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
            let rows = RunRows(run: database.lastInsertedRowID, database: database, path: path)
            for session in record.sessions { try rows.put(session) }
            for hold in record.holds { try rows.put(hold) }
            for unit in record.units {
                try rows.put(unit)
                for attempt in unit.attempts { try rows.begin(attempt, of: unit.slot) }
                guard let verdict = unit.verdict else { continue }
                try rows.close(unit.slot, verdict, at: began)
            }
            return rows.run
        }
        return JournalledRun(id: record.id, journal: self, row: row)
    }

    package func run(_ id: String) async throws(JournalError) -> JournalledRun? {
        let row = try await connection.read {
            try Int64.fetchOne($0, sql: "SELECT id FROM run WHERE uuid = ?", arguments: [id])
        }
        return row.map { JournalledRun(id: id, journal: self, row: $0) }
    }
}
