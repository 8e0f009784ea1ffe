import Dispatch
import FoundationEssentials
import GRDB
import Glibc
import Tray

/// Opens a journal: examines it before any change, and creates it completely or not at all.
struct JournalOpening: Sendable {
    enum Purpose: Sendable {
        case run(JournalOwner)
        case withoutLock(creating: Bool)
        case reading
    }

    private let purpose: Purpose
    private let work: JournalWork
    private let schema: JournalSchema

    init(_ purpose: Purpose, _ work: JournalWork, schema: JournalSchema = .present) {
        (self.purpose, self.work, self.schema) = (purpose, work, schema)
    }

    func open(_ path: String) async throws(JournalError) -> Journal {
        guard work == .background else { return try openSynchronously(path) }
        let result: Result<Journal, JournalError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(JournalError) in try self.openSynchronously(path) })
            }
        }
        return try result.get()
    }

    private func openSynchronously(_ path: String) throws(JournalError) -> Journal {
        guard case .run(let owner) = purpose else {
            let place = try prepared(path)
            if case .withoutLock = purpose { try place.checkNames() }
            return try open(place, nil)
        }
        // The lock file is created only next to a journal, so the file is checked first.
        let place = try checked(try JournalPlace(path, creating: true))
        let lock = try JournalLock(of: place.path, for: owner)
        do throws(JournalError) {
            let place = try prepared(path)
            try lock.lockFile(at: place.path)
            try place.checkNames()
            return try open(place, lock)
        } catch {
            lock.withdraw()
            throw error
        }
    }

    private var creates: Bool {
        switch purpose {
        case .run: true
        case .withoutLock(let creating): creating
        case .reading: false
        }
    }

    /// Checks the journal at `path`, and creates it if necessary.
    private func prepared(_ path: String) throws(JournalError) -> JournalPlace {
        let place = try checked(try JournalPlace(path, creating: creates))
        guard place.bytes ?? 0 == 0 else { return place }
        let folder = try FolderLock(of: place.folder, for: place.path)
        defer { withExtendedLifetime(folder) {} }
        // Another program may have created the journal before this one had the lock.
        let present = try checked(try JournalPlace(path, creating: true))
        if present.bytes ?? 0 == 0 { try create(present) }
        return try JournalPlace(path, creating: false)
    }

    private func open(_ place: JournalPlace, _ lock: JournalLock?) throws(JournalError) -> Journal {
        var found = try inspect(place)
        if found.version < schema.version {
            let folder = try FolderLock(of: place.folder, for: place.path)
            defer { withExtendedLifetime(folder) {} }
            // Another program may have migrated the journal meanwhile.
            found = try inspect(place)
            if found.version < schema.version { try migrate(place, from: found.version, lock) }
        }
        var access = JournalConnection.Access.writing
        if case .reading = purpose { access = found.access }
        let connection = try JournalConnection(at: place.path, for: access, work: work)
        // This mode is stored in the file, except in an exported copy.
        if lock != nil { try connection.executeHere("PRAGMA journal_mode = WAL") }
        return try Journal(connection, lock)
    }

    /// Migrates the journal to the present schema. No other program may use the tables meanwhile.
    private func migrate(
        _ place: JournalPlace, from version: Int, _ lock: JournalLock?
    ) throws(JournalError) {
        try place.checkNames()
        let own = lock == nil ? try JournalLock(of: place.path, for: JournalOwner(tray: nil)) : nil
        defer { own?.withdraw() }
        try own?.lockFile(at: place.path)
        let connection = try JournalConnection(at: place.path, for: .writing)
        defer { connection.close() }
        do throws(JournalError) { try connection.writeHere(schema.migrate) } catch {
            guard case .damaged = error.problem,
                let number = try connection.readHere({ try schema.number(of: $0) }), number != version
            else { throw error }
            throw JournalError(.misnumbered(version, is: number), at: place.path)
        }
    }

    /// Checks that `place` has a journal, or is empty if a journal may be created. Makes SQLite create no file.
    private func checked(_ place: JournalPlace) throws(JournalError) -> JournalPlace {
        guard place.bytes ?? 0 > 0 else {
            guard creates else { throw JournalError(.missing, at: place.path) }
            try JournalFiles.check(place.path)
            return place
        }
        do throws(JournalError) {
            let connection = try JournalConnection(at: place.path, for: .immutable)
            defer { connection.close() }
            _ = try version(in: connection, at: place.path)
        } catch {
            // This check ignores the log and other writers: an intact journal may look damaged to it.
            guard case .damaged = error.problem else { throw error }
        }
        try JournalFiles.check(place.path)
        return place
    }

    /// The schema number of the journal, and the access for reading it.
    private func inspect(
        _ place: JournalPlace
    ) throws(JournalError) -> (version: Int, access: JournalConnection.Access) {
        // To read a journal with a log, SQLite creates a file, which is impossible on a read-only file system.
        let access: JournalConnection.Access = place.isReadOnly && !place.hasLog ? .immutable : .reading
        let connection = try JournalConnection(at: place.path, for: access)
        defer { connection.close() }
        return (try version(in: connection, at: place.path), access)
    }

    /// The schema number; throws if the file is not a journal, or its schema is newer than this program's.
    private func version(in connection: JournalConnection, at path: String) throws(JournalError) -> Int {
        let (application, version) = try connection.readHere { database in
            try (
                Fields.one(database, "PRAGMA application_id").integer(0),
                Fields.one(database, "PRAGMA user_version").integer(0)
            )
        }
        guard application == Int64(JournalSchema.application) else {
            throw JournalError(.foreign("another program's file of SQLite"), at: path)
        }
        guard version <= schema.version else {
            throw JournalError(.newer(Int(version), known: schema.version), at: path)
        }
        return Int(version)
    }

    /// Creates the file under another name, and renames it when it is complete.
    private func create(_ place: JournalPlace) throws(JournalError) {
        let draft = place.path + ".new"
        // An existing draft is from a killed program: the caller holds the folder's lock, so nobody is using it.
        try JournalFiles.removeDraft(draft, of: place.path)
        // SQLite would use an existing log as that of the new file.
        if let suffix = try JournalFiles.orphanedLog(of: place.path) {
            throw JournalError(
                .damaged("a log (\(suffix)) exists, but the journal itself is missing"), at: place.path)
        }
        do throws(JournalError) {
            let connection = try JournalConnection(at: draft, for: .writing)
            defer { connection.close() }
            try connection.executeHere("PRAGMA auto_vacuum = INCREMENTAL")
            try connection.writeHere { database in
                try database.execute(sql: "PRAGMA application_id = \(JournalSchema.application)")
                try schema.migrate(database)
                try database.execute(
                    sql: "INSERT INTO journal (id, incarnation, created) VALUES (1, ?, ?)",
                    arguments: [UUID().uuidString.lowercased(), RecordedTime.now.milliseconds])
            }
            try connection.executeHere("PRAGMA journal_mode = WAL")
        } catch {
            JournalFiles.deleteDraft(draft)
            throw JournalError(error.problem, at: place.path)
        }
        try place.install(draft, for: place.path)
    }
}
