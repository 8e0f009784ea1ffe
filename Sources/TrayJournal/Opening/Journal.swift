import GRDB
import Tray

/// What a station remembers of all its runs: one file of SQLite, in which a row is on the disk before a device is changed.
///
/// One run at a time writes to it, under a lock; others read beside it. (docs/decisions/0045)
public final class Journal: Sendable {
    /// The file, without links.
    public let path: String
    /// Names this journal for ever, and no copy of it that `export` has made: a UUID in lower case.
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

    /// Opens the journal at `path` for a run by `owner`; makes it, and its folder, where there is none.
    public static func open(
        at path: String, owner: JournalOwner, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.run(owner), work).open(path)
    }

    /// Opens the journal at `path` for a change beside whatever run may have it, as of what waits in its outbox. With `creating` it,
    /// and its folder, are made where there are none.
    public static func beside(
        _ path: String, creating: Bool = false, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.beside(creating: creating), work).open(path)
    }

    /// Opens the journal at `path` to read it, also while a run has it.
    public static func reading(
        _ path: String, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.reading, work).open(path)
    }

    /// Closes the file, and lets the lock go. What is asked of it later fails. Happens by itself at the end.
    public func close() {
        connection.close()
        lock?.release()
    }
}
