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

/// Reads and writes files by system calls, which are repeated until all bytes are read or written.
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

    /// The bytes of the regular file at `path`, for example one of /proc, at most `limit`; nil if it cannot be read.
    /// With `isWhole`, also nil if it has more than `limit`.
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

    /// The absolute path of `path` with symbolic links resolved; nil if it does not exist, with the reason in `errno`.
    package static func realPath(of path: String) -> String? {
        guard let real = realpath(path.systemPath, nil) else { return nil }
        defer { free(real) }
        return PathText.text(cString: real)
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

    /// Flushes the names in `folder` to the disk, so that a power cut does not lose a file's name. A folder that cannot be
    /// read is not flushed; with `isNeeded` this throws.
    package static func flush(folder: String, isNeeded: Bool = false) throws(FileProblem) {
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

/// The status of a file (stat(2)).
package struct FileStatus: Sendable {
    /// The kind of file and its permissions.
    package let mode: UInt32
    package let owner: UInt32
    package let device, inode: UInt64
    /// The size in bytes.
    package let size: Int
    /// The number of names (hard links).
    package let names: Int
    /// The last change of its content, in seconds since 1970.
    package let modified: Int

    /// The status of the file at `path`; nil if there is none or the system refuses, as `errno` then says.
    package init?(of path: String, followingLinks followsLinks: Bool = true) {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(AT_FDCWD, path.systemPath, &status, flags) == 0 else { return nil }
        (mode, owner) = (status.st_mode, status.st_uid)
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
        (size, names, modified) = (status.st_size, Int(status.st_nlink), status.st_mtim.tv_sec)
    }

    /// The kind of file, such as `S_IFREG`.
    package var kind: UInt32 { mode & S_IFMT }
}

/// A kind of file, recognised by its first bytes: an output may replace only files of its kind
/// (docs/decisions/0026-what-is-never-overwritten.md).
public struct FileForm: Sendable {
    /// The kind in words, to follow "a".
    public let words: String
    /// Whether a file with these first bytes is of the kind.
    public let fits: @Sendable (_ head: [UInt8]) -> Bool

    public init(_ words: String, _ fits: @escaping @Sendable ([UInt8]) -> Bool) {
        (self.words, self.fits) = (words, fits)
    }

    public init(_ words: String, beginnings: [[UInt8]]) {
        self.init(words) { head in beginnings.contains { head.starts(with: $0) } }
    }

    /// Files with one of `beginnings`, or with a part of one: a killed program may leave a file that short.
    public init(_ words: String, beginningsAlsoCut beginnings: [[UInt8]]) {
        self.init(words) { head in beginnings.contains { head.starts(with: $0) || $0.starts(with: head) } }
    }
}
