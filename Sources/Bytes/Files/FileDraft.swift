import Glibc

package enum FileProblem: Error, Hashable, Sendable {
    /// The system's error number.
    case system(Int32)
    case differs

    package var number: Int32 { if case .system(let number) = self { number } else { EIO } }

    /// The problem in words, to follow the file's name.
    package var words: String {
        switch self {
        case .system(let number): ": " + String(cString: strerror(number))
        case .differs: " does not contain the bytes that were written"
        }
    }
}

/// The bytes of open files and small ones, by system calls that are repeated until all is done.
package enum FileBytes {
    /// The bytes from `offset` on, at most `limit`, independent of the file position.
    package static func contents(
        of descriptor: Int32, from offset: Int = 0, atMost limit: Int
    ) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        while bytes.count < limit {
            let room = min(limit - bytes.count, piece.count)
            let count = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, room, off_t(offset + bytes.count))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { break }
            bytes += piece.prefix(count)
        }
        return bytes
    }

    /// The bytes of the regular file at `path`, for example one of /proc; nil if it cannot be read. With `isWhole`, also
    /// nil if it has more than `limit`.
    package static func contents(of path: String, atMost limit: Int, isWhole: Bool = true) -> [UInt8]? {
        let descriptor = open(path.systemPath, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard !isWhole || status.st_size <= limit else { return nil }
        // A file of /proc has the size 0.
        let room = status.st_size > 0 ? min(limit, Int(status.st_size)) : limit
        return try? contents(of: descriptor, atMost: room)
    }

    /// The names in `folder` as ``PathText``, sorted, including those that are not UTF-8; without `.` and `..`.
    package static func names(in folder: String) throws(FileProblem) -> [String] {
        guard let stream = opendir(folder.systemPath) else { throw .system(errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Only `errno` distinguishes the end from an error (readdir(3)).
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .system(errno) }
                return names.sorted()
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { PathText.text(of: $0.prefix { $0 != 0 }) }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Writes all of `bytes` at the file position.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileProblem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes the names in `folder` to the disk: a power cut must not lose a file's name. A folder may be writable
    /// without being readable; then the flush is left to the file system, unless it `isNeeded`.
    package static func settle(folder: String, isNeeded: Bool = false) throws(FileProblem) {
        let descriptor = open(folder.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == EACCES, !isNeeded { return }
            throw .system(errno)
        }
        defer { _ = close(descriptor) }
        // Some file systems do not support this for folders, and return EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(errno) }
    }
}

/// A file that is being written and has no name yet, so that nothing is left if the program is killed.
///
/// On file systems without unnamed files (O_TMPFILE) it has a temporary name in the same folder.
package struct FileDraft: ~Copyable {
    /// Open for reading and writing.
    package let descriptor: Int32
    private let folder: String
    private var name: String?
    private var checksum = CRC32()

    /// How many random names are tried.
    private static let names = 100

    /// An empty file in `folder`, with `mode` reduced by the umask.
    package init(in folder: String, mode: UInt32) throws(FileProblem) {
        self.folder = folder
        // Glibc's O_TMPFILE, which Swift does not import: __O_TMPFILE | O_DIRECTORY.
        // It gets its name through /proc, which containers may lack.
        let unnamed =
            access("/proc/self/fd", X_OK) == 0
            ? open(folder.systemPath, O_RDWR | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC, mode) : -1
        if unnamed >= 0 {
            (descriptor, name) = (unnamed, nil)
            return
        }
        for _ in 0..<Self.names {
            let candidate = Self.newName(in: folder)
            let named = open(candidate.systemPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if named >= 0 {
                (descriptor, name) = (named, candidate)
                return
            }
            guard errno == EEXIST else { throw .system(errno) }
        }
        throw .system(errno)
    }

    deinit {
        if let name { unlink(name.systemPath) }
        _ = close(descriptor)
    }

    package mutating func append(_ bytes: [UInt8]) throws(FileProblem) {
        try FileBytes.write(bytes, to: descriptor)
        checksum.update(bytes[...])
    }

    /// Flushes everything to the disk, and reads it back.
    package func settle() throws(FileProblem) {
        guard fsync(descriptor) == 0 else { throw .system(errno) }
        let piece = 64 << 10
        var (found, offset) = (CRC32(), 0)
        while true {
            let bytes = try FileBytes.contents(of: descriptor, from: offset, atMost: piece)
            found.update(bytes[...])
            offset += bytes.count
            guard bytes.count == piece else { break }
        }
        guard found == checksum else { throw .differs }
    }

    /// Gives the file its name; returns false if the name exists already.
    package mutating func take(_ place: String) throws(FileProblem) -> Bool {
        if Self.link(descriptor, name, to: place) { return true }
        if errno == EEXIST { return false }
        // Some file systems cannot give a file a second name; there the draft is renamed.
        guard name != nil else { throw .system(errno) }
        let reserved = open(place.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw .system(errno)
        }
        _ = close(reserved)
        try replace(place)
        return true
    }

    /// Gives the file its name, and atomically replaces an existing file.
    package mutating func replace(_ place: String) throws(FileProblem) {
        var tries = 0
        while name == nil {
            let candidate = Self.newName(in: folder)
            if Self.link(descriptor, nil, to: candidate) {
                name = candidate
            } else {
                tries += 1
                guard errno == EEXIST, tries < Self.names else { throw .system(errno) }
            }
        }
        guard let draft = name, rename(draft.systemPath, place.systemPath) == 0 else { throw .system(errno) }
        name = nil
    }

    private static func newName(in folder: String) -> String {
        "\(folder)/.beacon-dfu-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    }

    private static func link(_ descriptor: Int32, _ name: String?, to place: String) -> Bool {
        let source = name ?? "/proc/self/fd/\(descriptor)"
        return linkat(AT_FDCWD, source.systemPath, AT_FDCWD, place.systemPath, AT_SYMLINK_FOLLOW) == 0
    }
}
