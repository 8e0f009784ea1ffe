import Bytes
import GRDB
package import Tray

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

    init(_ row: Fields) throws {
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
    static let query = """
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
    var digest: String { HexText.encode(SHA256Digest.digest(body.utf8)) }
}
