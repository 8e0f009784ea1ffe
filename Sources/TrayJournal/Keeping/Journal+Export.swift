import FoundationEssentials
import GRDB
import Glibc

extension Journal {
    /// Writes a copy of the journal's current state to `target`, where no file may exist; also during a run, and also
    /// to a share. The copy is a journal with an incarnation of its own. It is written completely or not at all.
    public func export(to target: String) async throws(JournalError) {
        let place = try JournalPlace(target, creating: false, onShares: true)
        guard place.bytes == nil else { throw .closed(EEXIST, place.path, at: target) }
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
            throw JournalError(error.problem, at: target)
        }
        guard rename(draft, place.path) == 0 else {
            defer { unlink(draft) }
            throw .closed(errno, place.path, at: target)
        }
        try JournalPlace.settle(place.folder, for: target)
    }
}
