import GRDB
public import Tray

/// The newest seal of a catalogue that a key has signed, as far as a journal knows.
public struct SeenSeal: Hashable, Sendable {
    /// How often the key's owner had signed: later seals have higher numbers.
    public let counter: Int64
    /// The SHA-256 of what was signed, its expiry left out, in lower-case hexadecimal.
    public let content: String
    /// When it was seen first.
    public let seen: RecordedTime

    /// A seal as described.
    public init(counter: Int64, content: String, seen: RecordedTime) {
        (self.counter, self.content, self.seen) = (counter, content, seen)
    }
}

extension Journal {
    /// The newest seal of the key with the fingerprint `key` that was noted; nil where none was.
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

    /// Notes a seal of the key with the fingerprint `key`. One that is newer, or as new, stays.
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
