import Bluetooth
import Bytes
import FoundationEssentials
import GRDB
import Glibc

extension Journal {
    /// Writes a copy of the journal's current state, with a new incarnation, to `target`, where no file may exist. Works
    /// during a run, and on a network share. The copy is written completely or not at all.
    package func export(to target: String) async throws(JournalError) {
        let place = try JournalPlace(target, creating: false, onShares: true)
        let lock = try Self.lockCopy(at: place, for: target)
        defer { withExtendedLifetime(lock) {} }
        guard access(place.path, F_OK) != 0 else { throw .inaccessible(EEXIST, place.path, at: target) }
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
            JournalFiles.deleteDraft(draft)
            switch error.problem {
            // Damage or a lock can only be the source's: nobody else uses the copy.
            case .damaged, .busy: throw JournalError(error.problem, at: path)
            default: throw JournalError(error.problem, at: target)
            }
        }
        try place.install(draft, for: target)
    }

    /// All exports to one path use the same draft name, so only one may run.
    private static func lockCopy(
        at place: JournalPlace, for target: String
    ) throws(JournalError) -> NamedLock? {
        guard let status = FileStatus(of: place.folder) else {
            throw .inaccessible(errno, place.folder, at: target)
        }
        let name = CRC32.checksum(Array(place.path.lastName.utf8))
        do throws(NamedLock.Owner) {
            return try NamedLock.take("beacon-dfu/copy/\(status.device)-\(status.inode)-\(name)")
        } catch { throw JournalError(.inaccessible("it is being written by \(error)"), at: target) }
    }

    /// Gives this journal a new incarnation and returns it: a copied file or a restored backup needs one. The open entries
    /// of `kind` are numbered from 1 again. Refused entries are sent once more, since their number may have belonged to
    /// another entry. The journal must have been opened for a run; this object's `incarnation` does not change.
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
}
