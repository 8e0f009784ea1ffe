import ByteCoding
import Glibc

/// Files that are written for good (on the disk, and read back, before they are reported), and files that grow.
package enum OutputFile {
    /// Writes `bytes` to `path`, which gets the whole file or keeps what it has: they go into a draft beside it, which
    /// takes its place once it is on the disk and was read back. A link stays, and its target is written; a file that
    /// is there passes its mode on, if `rule` lets it be replaced at all.
    package static func write(
        _ bytes: [UInt8], to path: String, as kind: OutputKind, under rule: OutputRule,
        newMode: UInt32 = 0o644
    ) throws(CommandFailure) {
        var file = try GrowingFile(path, as: kind, under: rule, newMode: newMode)
        try file.append(bytes)
        try file.finish()
    }

    /// Writes `bytes` to `path`, which must not exist yet: nothing is ever replaced, not even a link that leads
    /// nowhere. The name appears when the whole file is on the disk. `what` is what such a file is.
    static func create(
        _ bytes: [UInt8], at path: String, mode: mode_t, for what: String = "a key"
    ) throws(CommandFailure) {
        let folder = OutputPlace.folder(of: path)
        var draft = try OutputDraft(in: folder, mode: mode, for: path)
        try draft.append(bytes, for: path)
        try draft.settle(for: path)
        guard try draft.take(path, for: path) else {
            throw CommandFailure(
                "file-exists", during: "writing the file",
                message: "\(path) exists already, and \(what) never replaces anything",
                nextStep: "choose another name, or move the file away")
        }
        try settle(folder, path)
    }

    /// Opens `path` to be written piece by piece, with nothing lost yet: a file for reading and writing, made if it is
    /// not there, or what is not a file (a pipe, a terminal) for writing without waiting.
    static func open(
        _ path: String, as kind: OutputKind, under rule: OutputRule
    ) throws(CommandFailure) -> (descriptor: Int32, isNew: Bool) {
        let place = try OutputPlace(path, allowingStreams: true)
        guard !place.isStream else {
            // A pipe that nobody reads must not stop the program; `open` says ENXIO instead.
            let descriptor = Glibc.open(path.systemPath, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard descriptor >= 0 else {
                throw errno == ENXIO ? failure(path, "is a pipe that nobody reads") : failure(path)
            }
            return (descriptor, false)
        }
        let create = place.present == nil ? O_CREAT | O_EXCL : 0
        let appending = kind == .log ? O_APPEND : 0
        let descriptor = Glibc.open(
            place.path.systemPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | create | appending, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(CommandFailure) { try rule.check(descriptor, path, for: kind) } catch {
            _ = close(descriptor)
            throw error
        }
        return (descriptor, place.present == nil)
    }

    /// What the system says of `path` at this moment, or `words`.
    static func failure(_ path: String, _ words: String? = nil) -> CommandFailure {
        CommandFailure(
            "file-not-writable", during: "writing the file",
            message: words.map { "\(path) \($0)" } ?? "\(path): \(String(cString: strerror(errno)))")
    }

    /// Throws where a file of `kind` could not be written to `path` now, for a result that takes long to get.
    package static func check(_ path: String, as kind: OutputKind, under rule: OutputRule)
        throws(CommandFailure)
    {
        let place = try OutputPlace(path)
        try check(place, path, for: kind, under: rule)
        guard access(place.folder.systemPath, W_OK | X_OK) == 0 else { throw failure(path) }
    }

    /// Refuses to lose what is at `place`.
    static func check(
        _ place: OutputPlace, _ path: String, for kind: OutputKind, under rule: OutputRule
    ) throws(CommandFailure) {
        guard place.present != nil else { return }
        let descriptor = Glibc.open(place.path.systemPath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(path, "cannot be read, so it may be a key; nothing was written")
        }
        defer { _ = close(descriptor) }
        try rule.check(descriptor, path, for: kind)
    }

    /// The bytes of a file that is open, from `offset` on, wherever it was read or written before.
    static func contents(
        _ descriptor: Int32, from offset: Int = 0, atMost limit: Int, _ path: String
    ) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
                    off_t(offset + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    /// Brings the names in `folder` to the disk: a file whose name is lost in a power cut is lost.
    static func settle(_ folder: String, _ path: String) throws(CommandFailure) {
        let descriptor = Glibc.open(folder.systemPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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
