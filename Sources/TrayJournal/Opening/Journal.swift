import GRDB
import Tray

/// A station's record of all its runs: one SQLite file, in which a row is on the disk before a device is changed.
///
/// One run at a time writes to it, under a lock; others can read at the same time. (docs/decisions/0045)
public final class Journal: Sendable {
    /// The file, without links.
    public let path: String
    /// The permanent id of this journal, which copies made by `export` do not have: a UUID in lower case.
    public let incarnation: String
    let connection: JournalConnection
    private let lock: JournalLock?

    /// The version of SQLite that is loaded.
    public static var libraryVersion: String {
        let number = Database.sqliteLibVersionNumber
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    init(_ connection: JournalConnection, _ lock: JournalLock?) throws(JournalError) {
        path = connection.path
        self.connection = connection
        self.lock = lock
        incarnation = try connection.readHere { database in
            try Fields.one(database, "SELECT incarnation FROM journal").text(0)
        }
    }

    /// Opens the journal at `path` for a run by `owner`; creates it, and its folder, if it does not exist.
    public static func open(
        at path: String, owner: JournalOwner, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.run(owner), work).open(path)
    }

    /// Opens the journal at `path` for changes that are possible during another program's run, such as decisions on its
    /// outbox. With `creating`, creates it and its folder if it does not exist.
    public static func beside(
        _ path: String, creating: Bool = false, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.beside(creating: creating), work).open(path)
    }

    /// Opens the journal at `path` for reading, also during a run.
    public static func reading(
        _ path: String, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.reading, work).open(path)
    }

    /// Closes the file and releases the lock. Later calls fail. Happens automatically on deinitialisation.
    public func close() {
        connection.close()
        lock?.release()
    }
}
