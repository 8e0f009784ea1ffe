import Bytes
import GRDB
package import Tray

extension Journal {
    /// The next entries of `kind` to send: the oldest `limit` ones that were not acknowledged, refused or dropped.
    package func next(_ limit: Int, inOutboxOf kind: String) async throws(JournalError) -> [OutboxRow] {
        try await rows(
            "WHERE kind = ? AND state IN ('waiting', 'sent') ORDER BY sequence LIMIT ?", [kind, limit])
    }

    /// `last`: the last number given to a row of `kind`. `open`: how many rows wait or were sent without an answer.
    /// `since`: when the oldest of these was written; nil if there is none.
    package func status(
        ofOutbox kind: String
    ) async throws(JournalError) -> (last: Int64, open: Int, since: RecordedTime?) {
        try await connection.read { database in
            let row = try Fields.one(
                database,
                """
                SELECT ifnull((SELECT number FROM outbox_kind WHERE kind = ?1), 0), count(*), min(made)
                FROM outbox WHERE kind = ?1 AND state IN ('waiting', 'sent')
                """, [kind])
            return (try row.integer(0), Int(try row.integer(1)), try row.timeIfAny(2))
        }
    }

    /// Marks the acknowledged and refused rows of `kind` with a number above `number` for sending again, because the
    /// receiver has lost them. Returns how many rows these are.
    package func resend(
        outbox kind: String, after number: Int64, at moment: RecordedTime
    ) async throws(JournalError) -> Int {
        try await decide(
            "state = 'waiting', due = ?, settled = NULL", [moment.milliseconds, kind, number],
            where: "kind = ? AND number > ? AND state IN ('acknowledged', 'refused')")
    }

    package func willSend(_ sequences: [Int64]) async throws(JournalError) {
        try await connection.write { database in
            for sequence in sequences {
                try database.execute(
                    sql: """
                        UPDATE outbox SET state = 'sent', tries = tries + 1
                        WHERE sequence = ? AND state IN ('waiting', 'sent')
                        """, arguments: [sequence])
            }
        }
    }

    /// Records the answers to sent rows: all of them or none.
    package func settle(
        _ answers: [(sequence: Int64, answer: OutboxAnswer)], at moment: RecordedTime
    ) async throws(JournalError) {
        try await connection.write { database in
            for (sequence, answer) in answers {
                let (values, arguments) = answer.columns(at: moment)
                try database.execute(
                    sql: "UPDATE outbox SET \(values) WHERE sequence = ? AND state IN ('waiting', 'sent')",
                    arguments: arguments + [sequence])
            }
        }
    }

    /// The next entry of `kind` to send: the oldest that was not acknowledged, refused or dropped. It may not be due
    /// yet; later entries wait for it.
    package func next(inOutboxOf kind: String) async throws(JournalError) -> OutboxRow? {
        try await next(1, inOutboxOf: kind).first
    }

    /// The oldest `limit` rows in `states` whose `sequence` is above this one.
    package func outbox(
        in states: Set<OutboxState>, after sequence: Int64 = 0, limit: Int
    ) async throws(JournalError) -> [OutboxRow] {
        let marks = states.map { _ in "?" }.joined(separator: ", ")
        return try await rows(
            "WHERE state IN (\(marks)) AND sequence > ? ORDER BY sequence LIMIT ?",
            StatementArguments(states.map(\.rawValue).sorted()) + [sequence, limit])
    }

    /// Records that a row is about to be sent: until its answer is recorded, it is not known whether it arrived.
    package func willSend(_ sequence: Int64) async throws(JournalError) { try await willSend([sequence]) }

    package func settle(
        _ sequence: Int64, _ answer: OutboxAnswer, at moment: RecordedTime
    ) async throws(JournalError) { try await settle([(sequence, answer)], at: moment) }

    /// Marks rows with `key` for sending now: those that wait, or were refused or dropped. `kind`: nil for all kinds.
    /// Returns how many rows these are.
    package func retry(
        _ key: String, of kind: String? = nil, at moment: RecordedTime
    ) async throws(JournalError) -> Int {
        try await decide(
            "state = 'waiting', due = ?, settled = NULL", [moment.milliseconds, key, kind],
            where: "key = ? AND kind = ifnull(?, kind) AND state IN ('waiting', 'refused', 'dropped')")
    }

    /// Drops rows with `key` that were not acknowledged. `kind`: nil for all kinds. Returns how many rows these are.
    package func drop(
        _ key: String, of kind: String? = nil, at moment: RecordedTime
    ) async throws(JournalError) -> Int {
        try await decide(
            "state = 'dropped', settled = ?", [moment.milliseconds, key, kind],
            where: "key = ? AND kind = ifnull(?, kind) AND state IN ('waiting', 'sent', 'refused')")
    }

    /// The kinds of the rows with `key` that were neither acknowledged nor dropped.
    package func kinds(ofOpen key: String) async throws(JournalError) -> Set<String> {
        Set(
            try await rows("WHERE key = ? AND state IN ('waiting', 'sent', 'refused')", [key])
                .map(\.entry.kind))
    }

    func rows(
        _ condition: String, _ arguments: StatementArguments
    ) async throws(JournalError) -> [OutboxRow] {
        try await connection.read { database in
            try Fields.all(database, OutboxRow.query + " " + condition, arguments).map(OutboxRow.init)
        }
    }

    func decide(
        _ values: String, _ arguments: StatementArguments, where condition: String
    ) async throws(JournalError) -> Int {
        try await connection.write { database in
            try database.execute(sql: "UPDATE outbox SET \(values) WHERE \(condition)", arguments: arguments)
            return database.changesCount
        }
    }
}

extension OutboxAnswer {
    /// The changes to a row. The reason is escaped: it may be foreign text, such as a hook's last line of output.
    func columns(at moment: RecordedTime) -> (values: String, arguments: StatementArguments) {
        switch self {
        case .acknowledged: ("state = 'acknowledged', settled = ?, last_error = NULL", [moment.milliseconds])
        case .retry(let why, let due):
            ("state = 'waiting', due = ?, last_error = ?", [due.milliseconds, VisibleText.escaped(why)])
        case .refused(let why):
            (
                "state = 'refused', settled = ?, last_error = ?",
                [moment.milliseconds, VisibleText.escaped(why)]
            )
        }
    }
}
