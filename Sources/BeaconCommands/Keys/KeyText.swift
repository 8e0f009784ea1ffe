import Glibc
import PacketSockets

/// The text of a key, from whatever can be read to its end: a file, or a pipe as in `--key-file <(pass show key)`.
struct KeyText {
    let text: String
    private let path: String
    private let mode: mode_t

    /// No key in any form is longer.
    private static let limit = 64 * 1024

    /// Reads all of it; what is too long is refused with `code`. A pipe is waited for until its writer closes it or the
    /// command is interrupted.
    init(path: String, tooLong code: String) throws(CommandFailure) {
        // Without O_NONBLOCK, opening a pipe that has no writer yet would not end at Ctrl-C.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(
                "file-not-found", during: "opening the file", message: "\(path) is a folder")
        }
        var bytes: [UInt8] = []
        while let more = try Self.piece(of: descriptor, path) {
            bytes += more
            guard bytes.count <= Self.limit else {
                throw CommandFailure(
                    code, during: "reading the key",
                    message: "\(path) has more than \(Self.limit) bytes; no key is that long", exit: .badFile)
            }
        }
        (self.path, mode) = (path, status.st_mode)
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Warns where others can read the file too; for what is secret.
    func warnIfExposed(_ console: Console) {
        // The modes of terminals and other devices say nothing about what was read from them.
        guard [S_IFREG, S_IFIFO].contains(mode & S_IFMT), mode & 0o077 != 0 else { return }
        console.warn(
            "key-file-exposed", "\(path) can be read by other users of this machine; chmod 600 it")
    }

    /// What can be read now, after waiting for it; nil at the end.
    private static func piece(of descriptor: Int32, _ path: String) throws(CommandFailure) -> [UInt8]? {
        while true {
            // Nothing else runs yet that this wait would hold up. The kernel passes over a descriptor of -1.
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: Interruption.bell, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, nfds_t(waited.count), -1) < 0 {
                guard errno == EINTR else { throw unreadable(path) }
                continue
            }
            guard waited[1].revents == 0 else {
                throw CommandFailure(
                    "interrupted", during: "reading the key", message: "interrupted before the end of \(path)"
                )
            }
            var bytes = [UInt8](repeating: 0, count: limit + 1)
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw unreadable(path) }
            return count == 0 ? nil : Array(bytes.prefix(count))
        }
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(
            "file-not-found", during: "opening the file",
            message: "\(path): \(String(cString: strerror(errno)))")
    }
}
