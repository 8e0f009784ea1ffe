import GRDB

extension JournalledRun {
    /// Records the claims under which units are updated from now on.
    public func note(_ claims: [ClaimRecord]) async throws(JournalError) {
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

    /// The recorded claims of the run, by slot.
    public func claims() async throws(JournalError) -> [String: ClaimRecord] {
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
