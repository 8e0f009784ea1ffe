import Glibc

/// Files that are written for good: on the disk, and read back, before anybody is told of them.
enum OutputFile {
    /// How many names are tried for a draft; the numbers in them are random.
    private static let draftNames = 100

    /// Writes `bytes` to `path`, which gets the whole file or keeps what it has: they go into a draft beside it, which
    /// takes its place once it is on the disk and was read back. A link stays, and its target is written; a file that
    /// is there passes its mode on.
    static func write(
        _ bytes: [UInt8], to path: String, newMode: mode_t = 0o644
    ) throws(CommandFailure) {
        let place = try OutputPlace(path)
        let mode = place.present.map { $0.st_mode & 0o777 }
        let (draft, descriptor) = try newDraft(beside: place, path, mode ?? newMode)
        do throws(CommandFailure) {
            defer { _ = close(descriptor) }
            // What the mask took away is given back only where the old file had it.
            if let mode, fchmod(descriptor, mode) != 0 { throw failure(path) }
            try fill(descriptor, with: bytes, path)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, place.path) == 0 else {
            let error = failure(path)
            unlink(draft)
            throw error
        }
        try settle(place.folder, path)
    }

    /// Writes `bytes` to `path`, where nothing may be yet: nothing that is there is ever replaced, a link that leads
    /// nowhere included. Of a write that fails nothing stays; a power cut can leave a part, which is in the way of
    /// the next one.
    static func create(_ bytes: [UInt8], at path: String, mode: mode_t) throws(CommandFailure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw failure(path) }
            throw CommandFailure(
                "file-exists", during: "writing the file", message: "\(path) is there already")
        }
        do throws(CommandFailure) {
            defer { _ = close(descriptor) }
            try fill(descriptor, with: bytes, path)
            try settle(OutputPlace(path).folder, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// What the system says of `path` at this moment.
    static func failure(_ path: String) -> CommandFailure {
        CommandFailure(
            "file-not-writable", during: "writing the file",
            message: "\(path): \(String(cString: strerror(errno)))")
    }

    /// A file of its own beside `place`, whatever earlier runs left there.
    private static func newDraft(
        beside place: OutputPlace, _ path: String, _ mode: mode_t
    ) throws(CommandFailure) -> (name: String, descriptor: Int32) {
        for _ in 0..<draftNames {
            let name = "\(place.path).\(String(UInt32.random(in: 0 ... .max), radix: 36)).part"
            let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 { return (name, descriptor) }
            guard errno == EEXIST else { throw failure(path) }
        }
        throw failure(path)
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
        guard try contents(descriptor, atMost: bytes.count + 1, path) == bytes else {
            throw CommandFailure(
                "file-not-writable", during: "reading the file back",
                message: "\(path) would not have the bytes that were written")
        }
    }

    private static func contents(
        _ descriptor: Int32, atMost limit: Int, _ path: String
    ) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
                    off_t(filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    /// Brings the names in `folder` to the disk: a file whose name is lost in a power cut is lost.
    private static func settle(_ folder: String, _ path: String) throws(CommandFailure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder may be written to without being readable; then its file system settles it when it likes.
        guard descriptor >= 0 else {
            guard errno == EACCES else { throw failure(path) }
            return
        }
        defer { _ = close(descriptor) }
        // Some file systems cannot do it for folders, and say so with EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path) }
    }
}
