package import Bytes
import Glibc

/// A file of the program's own whose name the user did not choose: a lock next to a journal, a draft, a record.
///
/// Opening one never overwrites another file (docs/decisions/0026-what-is-never-overwritten.md), whatever the options,
/// and follows no link. This also protects key files: none has the form of a side file.
package enum SideFile {
    package struct Refusal: Error, Hashable, Sendable {
        package let path: String
        /// The system's error number; 0 if something else is at the path.
        package let errno: Int32
        package let words: String

        init(_ path: String, _ errno: Int32) {
            (self.path, self.errno, words) = (path, errno, String(cString: strerror(errno)))
        }

        init(_ path: String, _ words: String) { (self.path, self.words, errno) = (path, words, 0) }
    }

    /// Opens `path` for reading and writing. It is created if missing; an existing one has to be a regular file
    /// that is empty or of the kind `form`.
    package static func open(
        _ path: String, as form: FileForm, mode: UInt32 = 0o644
    ) throws(Refusal) -> (descriptor: Int32, isNew: Bool) {
        for _ in 0..<mostTries {
            let created = Glibc.open(
                path.systemPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            if created >= 0 { return (created, true) }
            guard errno == EEXIST else { throw Refusal(path, errno) }
            // Nil if another program has removed the file in between.
            guard let descriptor = try opened(path, isWritten: true) else { continue }
            do throws(Refusal) { try check(descriptor, path, form) } catch {
                _ = close(descriptor)
                throw error
            }
            return (descriptor, false)
        }
        throw Refusal(path, EAGAIN)
    }

    /// Whether there is a file at `path`, which is not changed; throws if it is neither of the kind `form` nor empty.
    @discardableResult package static func exists(_ path: String, as form: FileForm) throws(Refusal) -> Bool {
        guard let descriptor = try opened(path, isWritten: false) else { return false }
        defer { _ = close(descriptor) }
        try check(descriptor, path, form)
        return true
    }

    /// Removes the file at `path`, if there is one; throws if it is neither of the kind `form` nor empty.
    package static func remove(_ path: String, as form: FileForm) throws(Refusal) {
        guard try exists(path, as: form) else { return }
        guard unlink(path.systemPath) == 0 || errno == ENOENT else { throw Refusal(path, errno) }
    }

    private static let mostTries = 10
    /// How many bytes at the start of a file are checked.
    private static let checkedBytes = 128

    private static func opened(_ path: String, isWritten: Bool) throws(Refusal) -> Int32? {
        let flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let descriptor = Glibc.open(path.systemPath, (isWritten ? O_RDWR : O_RDONLY) | flags | O_CLOEXEC)
        guard descriptor < 0 else { return descriptor }
        switch errno {
        case ENOENT: return nil
        case ELOOP: throw Refusal(path, "is a link")
        case EISDIR: throw Refusal(path, "is a folder")
        case ENXIO: throw Refusal(path, "is a socket or a pipe")
        case let number: throw Refusal(path, number)
        }
    }

    private static func check(_ descriptor: Int32, _ path: String, _ form: FileForm) throws(Refusal) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Refusal(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Refusal(path, "is a folder")
        default: throw Refusal(path, "is not a regular file")
        }
        guard status.st_size > 0 else { return }
        guard let head = try? FileBytes.contents(of: descriptor, atMost: checkedBytes) else {
            throw Refusal(path, errno)
        }
        guard form.fits(head) else { throw Refusal(path, "exists already and is not a \(form.words)") }
    }
}
