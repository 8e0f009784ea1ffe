import Glibc

/// Where a journal is: its path without links, so that all who mean one file have one lock.
struct JournalPlace {
    /// The file.
    let path: String
    /// Its folder.
    let folder: String
    /// How many bytes it has; nil where there is none.
    let bytes: Int?
    /// How many names the file has: SQLite keeps a log for each (<https://www.sqlite.org/howtocorrupt.html>, 2.5).
    let names: Int

    /// Whether the file system of the folder is one that nobody can write to.
    var isReadOnly: Bool {
        var status = statvfs()
        return statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether there is a log of what is not in the file yet.
    var hasLog: Bool { access(path + "-wal", F_OK) == 0 }

    /// The place of `given`. With `creating` missing folders are made, for this user only.
    init(_ given: String, creating: Bool, onShares: Bool = false) throws(JournalError) {
        let slash = given.lastIndex(of: "/")
        let parent = slash.map { $0 == given.startIndex ? "/" : String(given[..<$0]) } ?? "."
        let name = slash.map { String(given[given.index(after: $0)...]) } ?? given
        guard !name.isEmpty, name != ".", name != ".." else { throw .closed(EISDIR, given, at: given) }
        if creating {
            if !onShares { try Self.checkShare(try Self.nearest(parent, for: given), for: given) }
            try Self.make(parent, for: given)
        }
        guard let folder = Self.resolved(parent) else {
            throw errno == ENOENT ? JournalError(.missing, at: given) : .closed(errno, parent, at: given)
        }
        let unlinked = Self.resolved(given) ?? (folder == "/" ? "/" + name : folder + "/" + name)
        let last = unlinked.lastIndex(of: "/") ?? unlinked.startIndex
        path = unlinked
        self.folder = last == unlinked.startIndex ? "/" : String(unlinked[..<last])
        var status = stat()
        if stat(unlinked, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw JournalError(.foreign(Self.words(for: status.st_mode)), at: given)
            }
            (bytes, names) = (Int(status.st_size), Int(status.st_nlink))
        } else {
            guard errno == ENOENT else { throw .closed(errno, unlinked, at: given) }
            guard lstat(unlinked, &status) != 0 else {
                throw JournalError(.closed("it is a link that leads nowhere"), at: given)
            }
            (bytes, names) = (nil, 0)
        }
        if !onShares { try Self.checkShare(self.folder, for: given) }
    }

    private static func checkShare(_ folder: String, for path: String) throws(JournalError) {
        if let kind = FileSystemKind(of: folder), kind.isShared {
            throw JournalError(.shared(kind.name), at: path)
        }
    }

    /// The folder that is there and is, or is to have in it, `folder`.
    private static func nearest(_ folder: String, for path: String) throws(JournalError) -> String {
        var place = folder
        while true {
            if let found = resolved(place) { return found }
            // The current folder was removed.
            guard above(place) != place else { throw .closed(errno, place, at: path) }
            place = above(place)
        }
    }

    private static func above(_ folder: String) -> String {
        folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
    }

    /// Throws where the file has other names, under which another log may be.
    func checkNames() throws(JournalError) {
        if names > 1 { throw JournalError(.linked(names), at: path) }
    }

    private static func words(for mode: mode_t) -> String {
        mode & S_IFMT == S_IFDIR ? "a folder" : "a device or a pipe"
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Makes `folder` and those above it that are missing, to last.
    private static func make(_ folder: String, for path: String) throws(JournalError) {
        var status = stat()
        guard stat(folder, &status) != 0, errno == ENOENT else { return }
        let above = above(folder)
        try make(above, for: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .closed(errno, folder, at: path) }
        try settle(above, for: path)
    }

    /// Waits until what was changed in `folder` would outlast a power cut.
    static func settle(_ folder: String, for path: String) throws(JournalError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .closed(errno, folder, at: path) }
        defer { close(descriptor) }
        // Some file systems cannot, and say so with EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .closed(errno, folder, at: path) }
    }
}
