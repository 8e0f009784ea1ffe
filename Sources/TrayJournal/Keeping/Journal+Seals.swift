import GRDB
public import Tray

/// The newest catalogue seal of a signing key that a journal knows.
public struct SeenSeal: Hashable, Sendable {
    /// The signature counter of the key's owner: later seals have higher numbers.
    public let counter: Int64
    /// The SHA-256 of the signed content without its expiry, in lower-case hexadecimal.
    public let content: String
    /// When it was first seen.
    public let seen: RecordedTime

    /// Creates a seal with these values.
    public init(counter: Int64, content: String, seen: RecordedTime) {
        (self.counter, self.content, self.seen) = (counter, content, seen)
    }
}

extension Journal {
    /// The newest recorded seal of the key with the fingerprint `key`; nil if there is none.
    public func newestSeal(of key: String) async throws(JournalError) -> SeenSeal? {
        try await connection.read { database in
            try Fields.all(database, "SELECT counter, content, seen FROM seal WHERE key = ?", [key]).first
                .map { row in
                    SeenSeal(
                        counter: try row.integer(0), content: try row.text(1),
                        seen: RecordedTime(milliseconds: try row.integer(2)))
                }
        }
    }

    /// Records a seal of the key with the fingerprint `key`, unless the recorded one is as new or newer.
    public func note(_ seal: SeenSeal, of key: String) async throws(JournalError) {
        try await connection.write { database in
            try database.execute(
                sql: """
                    INSERT INTO seal (key, counter, content, seen) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET counter = excluded.counter, content = excluded.content,
                      seen = excluded.seen WHERE excluded.counter > seal.counter
                    """, arguments: [key, seal.counter, seal.content, seal.seen.milliseconds])
        }
    }
}
