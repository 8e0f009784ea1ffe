import FoundationEssentials
import GRDB
import Glibc

extension Journal {
    /// Writes a copy of the journal, as it is now, to `target`, where no file may be yet; also while a run goes on. The copy is a journal
    /// with an incarnation of its own.
    public func export(to target: String) async throws(JournalError) {
        guard access(target, F_OK) != 0 else { throw .closed(EEXIST, target, at: target) }
        try await connection.execute("VACUUM INTO ?", [target])
        do {
            let copy = try JournalConnection(at: target, isReadOnly: false)
            defer { copy.close() }
            try copy.writeHere { database in
                try database.execute(
                    sql: "UPDATE journal SET incarnation = ?", arguments: [UUID().uuidString.lowercased()])
            }
        } catch {
            unlink(target)
            throw error
        }
    }
}
