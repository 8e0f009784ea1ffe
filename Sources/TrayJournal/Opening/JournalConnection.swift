import GRDB

/// A connection to a journal's file, and the thread that uses it.
final class JournalConnection: Sendable {
    /// As it is told to people.
    let path: String
    private let queue: DatabaseQueue
    private let work: JournalWork

    /// So long somebody else may write.
    private static let timeout = 10.0

    /// How a file is opened.
    enum Access {
        case writing
        case reading
        /// Nothing else writes to it, nor can: it needs no log beside it.
        case immutable
    }

    init(at path: String, for access: Access, work: JournalWork = .inPlace) throws(JournalError) {
        self.path = path
        self.work = work
        var configuration = Configuration()
        configuration.readonly = access != .writing
        configuration.busyMode = .timeout(Self.timeout)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            // A commit has reached the disk when it returns; a file from elsewhere is not believed more than it has to be.
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
        } catch {
            throw JournalError(error, at: path)
        }
    }

    /// The URI of the file (<https://www.sqlite.org/uri.html>), which Debian's library takes for a path.
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

    /// What `body` returns, within one transaction that is on the disk by then, or has left nothing.
    ///
    /// In the order of the calls. A task that is cancelled meanwhile does not undo it.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        try await perform { [path] in try Self.transaction(.immediate, $0, path, body) }
    }

    /// What `body` returns, all of it from one state of the journal.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        try await perform { [path] in try Self.transaction(.deferred, $0, path, body) }
    }

    /// The same as `write`, and on the caller's thread.
    func writeHere<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        try result { try Self.transaction(.immediate, $0, path, body) }.get()
    }

    /// The same as `read`, and on the caller's thread.
    func readHere<Value>(_ body: (Database) throws -> Value) throws(JournalError) -> Value {
        try result { try Self.transaction(.deferred, $0, path, body) }.get()
    }

    /// What no transaction can hold, on the caller's thread.
    func executeHere(_ sql: String, _ arguments: StatementArguments = []) throws(JournalError) {
        try result { try $0.execute(sql: sql, arguments: arguments) }.get()
    }

    /// What no transaction can hold.
    func execute(_ sql: String, _ arguments: StatementArguments = []) async throws(JournalError) {
        try await perform { try $0.execute(sql: sql, arguments: arguments) }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        switch work {
        case .inPlace:
            return try result(body).get()
        case .aside:
            let result = await withCheckedContinuation { continuation in
                queue.asyncWriteWithoutTransaction { [path] database in
                    continuation.resume(returning: Self.result(of: body, database, path))
                }
            }
            return try result.get()
        }
    }

    private func result<Value>(_ body: (Database) throws -> Value) -> Result<Value, JournalError> {
        queue.writeWithoutTransaction { Self.result(of: body, $0, path) }
    }

    private static func result<Value>(
        of body: (Database) throws -> Value, _ database: Database, _ path: String
    ) -> Result<Value, JournalError> {
        do { return .success(try body(database)) } catch { return .failure(JournalError(error, at: path)) }
    }

    private static func transaction<Value>(
        _ kind: Database.TransactionKind, _ database: Database, _ path: String,
        _ body: (Database) throws -> Value
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
