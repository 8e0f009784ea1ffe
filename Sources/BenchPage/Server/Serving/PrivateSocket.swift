import Bytes
import CMicrohttpd
import Glibc

/// A Unix socket that only its owner can reach. It is created in a private folder, and renamed when no other user can
/// open it: the umask belongs to the whole process and is not changed.
struct PrivateSocket: Sendable {
    /// Where it is created, in the private folder.
    private let temporaryPath: String
    private let path: String
    private let folder: String
    let socket: ListeningSocket

    /// Listens at `path`, where no file may exist except a socket that no program serves.
    init(at path: String) throws(BenchServerError) {
        try Self.requireFree(path)
        // mkdtemp(3) writes the folder's name over these bytes, and no further.
        var template = (path.folderPrefix + ".XXXXXX").systemPath
        guard mkdtemp(&template) != nil else { throw .listening(path, String(cString: strerror(errno))) }
        // Without the trailing zero, which mkdtemp(3) does not change.
        folder = PathText.text(of: template.dropLast().map(UInt8.init(bitPattern:)))
        (self.path, temporaryPath) = (path, folder + "/s")
        do throws(HTTPFailure) { socket = try ListeningSocket(path: temporaryPath) } catch {
            unlink(temporaryPath.systemPath)
            rmdir(folder.systemPath)
            throw .listening(path, "\(error)")
        }
        do throws(BenchServerError) { try publish() } catch {
            close(socket.descriptor)
            remove()
            throw error
        }
    }

    /// Renames the socket to its final path, where other programs can see it.
    private func publish() throws(BenchServerError) {
        try Self.requireFree(path)
        guard chmod(temporaryPath.systemPath, 0o600) == 0,
            rename(temporaryPath.systemPath, path.systemPath) == 0
        else {
            throw .listening(path, String(cString: strerror(errno)))
        }
        rmdir(folder.systemPath)
    }

    /// Removes the socket and the folder, after the socket was closed.
    func remove() {
        unlink(temporaryPath.systemPath)
        rmdir(folder.systemPath)
        if Self.isStale(path) { unlink(path.systemPath) }
    }

    private static func requireFree(_ path: String) throws(BenchServerError) {
        guard let status = FileStatus(of: path, followingLinks: false) else { return }
        guard status.kind == S_IFSOCK else {
            throw .listening(path, "a file that is not a socket has this name; it was not changed")
        }
        guard isStale(path) else { throw .listening(path, "another program is listening there") }
    }

    /// Whether `path` is a socket without a listener.
    private static func isStale(_ path: String) -> Bool {
        guard let status = FileStatus(of: path, followingLinks: false), status.kind == S_IFSOCK,
            var address = sockaddr_un(path: path)
        else { return false }
        let probe = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { return false }
        defer { close(probe) }
        let result = withGeneralAddress(&address) { address, length in connect(probe, address, length) }
        return result != 0 && errno == ECONNREFUSED
    }
}
