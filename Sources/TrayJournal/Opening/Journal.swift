import Bytes
import GRDB
import Glibc
import Tray

/// A station's record of all its runs: one SQLite file, in which a row is on the disk before a device is changed.
///
/// One run at a time writes to it, under a lock; others can read at the same time. (docs/decisions/0045)
package final class Journal: Sendable {
    /// The path of the file, with symbolic links resolved.
    package let path: String
    /// The permanent id of this journal, a UUID in lower case. Copies made by `export` have another one.
    package let incarnation: String
    let connection: JournalConnection
    private let lock: JournalLock?

    package static var libraryVersion: String {
        let number = Database.sqliteLibVersionNumber
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    init(_ connection: JournalConnection, _ lock: JournalLock?) throws(JournalError) {
        path = connection.path
        (self.connection, self.lock) = (connection, lock)
        incarnation = try connection.readHere { database in
            try Fields.one(database, "SELECT incarnation FROM journal").text(0)
        }
    }

    /// Opens the journal at `path` for a run by `owner`; creates it, and its folder, if it does not exist.
    package static func open(
        at path: String, owner: JournalOwner, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.run(owner), work).open(path)
    }

    /// Opens the journal at `path` for changes that are possible during another program's run, such as decisions on its
    /// outbox. With `creating`, creates it and its folder if it does not exist.
    package static func beside(
        _ path: String, creating: Bool = false, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.beside(creating: creating), work).open(path)
    }

    /// Opens the journal at `path` for reading, also during a run.
    package static func reading(
        _ path: String, work: JournalWork = .aside
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.reading, work).open(path)
    }

    /// Closes the file and releases the lock, as the deinitialiser also does. Later calls fail.
    package func close() {
        connection.close()
        lock?.release()
    }

    /// Whether a run has the lock of the journal at `path`; nil if that cannot be determined. Does not try to take the
    /// lock: even holding it for a moment would keep a run from beginning.
    package static func isInUse(_ path: String) -> Bool? {
        guard let place = try? JournalPlace(path, creating: false) else { return nil }
        var status = stat()
        guard stat(place.path + ".lock", &status) == 0 else { return errno == ENOENT ? false : nil }
        guard let locks = FileBytes.contents(of: "/proc/locks", atMost: mostBytes), locks.count < mostBytes
        else { return nil }
        return isLocked(UInt64(status.st_ino), in: String(decoding: locks, as: UTF8.self))
    }

    /// Whether `locks`, in the format of /proc/locks (proc_locks(5)), has a flock(2) lock on the inode `number`: the
    /// sixth word is `MAJOR:MINOR:INODE`. The device is ignored: on btrfs and overlayfs it differs from the file's.
    static func isLocked(_ number: UInt64, in locks: String) -> Bool {
        locks.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            // In a line for a waiting process, the second word is an arrow.
            return words.count >= 6 && words[1] == "FLOCK" && words[5].hasSuffix(":\(number)")
        }
    }

    /// The most bytes of /proc/locks that are read: more than any machine has.
    private static let mostBytes = 1 << 22
}

/// The thread that works on a journal's file, and so waits for the disk.
package enum JournalWork: Sendable {
    /// A thread of the journal's own.
    case aside
    /// The caller's thread, for tests with virtual time, which would pass while another thread works.
    case inPlace
}
