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
        /// A foreign file has the name of one of the journal's side files: its path, and a description.
        case beside(String, String)
        /// The file has this many names (hard links), each with a log of its own.
        case linked(Int)
        /// The schema number in the file is that of another schema than its tables (`is`).
        case misnumbered(Int, is: Int)
        /// The journal is damaged: the finding in words.
        case damaged(String)
        case diskFull
        /// The journal cannot be opened or written: the system's message.
        case closed(String)
        /// The journal is on a file system of this kind, which several machines use or a user's program serves.
        case shared(String)
        /// Another run has the journal; nil if its owner is not known.
        case taken(JournalOwner?)
        /// Another run has the journal's file under another path: the program.
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
        case .foreign, .beside: .journal.foreign
        case .linked: .journal.linked
        case .newer: .journal.newer
        case .damaged, .misnumbered: .journal.damaged
        case .diskFull: .journal.diskFull
        case .closed: .journal.closed
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
        case .beside(let file, let what): "\(file) \(what), but the journal needs that file name"
        case .linked(let names):
            "the file has \(names) hard links: what is written under one name can be lost under another"
        case .misnumbered(let says, let schema):
            "user_version is schema \(says), but the tables are those of schema \(schema)"
        case .newer(let schema, let known):
            "its schema is \(schema), but this program supports only up to \(known)"
        case .damaged(let what): "the journal is damaged: \(what)"
        case .diskFull: "there is no disk space left for the journal"
        case .closed(let what): "the journal cannot be opened or written: \(what)"
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
        case .beside(let file, _): "move \(file) away, or name another journal: nothing was changed"
        case .linked:
            "remove the other names, which `find FOLDER -samefile FILE` shows; an exported copy is a file of its own"
        case .misnumbered(_, let schema):
            "keep a copy of the file, then put the number right: `sqlite3 FILE 'PRAGMA user_version = \(schema)'`"
        case .newer: "use the program that has written it, or a later one"
        case .damaged:
            "move the file aside together with its -wal and -shm files and keep them: `sqlite3 FILE .recover` recovers what can be read"
        case .diskFull: "free disk space, then run the same command again: what was written before is kept"
        case .closed: "name another journal, or give this user write access to the file and its folder"
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
        case let error as DatabaseError: self.init(Self.problem(error), at: path)
        case let error as DamagedRow: self.init(.damaged("\(error)"), at: path)
        default: self.init(.failed("\(error)"), at: path)
        }
    }

    /// Translates SQLite's result codes (<https://www.sqlite.org/rescode.html>).
    private static func problem(_ error: DatabaseError) -> Problem {
        let words = error.message ?? "\(error.resultCode)"
        return switch error.resultCode {
        case .SQLITE_FULL: .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        // The program's statements fit the tables of every journal, unless these are damaged.
        case .SQLITE_CORRUPT, .SQLITE_ERROR: .damaged(words)
        case .SQLITE_NOTADB: .foreign("another kind of file")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: .closed(words)
        case .SQLITE_CONSTRAINT: .contradiction(words)
        default: .failed(words)
        }
    }
}

/// Keeps other programs from creating or changing the tables of journals in a folder: flock(2) on the folder itself,
/// which leaves no file. The program holds the lock for milliseconds, and so it waits for it; with a timeout, since
/// anyone with read access to the folder can take it.
final class FolderLock {
    private static let timeout = Duration.seconds(10)
    private let descriptor: Int32

    init(of folder: String, for path: String) throws(JournalError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .closed(errno, folder, at: path) }
        let end = SuspendingClock.now + Self.timeout
        // flock(2) has no deadline of its own.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR, SuspendingClock.now < end else {
                throw number == EWOULDBLOCK
                    ? JournalError(.busy, at: path) : .closed(number, folder, at: path)
            }
            usleep(10_000)
        }
    }

    deinit {
        // Closing alone may not unlock: a child process that is being started has a copy of the descriptor for a while.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
