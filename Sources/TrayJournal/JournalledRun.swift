import GRDB
package import Tray

/// The part of a journal that one run writes. Each call is one transaction, which is on the disk when it returns.
///
/// Calls run in their order and to completion: cancelling the task, for example with Ctrl-C, does not undo a call. A
/// call that fails has changed nothing, and the caller must not change a device.
package struct JournalledRun: Sendable {
    package let id: String
    package let journal: Journal
    let row: Int64

    /// Records the start, the progress or the end of a session.
    package func note(_ session: TrayRecord.Session) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(session, of: row, $0) }
    }

    /// Records the identity of a unit, which was unknown or less complete. Attempts and verdicts have calls of their
    /// own.
    package func note(_ unit: UnitRecord) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(unit, of: row, $0) }
    }

    /// Records that no further unit starts, or that the hold that began then was released.
    package func note(_ hold: TrayRecord.Hold) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.put(hold, of: row, $0) }
    }

    /// Records that an attempt at the unit in `slot` begins.
    package func begin(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] in try Self.begin(attempt, of: slot, row, $0) }
    }

    /// Records a change that is about to be made to the unit in `slot`, in the attempt `attempt`, which has not ended.
    /// Await this before the change.
    package func willChange(_ change: ChangeRecord, in attempt: Int, of slot: String)
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
    package func note(_ attempt: AttemptRecord, of slot: String) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            try Self.put(attempt, of: slot, row, database, journal.path)
        }
    }

    /// Records a unit's verdict, with the attempt that ended it and the entries for the outbox: all of it or nothing.
    /// An outbox entry that exists with the same body does not change.
    package func close(
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
    package func reopen(_ slots: [String]) async throws(JournalError) {
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

extension JournalledRun {
    /// Records the claims under which units are updated from now on.
    package func note(_ claims: [ClaimRecord]) async throws(JournalError) {
        try await journal.connection.write { [row] database in
            for claim in claims {
                try database.execute(
                    sql: """
                        INSERT INTO claim (run, slot, order_number, unit, epoch, boot, lease_end)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT DO UPDATE SET order_number = excluded.order_number, unit = excluded.unit,
                          epoch = excluded.epoch, boot = excluded.boot, lease_end = excluded.lease_end
                        """,
                    arguments: [
                        row, claim.slot, claim.order, claim.unit, claim.epoch, claim.boot, claim.leaseEnd,
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
}

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

/// The claim under which a unit is updated, so that a restarted program knows how long it has the unit.
package struct ClaimRecord: Hashable, Sendable {
    package var slot, order: String
    /// The unit's key in the order.
    package var unit: String
    package var epoch: Int64
    /// The boot of the machine in which `leaseEnd` is counted (`/proc/sys/kernel/random/boot_id`): in another boot it
    /// is meaningless.
    package var boot: String
    /// When the lease ends, in milliseconds of `CLOCK_BOOTTIME`; nil if it does not end.
    package var leaseEnd: Int64?

    package init(
        slot: String, order: String, unit: String, epoch: Int64, boot: String, leaseEnd: Int64?
    ) {
        (self.slot, self.order, self.unit, self.epoch, self.boot) = (slot, order, unit, epoch, boot)
        self.leaseEnd = leaseEnd
    }
}

/// A step that was announced, and from then on may have been taken.
package struct ChangeRecord: Hashable, Codable, Sendable {
    package var step: DeviceStep
    /// The device's address, with its kind after a slash.
    package var address: String
    /// The part to send or install, from 1; nil if there is only one.
    package var part: Int?
    /// The number of parts; nil if there is only one.
    package var parts: Int?
    /// The SHA-256 of the file, in lower-case hexadecimal.
    package var sha256: String?
    package var at: RecordedTime

    package init(
        _ step: DeviceStep, address: String, part: Int? = nil, of parts: Int? = nil, sha256: String? = nil,
        at: RecordedTime
    ) {
        (self.step, self.address, self.part, self.parts, self.sha256) = (step, address, part, parts, sha256)
        self.at = at
    }
}

package enum DeviceStep: String, CaseIterable, Codable, Sendable {
    case enterBootloader = "enter-bootloader"
    /// It is sent firmware, from the start or from where the transfer stopped.
    case update
    case activate
    case configure
}

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
