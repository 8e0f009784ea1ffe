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
        at path: String, owner: JournalOwner, work: JournalWork = .background
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.run(owner), work).open(path)
    }

    /// Opens the journal at `path` for changes that are possible during another program's run: decisions on its outbox,
    /// and records of single updates. With `creating`, creates it and its folder if it does not exist.
    package static func openWithoutLock(
        _ path: String, creating: Bool = false, work: JournalWork = .background
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.withoutLock(creating: creating), work).open(path)
    }

    /// Opens the journal at `path` for reading, also during a run.
    package static func reading(
        _ path: String, work: JournalWork = .background
    ) async throws(JournalError) -> Journal {
        try await JournalOpening(.reading, work).open(path)
    }

    /// Closes the file and releases the lock. Later calls fail.
    package func close() {
        connection.close()
        lock?.release()
    }

    /// Whether a run has the lock of the journal at `path`; nil if that cannot be determined. Does not try to take the
    /// lock: even holding it for a moment would keep a run from beginning.
    package static func isInUse(_ path: String) -> Bool? {
        guard let place = try? JournalPlace(path, creating: false) else { return nil }
        guard let status = FileStatus(of: place.path + ".lock") else { return errno == ENOENT ? false : nil }
        guard let locks = FileBytes.contents(of: "/proc/locks", atMost: mostBytes), locks.count < mostBytes
        else { return nil }
        return isLocked(status.inode, in: String(decoding: locks, as: UTF8.self))
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

/// Which thread reads and writes a journal's file, and so waits for the disk.
package enum JournalWork: Sendable {
    /// A queue of Dispatch or GRDB, so that the caller's thread does not wait.
    case background
    /// The caller's thread: in tests, virtual time would pass while another thread works.
    case onCallersThread
}

final class JournalConnection: Sendable {
    let path: String
    private let queue: DatabaseQueue
    private let work: JournalWork

    /// How long to wait for another writer, in seconds.
    private static let timeout = 10.0

    enum Access {
        case writing
        case reading
        /// Reading as if no program could write to the file: SQLite uses no log and no locks.
        case immutable
    }

    init(at path: String, for access: Access, work: JournalWork = .onCallersThread) throws(JournalError) {
        (self.path, self.work) = (path, work)
        var configuration = Configuration()
        configuration.readonly = access != .writing
        configuration.busyMode = .timeout(Self.timeout)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // FULL: a commit returns when it is on the disk. The other settings protect against malicious files.
            try database.execute(
                sql: """
                    PRAGMA synchronous = FULL;
                    PRAGMA trusted_schema = OFF;
                    PRAGMA cell_size_check = ON;
                    """)
        }
        do {
            let name = access == .immutable ? Self.immutable(path) : path
            queue = try DatabaseQueue(path: name, configuration: configuration)
        } catch { throw JournalError(error, at: path) }
    }

    /// The URI of the file at `path` (<https://www.sqlite.org/uri.html>), which Debian's SQLite accepts as a path.
    private static func immutable(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        let escaped = path.utf8.map { byte in
            let isPlain =
                byte < 0x80
                && (Character(Unicode.Scalar(byte)).isLetter || "0123456789/._-".utf8.contains(byte))
            return isPlain
                ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return "file:" + escaped.joined() + "?immutable=1"
    }

    func close() { try? queue.close() }

    /// Runs `body` in one transaction, which is on the disk when the call returns, or is rolled back if it throws.
    ///
    /// Calls run in their order. Cancelling the task does not undo a call.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value { try await perform { try self.transaction(.immediate, $0, body) } }

    /// Runs `body` on one consistent state of the journal.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value { try await perform { try self.transaction(.deferred, $0, body) } }

    /// Executes a statement outside a transaction.
    func execute(_ sql: String, _ arguments: StatementArguments = []) async throws(JournalError) {
        try await perform { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Like `write`, on the caller's thread.
    func writeHere<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        try performHere { try transaction(.immediate, $0, body) }
    }

    func readHere<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        try performHere { try transaction(.deferred, $0, body) }
    }

    func executeHere(_ sql: String) throws(JournalError) { try performHere { try $0.execute(sql: sql) } }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        guard work == .background else { return try performHere(body) }
        let result = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { database in
                continuation.resume(returning: Result { try body(database) })
            }
        }
        do { return try result.get() } catch { throw JournalError(error, at: path) }
    }

    private func performHere<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        do { return try queue.writeWithoutTransaction(body) } catch { throw JournalError(error, at: path) }
    }

    private func transaction<Value>(
        _ kind: Database.TransactionKind, _ database: Database, _ body: (Database) throws -> Value
    ) throws -> Value {
        var value: Value?
        try database.inTransaction(kind) {
            value = try body(database)
            return .commit
        }
        guard let value else { throw JournalError(.failed("nothing was done"), at: path) }
        return value
    }
}
