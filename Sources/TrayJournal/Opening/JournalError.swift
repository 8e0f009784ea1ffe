/// Why the journal cannot be used as asked: what, where, and what a person can do.
public struct JournalError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// There is no file.
        case missing
        /// It is something else: what, in words.
        case foreign(String)
        /// A later version of the program has written it, in a schema of this number.
        case newer(Int, known: Int)
        /// Something else is where a file beside it belongs: the file, and what it is in words.
        case beside(String, String)
        /// Its file has so many names, and a log beside each.
        case linked(Int)
        /// It says one schema, and its tables are those of another.
        case misnumbered(Int, is: Int)
        /// It is damaged: what was found, in words.
        case damaged(String)
        /// There is no room on the disk.
        case diskFull
        /// It may not be opened or written: what the system says.
        case closed(String)
        /// It lies on a file system that other machines write to, or that cannot lock: which.
        case shared(String)
        /// Another run has it; nil where the other has not said who it is.
        case taken(JournalOwner?)
        /// Another run has its file under another path: which program.
        case takenUnderAnotherName(String)
        /// Another program has been writing to it for longer than is waited.
        case busy
        /// What the disk or the database engine says.
        case failed(String)
        /// It holds something that does not go with what is to be written.
        case contradiction(String)
    }

    /// The file.
    public let path: String
    /// What is wrong with it.
    public let problem: Problem

    init(_ problem: Problem, at path: String) { (self.problem, self.path) = (problem, path) }
}

extension JournalError {
    /// A stable code, in kebab case.
    public var code: String {
        switch problem {
        case .missing: "journal-missing"
        case .foreign, .beside: "journal-foreign"
        case .linked: "journal-linked"
        case .newer: "journal-newer"
        case .damaged, .misnumbered: "journal-damaged"
        case .diskFull: "journal-disk-full"
        case .closed: "journal-closed"
        case .shared: "journal-on-share"
        case .taken, .takenUnderAnotherName: "journal-taken"
        case .busy: "journal-busy"
        case .failed: "journal-failed"
        case .contradiction: "journal-contradiction"
        }
    }
}

extension JournalError: CustomStringConvertible {
    /// The cause in one line, with the file.
    public var description: String { "\(path): \(cause)" }

    private var cause: String {
        switch problem {
        case .missing: "there is no journal"
        case .foreign(let what): "this is \(what), not a journal"
        case .beside(let file, let what):
            "\(file) \(what), and the journal needs a file of its own at that place"
        case .linked(let names):
            "the file has \(names) names (hard links), and what is written under one can be lost under another"
        case .misnumbered(let says, let schema):
            "user_version says schema \(says), and the tables are those of schema \(schema)"
        case .newer(let schema, let known): "its schema is \(schema), and this program knows \(known)"
        case .damaged(let what): "the journal is damaged: \(what)"
        case .diskFull: "there is no room left for the journal"
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

    /// What a person can do.
    public var nextStep: String {
        switch problem {
        case .missing: "name the journal, or flash a beacon first, which makes one"
        case .foreign: "name another file: nothing was changed in this one"
        case .beside(let file, _): "move \(file) away, or name another journal: nothing was changed"
        case .linked:
            "remove the other names, which `find FOLDER -samefile FILE` shows; an exported copy is a file of its own"
        case .misnumbered(_, let schema):
            "keep a copy of the file, then put the number right: `sqlite3 FILE 'PRAGMA user_version = \(schema)'`"
        case .newer: "use the program that has written it, or a later one"
        case .damaged:
            "move the file aside with those beside it (-wal, -shm) and keep them: `sqlite3 FILE .recover` gets out what can be read"
        case .diskFull: "make room, then give the same command again: what was written before is kept"
        case .closed: "see to it that this user may write the file and its folder"
        case .shared: "keep it on a disk of this machine"
        case .taken, .takenUnderAnotherName: "wait for its end, or name another journal"
        case .busy: "close whatever has the file open, as sqlite3 in another window"
        case .failed: "look after the disk, then give the same command again"
        case .contradiction: "report it with the journal: this is a fault of the program"
        }
    }
}
