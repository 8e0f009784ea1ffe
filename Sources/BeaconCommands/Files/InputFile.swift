import ByteCoding
import Glibc
import PacketSockets

/// A file that is read to its end: a regular one, or what has no size, such as a pipe. `-` is stdin.
struct InputFile: ~Copyable {
    /// As the user named it; what is read from stdin is called that.
    let path: String
    /// What the system says of it.
    let status: stat
    private let descriptor: Int32

    /// Opens what `path` names; a folder is refused.
    init(path: String) throws(CommandFailure) {
        let name = path == "-" ? "stdin" : path
        // Without O_NONBLOCK, opening a pipe that has no writer yet would not end at Ctrl-C.
        let opened =
            path == "-"
            ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            : open(path.systemPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        var found = stat()
        guard opened >= 0, fstat(opened, &found) == 0 else { throw Self.unreadable(name) }
        guard found.st_mode & S_IFMT != S_IFDIR else {
            _ = close(opened)
            throw CommandFailure(
                "file-is-directory", during: "opening the file", message: "\(name) is a folder")
        }
        (self.path, status, descriptor) = (name, found, opened)
    }

    deinit { _ = close(descriptor) }

    /// All bytes; nil where there are more than `limit`. A pipe is waited for until its writer closes it or the command
    /// is interrupted.
    borrowing func contents(atMost limit: Int) throws(CommandFailure) -> [UInt8]? {
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard !isFile || status.st_size <= limit else { return nil }
        // With one byte more than a file has, its end is seen at once.
        let piece = isFile ? Int(status.st_size) + 1 : 64 << 10
        var bytes: [UInt8] = []
        while true {
            try wait()
            let room = min(limit + 1 - bytes.count, piece)
            let count = try read(room, into: &bytes)
            if count == 0 { return bytes }
            guard bytes.count <= limit else { return nil }
        }
    }

    /// Waits until there is something to read.
    private borrowing func wait() throws(CommandFailure) {
        while true {
            // Nothing else runs yet that this wait would hold up. The kernel passes over a descriptor of -1.
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: Interruption.bell, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, nfds_t(waited.count), -1) < 0 {
                guard errno == EINTR else { throw Self.unreadable(path) }
                continue
            }
            guard waited[1].revents == 0 else {
                throw CommandFailure(
                    "interrupted", during: "reading the file",
                    message: "interrupted before the end of \(path)")
            }
            return
        }
    }

    /// How many bytes came; 0 at the end.
    private borrowing func read(_ room: Int, into bytes: inout [UInt8]) throws(CommandFailure) -> Int {
        var piece = [UInt8](repeating: 0, count: room)
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                try wait()
                continue
            }
            guard count >= 0 else { throw Self.unreadable(path) }
            bytes += piece.prefix(count)
            return count
        }
    }

    /// Why `path` cannot be opened or read, at this moment.
    static func unreadable(_ path: String) -> CommandFailure {
        let code =
            switch errno {
            case EACCES, EPERM: "file-not-readable"
            case EISDIR: "file-is-directory"
            default: "file-not-found"
            }
        return CommandFailure(
            code, during: "opening the file", message: "\(path): \(String(cString: strerror(errno)))")
    }
}
