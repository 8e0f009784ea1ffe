import Dispatch
import FoundationEssentials
import GRDB
import Glibc
import Tray

/// How a journal is opened: looked at before anything of it is changed, made as a whole or not at all.
struct JournalOpening: Sendable {
    /// What for.
    enum Purpose: Sendable {
        case run(JournalOwner)
        case beside(creating: Bool)
        case reading
    }

    private let purpose: Purpose
    private let work: JournalWork
    private let schema: JournalSchema

    init(_ purpose: Purpose, _ work: JournalWork, schema: JournalSchema = .present) {
        (self.purpose, self.work, self.schema) = (purpose, work, schema)
    }

    /// The journal at `path`.
    func open(_ path: String) async throws(JournalError) -> Journal {
        switch work {
        case .inPlace: return try openHere(path)
        case .aside:
            let result: Result<Journal, JournalError> = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: self.result(path))
                }
            }
            return try result.get()
        }
    }

    private func result(_ path: String) -> Result<Journal, JournalError> {
        do throws(JournalError) { return .success(try openHere(path)) } catch { return .failure(error) }
    }

    private func openHere(_ path: String) throws(JournalError) -> Journal {
        var lock: JournalLock?
        var creates = false
        switch purpose {
        case .run: creates = true
        case .beside(let creating): creates = creating
        case .reading: break
        }
        let place = try JournalPlace(path, creating: creates)
        if case .run(let owner) = purpose { lock = try JournalLock(of: place.path, for: owner) }
        if place.bytes ?? 0 == 0 {
            guard creates else { throw JournalError(.missing, at: place.path) }
            try create(path)
        }
        var found = try look(at: place)
        if found.version < schema.version {
            let folder = try FolderLock(of: place.folder, for: place.path)
            defer { withExtendedLifetime(folder) {} }
            // Another program may have done it meanwhile.
            found = try look(at: place)
            if found.version < schema.version { try migrate(place, lock) }
        }
        var access = JournalConnection.Access.writing
        if case .reading = purpose { access = found.access }
        let connection = try JournalConnection(at: place.path, for: access, work: work)
        // It is unless the file is a copy that was exported.
        if lock != nil { try connection.executeHere("PRAGMA journal_mode = WAL") }
        return try Journal(connection, lock)
    }

    /// The schema of the file, which is a journal then, and how it can be read.
    private func look(
        at place: JournalPlace
    ) throws(JournalError) -> (version: Int, access: JournalConnection.Access) {
        // SQLite makes a file beside a log that has to be read, and nobody can where nothing can be written.
        let access: JournalConnection.Access = place.isReadOnly && !place.hasLog ? .immutable : .reading
        let connection = try JournalConnection(at: place.path, for: access)
        defer { connection.close() }
        let (application, version) = try connection.readHere { database in
            try (
                Fields.one(database, "PRAGMA application_id").integer(0),
                Fields.one(database, "PRAGMA user_version").integer(0)
            )
        }
        guard application == Int64(JournalSchema.application) else {
            throw JournalError(.foreign("another program's file of SQLite"), at: place.path)
        }
        guard version <= schema.version else {
            throw JournalError(.newer(Int(version), known: schema.version), at: place.path)
        }
        return (Int(version), access)
    }

    /// Nobody may be using the tables while they change.
    private func migrate(_ place: JournalPlace, _ lock: JournalLock?) throws(JournalError) {
        let held: JournalLock
        if let lock {
            held = lock
        } else {
            held = try JournalLock(of: place.path, for: JournalOwner(tray: nil))
        }
        defer { withExtendedLifetime(held) {} }
        let connection = try JournalConnection(at: place.path, for: .writing)
        defer { connection.close() }
        try connection.writeHere(schema.migrate)
    }

    /// Makes the file at `path` under another name, and gives it its own when it is whole; leaves it where another program has made it
    /// meanwhile.
    private func create(_ path: String) throws(JournalError) {
        let folder = try FolderLock(of: JournalPlace(path, creating: true).folder, for: path)
        defer { withExtendedLifetime(folder) {} }
        let place = try JournalPlace(path, creating: true)
        guard place.bytes ?? 0 == 0 else { return }
        let draft = place.path + ".new"
        // Of a program that was killed meanwhile; the folder's lock says that nobody is at it.
        for end in ["", "-journal", "-wal", "-shm"] { unlink(draft + end) }
        // SQLite would take it for the new file's.
        if place.hasLog {
            throw JournalError(.damaged("its log (-wal) is there without it"), at: place.path)
        }
        do throws(JournalError) {
            let connection = try JournalConnection(at: draft, for: .writing)
            defer { connection.close() }
            try connection.executeHere("PRAGMA auto_vacuum = INCREMENTAL")
            try connection.executeHere("PRAGMA application_id = \(JournalSchema.application)")
            try connection.writeHere { database in
                try schema.migrate(database)
                try database.execute(
                    sql: "INSERT INTO journal (id, incarnation, created) VALUES (1, ?, ?)",
                    arguments: [UUID().uuidString.lowercased(), RecordedTime.now.milliseconds])
            }
            try connection.executeHere("PRAGMA journal_mode = WAL")
        } catch {
            throw JournalError(error.problem, at: place.path)
        }
        guard rename(draft, place.path) == 0 else { throw .closed(errno, place.path, at: place.path) }
        try JournalPlace.settle(place.folder, for: place.path)
    }
}
