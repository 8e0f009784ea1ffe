import Bytes
import GRDB
import Glibc
import Tray
package import UpdateModel

/// Why the journal cannot be used: the cause, the file, and advice.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        case missing
        /// The file is of another kind: which, in words.
        case foreign(String)
        /// A later version of the program has written the journal, with this schema number; `known` is this program's.
        case newer(Int, known: Int)
        /// Another kind of file has the name of one of the journal's side files: its path, and what it is.
        case sideFileForeign(String, String)
        /// The file has this many names (hard links), each with a log of its own.
        case linked(Int)
        /// The file's schema number is wrong: the tables are those of schema `is`.
        case misnumbered(Int, is: Int)
        /// The journal is damaged: the finding in words.
        case damaged(String)
        case diskFull
        /// The journal or its folder cannot be opened or written: the system's message.
        case inaccessible(String)
        /// The journal is on a file system of this kind, which several machines use or a user's program serves.
        case shared(String)
        /// Another run uses the journal; nil if its owner is not known.
        case taken(JournalOwner?)
        /// Another run uses the journal's file by another path: the program.
        case takenUnderAnotherName(String)
        /// Another program has been writing to the journal for longer than the timeout.
        case busy
        /// The disk or SQLite reports a fault: the message.
        case failed(String)
        /// The journal's content contradicts what is to be written.
        case contradiction(String)
    }

    package let path: String
    package let problem: Problem

    init(_ problem: Problem, at path: String) { (self.problem, self.path) = (problem, path) }

    package var code: FailureCode {
        switch problem {
        case .missing: .journal.missing
        case .foreign, .sideFileForeign: .journal.foreign
        case .linked: .journal.linked
        case .newer: .journal.newer
        case .damaged, .misnumbered: .journal.damaged
        case .diskFull: .journal.diskFull
        case .inaccessible: .journal.inaccessible
        case .shared: .journal.onShare
        case .taken, .takenUnderAnotherName: .journal.taken
        case .busy: .journal.busy
        case .failed: .journal.failed
        case .contradiction: .journal.contradiction
        }
    }

    package var description: String { "\(path): \(cause)" }

    private var cause: String {
        switch problem {
        case .missing: "there is no journal"
        case .foreign(let what): "this is \(what), not a journal"
        case .sideFileForeign(let file, let what): "\(file) \(what), but the journal needs that file name"
        case .linked(let names):
            "the file has \(names) hard links: what is written under one name can be lost under another"
        case .misnumbered(let says, let schema):
            "the file's schema number says \(says), but its tables are those of schema \(schema)"
        case .newer(let schema, let known):
            "its schema is \(schema), but this program supports only up to \(known)"
        case .damaged(let what): "the journal is damaged: \(what)"
        case .diskFull: "there is no disk space left for the journal"
        case .inaccessible(let what): "the journal cannot be opened or written: \(what)"
        case .shared(let system): "a journal cannot be on a file system of the kind \(system)"
        case .taken(nil): "another run is using the journal"
        case .taken(let owner?): "the journal is being used by \(owner)"
        case .takenUnderAnotherName(let program):
            "the journal's file is being used under another name, by \(program)"
        case .busy: "another program is writing to the journal"
        case .failed(let what): "the journal cannot be used: \(what)"
        case .contradiction(let what): what
        }
    }

    package var nextStep: String {
        switch problem {
        case .missing: "name the journal, or flash a beacon first, which creates one"
        case .foreign: "name another file: nothing was changed in this one"
        case .sideFileForeign(let file, _): "move \(file) away, or name another journal: nothing was changed"
        case .linked:
            "remove the other names, which `find FOLDER -samefile FILE` shows; an exported copy is a file of its own"
        case .misnumbered(_, let schema):
            "keep a copy of the file, then put the number right: `sqlite3 FILE 'PRAGMA user_version = \(schema)'`"
        case .newer: "use the program that has written it, or a later one"
        case .damaged:
            "move the file aside together with its -wal and -shm files and keep them: `sqlite3 FILE .recover` recovers what can be read"
        case .diskFull: "free disk space, then run the same command again: what was written before is kept"
        case .inaccessible: "name another journal, or give this user write access to the file and its folder"
        case .shared: "keep it on a disk of this machine"
        case .taken, .takenUnderAnotherName: "wait for its end, or name another journal"
        case .busy: "close the program that has the file open, for example sqlite3 in another window"
        case .failed: "check the disk, then run the same command again"
        case .contradiction: "report it with the journal: this is a bug in the program"
        }
    }
}

extension JournalError {
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as DatabaseError: self.init(Self.problem(error, at: path), at: path)
        case let error as DamagedRow: self.init(.damaged("\(error)"), at: path)
        default: self.init(.failed("\(error)"), at: path)
        }
    }

    /// The system has refused access, with the error `number`, to `file`, which the journal at `path` needs.
    static func inaccessible(_ number: Int32, _ file: String, at path: String) -> JournalError {
        if number == ENOSPC || number == EDQUOT { return JournalError(.diskFull, at: path) }
        let words = String(cString: strerror(number))
        return JournalError(.inaccessible(file == path ? words : "\(file): \(words)"), at: path)
    }

    private static func isDiskFull(at path: String) -> Bool {
        var status = statvfs()
        return statvfs(path.systemPath, &status) == 0 && status.f_bavail == 0
    }

    /// Translates SQLite's result codes (<https://www.sqlite.org/rescode.html>).
    private static func problem(_ error: DatabaseError, at path: String) -> Problem {
        let words = error.message ?? "\(error.resultCode)"
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull
        // SQLite cannot extend the index of its log.
        case .SQLITE_IOERR where isDiskFull(at: path): .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        // The program's statements fit the tables of every journal, unless these are damaged.
        case .SQLITE_CORRUPT, .SQLITE_ERROR: .damaged(words)
        case .SQLITE_NOTADB: .foreign("another kind of file")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: .inaccessible(words)
        case .SQLITE_CONSTRAINT: .contradiction(words)
        default: .failed(words)
        }
    }
}
