import Glibc

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
    private static let maximumNames = 100

    /// An empty file in `folder`, where it also gets its name; with `mode` reduced by the umask.
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
        for _ in 0..<Self.maximumNames {
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
    package func flush() throws(FileProblem) {
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

    /// Gives the file its path, and flushes the name to the disk; returns false if the path exists already.
    package mutating func publish(at path: String) throws(FileProblem) -> Bool {
        if Self.link(descriptor, name, to: path) {
            try FileBytes.flush(folder: folder)
            return true
        }
        if errno == EEXIST { return false }
        // Some file systems cannot give a file a second name; there the draft is renamed.
        guard name != nil else { throw .system(errno) }
        let reserved = open(path.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard reserved >= 0 else {
            if errno == EEXIST { return false }
            throw .system(errno)
        }
        _ = close(reserved)
        try replace(path)
        return true
    }

    /// Gives the file its path, atomically replacing an existing file, and flushes the name to the disk.
    package mutating func replace(_ path: String) throws(FileProblem) {
        var tries = 0
        while name == nil {
            let candidate = Self.newName(in: folder)
            if Self.link(descriptor, nil, to: candidate) {
                name = candidate
            } else {
                tries += 1
                guard errno == EEXIST, tries < Self.maximumNames else { throw .system(errno) }
            }
        }
        guard let draft = name, rename(draft.systemPath, path.systemPath) == 0 else { throw .system(errno) }
        name = nil
        try FileBytes.flush(folder: folder)
    }

    private static func newName(in folder: String) -> String {
        "\(folder)/.beacon-dfu-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    }

    private static func link(_ descriptor: Int32, _ name: String?, to path: String) -> Bool {
        let source = name ?? "/proc/self/fd/\(descriptor)"
        return linkat(AT_FDCWD, source.systemPath, AT_FDCWD, path.systemPath, AT_SYMLINK_FOLLOW) == 0
    }
}
