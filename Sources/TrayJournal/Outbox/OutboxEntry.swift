import Bytes
import GRDB
import Tray

/// A message to a receiver: delivered at least once, and in the order in which it was written.
public struct OutboxEntry: Hashable, Sendable {
    /// The receiver: rows of one kind wait for each other, rows of different kinds do not.
    public var kind: String
    /// Identifies its content, unique within a kind, however often it is sent.
    public var key: String
    /// The content.
    public var body: String

    /// Creates an entry with these values.
    public init(kind: String, key: String, body: String) {
        (self.kind, self.key, self.body) = (kind, key, body)
    }

    /// The SHA-256 of the body's UTF-8 in lower-case hexadecimal.
    var digest: String { HexText.encode(SHA256Digest.digest(body.utf8)) }

    /// Adds it with the next number, unless it exists.
    func put(of run: Int64, at moment: RecordedTime, _ database: Database, _ path: String) throws {
        let found = try Fields.all(
            database, "SELECT body_sha256 FROM outbox WHERE kind = ? AND key = ?", [kind, key]
        ).first
        if let found {
            guard try found.text(0) == digest else {
                let flaw = "'\(key)' is in the outbox of '\(kind)' with different content"
                throw JournalError(.contradiction(flaw), at: path)
            }
            return
        }
        try database.execute(sql: "UPDATE journal SET sequence = sequence + 1")
        try database.execute(
            sql: """
                INSERT INTO outbox_kind (kind, number) VALUES (?, 1)
                ON CONFLICT DO UPDATE SET number = number + 1
                """, arguments: [kind])
        try database.execute(
            sql: """
                INSERT INTO outbox (sequence, number, kind, key, run, made, body, body_sha256, due)
                SELECT journal.sequence, outbox_kind.number, kind, ?, ?, ?, ?, ?, ?
                FROM journal, outbox_kind WHERE kind = ?
                """,
            arguments: [key, run, moment.milliseconds, body, digest, moment.milliseconds, kind])
    }
}
