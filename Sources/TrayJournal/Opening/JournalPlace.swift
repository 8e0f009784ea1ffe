import Bytes
import Glibc

/// The location of a journal: its path with symbolic links resolved, so that all users of a file share one lock.
struct JournalPlace {
    let path, folder: String
    /// The size of the file in bytes; nil if it does not exist.
    let bytes: Int?
    /// The number of hard links: SQLite keeps a log for each (<https://www.sqlite.org/howtocorrupt.html>, 2.5).
    let names: Int

    var isReadOnly: Bool {
        var status = statvfs()
        return statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether there is a log, whose content may not be in the file yet.
    var hasLog: Bool { access(path + "-wal", F_OK) == 0 }

    /// The place of `given`. `creating`: creates missing folders, for this user only. `onShares`: accepts network shares.
    init(_ given: String, creating: Bool, onShares: Bool = false) throws(JournalError) {
        let parent = given.parentFolder
        let name = String(given.dropFirst(given.folderPrefix.count))
        guard !name.isEmpty, name != ".", name != ".." else { throw .inaccessible(EISDIR, given, at: given) }
        try Self.checkText(given, for: given)
        if creating {
            if !onShares { try Self.checkShare(try Self.nearest(parent, for: given), for: given) }
            try Self.make(parent, for: given)
        }
        guard let folder = Self.resolved(parent) else {
            throw errno == ENOENT
                ? JournalError(.missing, at: given) : .inaccessible(errno, parent, at: given)
        }
        let real = Self.resolved(given) ?? folder.entry(name)
        try Self.checkText(real, for: given)
        (path, self.folder) = (real, real.parentFolder)
        if let status = FileStatus(of: real) {
            guard status.kind == S_IFREG else {
                let kind = status.kind == S_IFDIR ? "a folder" : "a device or a pipe"
                throw JournalError(.foreign(kind), at: given)
            }
            (bytes, names) = (status.size, status.names)
        } else {
            guard errno == ENOENT else { throw .inaccessible(errno, real, at: given) }
            guard FileStatus(of: real, followingLinks: false) == nil else {
                throw JournalError(.inaccessible("it is a dangling symbolic link"), at: given)
            }
            (bytes, names) = (nil, 0)
        }
        if !onShares { try Self.checkShare(self.folder, for: given) }
    }

    /// SQLite takes paths as UTF-8 only.
    private static func checkText(_ path: String, for given: String) throws(JournalError) {
        if PathText.hasForeignBytes(path) {
            let words = path == given ? "its path" : "its real path, \(path),"
            throw JournalError(.inaccessible("\(words) is not UTF-8"), at: given)
        }
    }

    private static func checkShare(_ folder: String, for path: String) throws(JournalError) {
        if let kind = FileSystemKind(of: folder), kind.isShared {
            throw JournalError(.shared(kind.name), at: path)
        }
    }

    /// The nearest existing folder at or above `folder`.
    private static func nearest(_ folder: String, for path: String) throws(JournalError) -> String {
        var place = folder
        while true {
            if let found = resolved(place) { return found }
            // Nothing is above the root or a relative path: the current folder was removed.
            guard place.parentFolder != place else { throw .inaccessible(errno, place, at: path) }
            place = place.parentFolder
        }
    }

    /// Throws if the file has other names, each of which may have a log of its own.
    func checkNames() throws(JournalError) { if names > 1 { throw JournalError(.linked(names), at: path) } }

    private static func resolved(_ path: String) -> String? { FileBytes.realPath(of: path) }

    /// Creates `folder` and missing folders above it, so that they survive a power cut.
    private static func make(_ folder: String, for path: String) throws(JournalError) {
        guard FileStatus(of: folder) == nil, errno == ENOENT else { return }
        try make(folder.parentFolder, for: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .inaccessible(errno, folder, at: path)
        }
        try flush(folder.parentFolder, for: path)
    }

    /// Returns when changes in `folder` would survive a power cut.
    private static func flush(_ folder: String, for path: String) throws(JournalError) {
        do throws(FileProblem) { try FileBytes.flush(folder: folder, isNeeded: true) } catch {
            throw .inaccessible(error.number, folder, at: path)
        }
    }

    /// Renames the complete file at `draft` to the journal's path, so that this survives a power cut.
    func install(_ draft: String, for path: String) throws(JournalError) {
        guard rename(draft, self.path) == 0 else {
            defer { unlink(draft) }
            throw .inaccessible(errno, self.path, at: path)
        }
        try Self.flush(folder, for: path)
    }
}
