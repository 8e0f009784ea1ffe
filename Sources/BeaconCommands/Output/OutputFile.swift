import Glibc

/// Files that appear whole or not at all.
enum OutputFile {
    /// Writes `bytes` to `path`: into a new file beside it, flushed to the disk, then renamed over it.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(CommandFailure) {
        let draft = "\(path).\(getpid()).part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(CommandFailure) {
            defer { _ = close(descriptor) }
            try fill(descriptor, with: bytes, path)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let error = failure(path)
            unlink(draft)
            throw error
        }
    }

    /// Writes `bytes` to `path`, where nothing may be yet: nothing that is there is ever replaced.
    static func create(_ bytes: [UInt8], at path: String, mode: mode_t) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw failure(path) }
            throw CommandFailure(
                "file-exists", during: "writing the file", message: "\(path) is there already")
        }
        defer { _ = close(descriptor) }
        do throws(CommandFailure) { try fill(descriptor, with: bytes, path) } catch {
            unlink(path)
            throw error
        }
    }

    private static func fill(
        _ descriptor: Int32, with bytes: [UInt8], _ path: String
    ) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(
            "file-not-writable", during: "writing the file",
            message: "\(path): \(String(cString: strerror(errno)))")
    }
}
