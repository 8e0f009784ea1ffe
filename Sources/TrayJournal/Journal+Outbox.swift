import Bytes
import GRDB
package import Tray

extension Journal {
    /// The next entries of `kind` to send: the oldest `limit` ones that were not acknowledged, refused or dropped.
    package func next(_ limit: Int, inOutboxOf kind: String) async throws(JournalError) -> [OutboxRow] {
        try await rows(
            "WHERE kind = ? AND state IN ('waiting', 'sent') ORDER BY sequence LIMIT ?", [kind, limit])
    }

    /// The state of the outbox of `kind`. `last`: the last number given to a row. `open`: how many rows wait, or were sent
    /// without an answer. `since`: when the oldest of these was written; nil if there is none.
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
    package func recordAnswers(
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

    package func recordAnswer(
        _ sequence: Int64, _ answer: OutboxAnswer, at moment: RecordedTime
    ) async throws(JournalError) { try await recordAnswers([(sequence, answer)], at: moment) }

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

    private func rows(
        _ condition: String, _ arguments: StatementArguments
    ) async throws(JournalError) -> [OutboxRow] {
        try await connection.read { database in
            try Fields.all(database, OutboxRow.query + " " + condition, arguments).map(OutboxRow.init)
        }
    }

    private func decide(
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
    fileprivate func columns(at moment: RecordedTime) -> (values: String, arguments: StatementArguments) {
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

package struct OutboxRow: Hashable, Sendable {
    /// The row's number over all kinds, from 1 in each journal.
    package let sequence: Int64
    /// The row's number within its kind, in the order of `sequence`: from 1 in each journal, without gaps. 0 for rows
    /// that were settled before the journal got a new identity.
    package let number: Int64
    package let entry: OutboxEntry
    package let run: String?
    package let made: RecordedTime
    package let state: OutboxState
    package let tries: Int
    /// The row is not sent before this time.
    package let due: RecordedTime
    package let settled: RecordedTime?
    package let lastError: String?

    fileprivate init(_ row: Fields) throws {
        guard let state = OutboxState(rawValue: try row.text(7)) else {
            throw DamagedRow("a state is unknown")
        }
        sequence = try row.integer(0)
        entry = OutboxEntry(kind: try row.text(1), key: try row.text(2), body: try row.text(3))
        guard entry.digest == (try row.text(4)) else {
            throw DamagedRow("a body is not the one that was written")
        }
        run = try row.textIfAny(5)
        made = try row.time(6)
        self.state = state
        tries = Int(try row.integer(8))
        due = try row.time(9)
        settled = try row.timeIfAny(10)
        lastError = try row.textIfAny(11)
        number = try row.integer(12)
    }

    /// The query for the columns that `init` reads.
    fileprivate static let query = """
        SELECT sequence, kind, key, body, body_sha256, run.uuid, made, state, tries, due, settled, last_error,
          number
        FROM outbox LEFT JOIN run ON run.id = outbox.run
        """
}

package enum OutboxState: String, CaseIterable, Codable, Sendable {
    /// The row has not been sent, or a try has failed; it is sent when it is due.
    case waiting
    /// The row was sent, and no answer is known: it is sent again.
    case sent
    case acknowledged
    /// The row was refused permanently and set aside: later entries are sent.
    case refused
    /// The operator has decided not to send the row.
    case dropped

    package var isOpen: Bool { self == .waiting || self == .sent }
}

package enum OutboxAnswer: Hashable, Sendable {
    case acknowledged
    /// The try has failed for this reason: send the row again, not before `due`.
    case retry(String, due: RecordedTime)
    /// The row will never be accepted, for this reason.
    case refused(String)
}

/// A message to a receiver: delivered at least once, and in the order in which it was written.
package struct OutboxEntry: Hashable, Sendable {
    /// The receiver. Rows of one kind wait for each other, rows of different kinds do not.
    package var kind: String
    /// Identifies the content: unique within a kind, and the same however often the entry is sent.
    package var key: String
    package var body: String

    package init(kind: String, key: String, body: String) {
        (self.kind, self.key, self.body) = (kind, key, body)
    }

    /// The SHA-256 of the body's UTF-8 in lower-case hexadecimal.
    var digest: String { SHA256Digest.text(of: body.utf8) }
}
