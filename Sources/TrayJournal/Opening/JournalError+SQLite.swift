import GRDB

extension JournalError {
    /// Translates `error` for the journal at `path`.
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as DatabaseError: self.init(Self.problem(error), at: path)
        case let error as DamagedRow: self.init(.damaged("\(error)"), at: path)
        default: self.init(.failed("\(error)"), at: path)
        }
    }

    /// By SQLite's result codes (<https://www.sqlite.org/rescode.html>).
    private static func problem(_ error: DatabaseError) -> Problem {
        let words = error.message ?? "\(error.resultCode)"
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        // Our statements match the tables, unless the tables are damaged.
        case .SQLITE_CORRUPT, .SQLITE_ERROR: .damaged(words)
        case .SQLITE_NOTADB: .foreign("another kind of file")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: .closed(words)
        case .SQLITE_CONSTRAINT: .contradiction(words)
        default: .failed(words)
        }
    }
}
