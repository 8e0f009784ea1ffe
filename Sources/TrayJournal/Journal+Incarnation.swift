import Bluetooth
import Bytes
import FoundationEssentials
import GRDB
import Glibc
package import Tray

extension Journal {
    /// Writes a copy of the journal's current state to `target`, where no file may exist; also during a run, and also
    /// to a network share. The copy is a journal with a new incarnation. It is written completely or not at all.
    package func export(to target: String) async throws(JournalError) {
        let place = try JournalPlace(target, creating: false, onShares: true)
        let lock = try Self.lock(copy: place, for: target)
        defer { withExtendedLifetime(lock) {} }
        guard access(place.path, F_OK) != 0 else { throw .closed(EEXIST, place.path, at: target) }
        let draft = place.path + ".new"
        try JournalFiles.removeDraft(draft, of: place.path)
        do throws(JournalError) {
            try await connection.execute("VACUUM INTO ?", [draft])
            let copy = try JournalConnection(at: draft, for: .writing)
            defer { copy.close() }
            try copy.writeHere { database in
                try database.execute(
                    sql: "UPDATE journal SET incarnation = ?", arguments: [UUID().uuidString.lowercased()])
            }
        } catch {
            for end in ["", "-journal"] { unlink(draft + end) }
            switch error.problem {
            // The copy is made from what was read of the journal, and nobody else has the copy.
            case .damaged, .busy: throw JournalError(error.problem, at: path)
            default: throw JournalError(error.problem, at: target)
            }
        }
        try place.take(draft, for: target)
    }

    /// Keeps other programs of this machine from writing a copy with the same name: its draft has one name for all.
    private static func lock(copy place: JournalPlace, for target: String) throws(JournalError) -> NamedLock?
    {
        var status = stat()
        guard stat(place.folder, &status) == 0 else { throw .closed(errno, place.folder, at: target) }
        let name = CRC32.checksum(Array((place.path.split(separator: "/").last ?? "").utf8))
        do throws(NamedLock.Owner) {
            return try NamedLock.take("beacon-dfu/copy/\(status.st_dev)-\(status.st_ino)-\(name)")
        } catch { throw JournalError(.closed("it is being written by \(error)"), at: target) }
    }

    /// Gives this journal a new incarnation, as is needed for a copied file or a restored backup; returns it. The open
    /// entries of `kind` are numbered from 1 again. Refused entries are sent once more, since their number may have
    /// belonged to another entry. The journal must have been opened for a run; this object's `incarnation` does not
    /// change.
    package func reincarnate(numbering kind: String) async throws(JournalError) -> String {
        let new = UUID().uuidString.lowercased()
        try await connection.write { database in
            try database.execute(sql: "UPDATE journal SET incarnation = ?", arguments: [new])
            try database.execute(
                sql: """
                    UPDATE outbox SET state = 'waiting', settled = NULL WHERE kind = ? AND state = 'refused'
                    """, arguments: [kind])
            try database.execute(
                sql: """
                    UPDATE outbox SET number = CASE WHEN state IN ('acknowledged', 'dropped') THEN 0 ELSE
                      (SELECT count(*) FROM outbox AS earlier
                       WHERE earlier.kind = outbox.kind AND earlier.sequence <= outbox.sequence
                         AND earlier.state NOT IN ('acknowledged', 'dropped')) END
                    WHERE kind = ?
                    """, arguments: [kind])
            try database.execute(
                sql: """
                    UPDATE outbox_kind SET number = (SELECT ifnull(max(number), 0) FROM outbox WHERE kind = ?1)
                    WHERE kind = ?1
                    """, arguments: [kind])
        }
        return new
    }

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

    private static let undelivered = """
        (id IN (SELECT run FROM outbox WHERE state IN ('waiting', 'sent', 'refused') AND run IS NOT NULL))
        """
    /// The condition for a single update that may still be running: it works without the lock of the journal.
    private static let unfinished =
        "(single AND began > ? AND id IN (SELECT run FROM session WHERE ended IS NULL))"

    /// Deletes the runs that began before `moment`, with all their rows, and frees their space. Returns the number of
    /// runs.
    ///
    /// Keeps the runs that `OldRuns` counts as undelivered or unfinished. The journal must have been opened for a run,
    /// so that no other run over a tray is active.
    package func deleteRuns(before moment: RecordedTime) async throws(JournalError) -> Int {
        let yesterday = RecordedTime.now.milliseconds - 86_400_000
        let count = try await connection.write { database in
            try database.execute(
                sql: "DELETE FROM run WHERE began < ? AND NOT \(Self.undelivered) AND NOT \(Self.unfinished)",
                arguments: [moment.milliseconds, yesterday])
            return database.changesCount
        }
        try await connection.execute("PRAGMA incremental_vacuum")
        return count
    }

    package func runs(before moment: RecordedTime) async throws(JournalError) -> OldRuns {
        let yesterday = RecordedTime.now.milliseconds - 86_400_000
        return try await connection.read { database in
            let row = try Fields.one(
                database,
                """
                SELECT count(*), ifnull(sum(\(Self.undelivered)), 0), ifnull(sum(NOT \(Self.undelivered) AND \(Self.unfinished)), 0)
                FROM run WHERE began < ?
                """, [yesterday, moment.milliseconds])
            return OldRuns(
                all: Int(try row.integer(0)), undelivered: Int(try row.integer(1)),
                unfinished: Int(try row.integer(2)))
        }
    }
}

/// How many runs began before a moment, and how many of them have to stay.
package struct OldRuns: Hashable, Sendable {
    package let all: Int
    /// Runs with outbox entries that are still to be sent, or that were refused and not dropped.
    package let undelivered: Int
    /// Of the other runs, single updates that began within the last day and have no end: they may still be running.
    package let unfinished: Int
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
