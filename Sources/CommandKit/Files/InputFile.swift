import Bluetooth
import Bytes
import Glibc
import UpdateModel

/// An input that is read to its end: a regular file, or one without a size, such as a pipe. `-` is stdin.
package struct InputFile: ~Copyable {
    /// The user's name for it; `stdin` for stdin.
    package let path: String
    /// The result of fstat(2).
    let status: stat
    private let descriptor: Int32

    /// Opens the file at `path`; throws for a folder.
    package init(path: String) throws(CommandFailure) {
        let name = path == "-" ? "stdin" : path
        // Without O_NONBLOCK, Ctrl-C could not interrupt opening a pipe that has no writer yet.
        let opened =
            path == "-"
            ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
            : open(path.systemPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        var found = stat()
        guard opened >= 0, fstat(opened, &found) == 0 else { throw Self.unreadable(name) }
        guard found.st_mode & S_IFMT != S_IFDIR else {
            _ = close(opened)
            throw CommandFailure(
                .file.fileIsDirectory, during: "opening the file", message: "\(name) is a folder")
        }
        (self.path, status, descriptor) = (name, found, opened)
    }

    deinit { _ = close(descriptor) }

    /// All bytes; nil if there are more than `limit`. A pipe is read until its writer closes it, or an interruption.
    package borrowing func contents(atMost limit: Int) throws(CommandFailure) -> [UInt8]? {
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard !isFile || status.st_size <= limit else { return nil }
        // One byte more than the file's size, so that the first read also finds the end.
        let piece = isFile ? Int(status.st_size) + 1 : 64 << 10
        var bytes: [UInt8] = []
        while true {
            try wait()
            var part = [UInt8](repeating: 0, count: min(limit + 1 - bytes.count, piece))
            let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw Self.unreadable(path) }
            if count == 0 { return bytes }
            bytes += part.prefix(count)
            guard bytes.count <= limit else { return nil }
        }
    }

    private borrowing func wait() throws(CommandFailure) {
        while true {
            // No other task runs yet that this wait would block. poll(2) ignores a descriptor of -1.
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: StopSignals.currentDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, nfds_t(waited.count), -1) < 0 {
                guard errno == EINTR else { throw Self.unreadable(path) }
                continue
            }
            guard waited[1].revents == 0 else {
                throw CommandFailure(
                    .system.interrupted, during: "reading the file",
                    message: "interrupted before the end of \(path)")
            }
            return
        }
    }

    package static func names(inFolder path: String) throws(CommandFailure) -> [String] {
        do throws(FileProblem) { return try FileBytes.names(in: path) } catch {
            throw unreadable(path, error.number)
        }
    }

    /// The failure to open or read `path`, with the system's error number.
    private static func unreadable(_ path: String, _ number: Int32 = errno) -> CommandFailure {
        let code: FailureCode =
            switch number {
            case EACCES, EPERM: .file.fileNotReadable
            case EISDIR: .file.fileIsDirectory
            default: .file.fileNotFound
            }
        return CommandFailure(
            code, during: "opening the file", message: "\(path)\(FileProblem.system(number).words)")
    }
}
