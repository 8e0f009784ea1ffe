import Glibc

/// A socket of the file system that only its owner reaches. It is made in a folder of its owner's, and takes its name when nobody else
/// can open it: the mask for the modes of new files is the whole process's and stays as it is.
struct PrivateSocket: Sendable {
    /// Where it is bound.
    let bound: String
    private let path: String
    private let folder: String

    /// A place for the socket that will be at `path`, where there is nothing, or a socket that nobody serves.
    init(at path: String) throws(BenchServerError) {
        try Self.requireFree(path)
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var template = Array((parent + ".XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .listening(path, String(cString: strerror(errno)))
        }
        // Without the zero at its end, which mkdtemp(3) leaves where it was.
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        (self.path, bound) = (path, folder + "/s")
        guard bound.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            rmdir(folder)
            throw .listening(path, "the path is too long for a socket")
        }
    }

    /// Gives it its name.
    func show() throws(BenchServerError) {
        try Self.requireFree(path)
        guard chmod(bound, 0o600) == 0, rename(bound, path) == 0 else {
            throw .listening(path, String(cString: strerror(errno)))
        }
        rmdir(folder)
    }

    /// Leaves nothing behind.
    func remove() {
        unlink(bound)
        rmdir(folder)
        if Self.isStale(path) { unlink(path) }
    }

    private static func requireFree(_ path: String) throws(BenchServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .listening(path, "a file that is not a socket is in the way; it was not changed")
        }
        guard isStale(path) else { throw .listening(path, "another program listens there") }
    }

    /// Whether a socket is at `path` that nobody listens on.
    private static func isStale(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let plug = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard plug >= 0 else { return false }
        defer { close(plug) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(plug, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result != 0 && errno == ECONNREFUSED
    }
}
