import GRDB

/// A connection to a journal's file, and the thread that uses it.
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

    init(at path: String, for access: Access, work: JournalWork = .inPlace) throws(JournalError) {
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

    /// Does the same as `write`, on the caller's thread.
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
        guard work == .aside else { return try performHere(body) }
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
