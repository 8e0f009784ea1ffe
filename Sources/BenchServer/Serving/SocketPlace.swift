import Glibc

/// Where a socket with a path is to be: the library removes what is there if it is a socket, whoever listens, and says of anything else the
/// name of a type.
enum SocketPlace {
    /// Why the page cannot listen at `path`; nil where nothing is there, or a socket that a server has left.
    static func flaw(_ path: String) -> String? {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            return "the path is too long for a socket"
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return "what is there is no socket, and is kept" }
        let probe = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { return nil }
        defer { close(probe) }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isServed = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isServed || errno == EAGAIN ? "another program listens there" : nil
    }
}
