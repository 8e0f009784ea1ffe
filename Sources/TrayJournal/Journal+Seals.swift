import GRDB
package import Tray

extension Journal {
    /// The newest recorded seal of the key with the fingerprint `key`; nil if there is none.
    package func newestSeal(of key: String) async throws(JournalError) -> SeenSeal? {
        try await connection.read { database in
            try Fields.all(database, "SELECT counter, content, seen FROM seal WHERE key = ?", [key]).first
                .map { row in
                    SeenSeal(counter: try row.integer(0), content: try row.text(1), seen: try row.time(2))
                }
        }
    }

    /// Records a seal of the key with the fingerprint `key`, unless the recorded one is as new or newer.
    package func note(_ seal: SeenSeal, of key: String) async throws(JournalError) {
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

/// The newest catalogue seal of a signing key that a journal knows.
package struct SeenSeal: Hashable, Sendable {
    /// The number of the signing with this key: later seals have higher numbers.
    package let counter: Int64
    /// The SHA-256 of the signed content without its expiry, in lower-case hexadecimal.
    package let content: String
    package let seen: RecordedTime

    package init(counter: Int64, content: String, seen: RecordedTime) {
        (self.counter, self.content, self.seen) = (counter, content, seen)
    }
}
