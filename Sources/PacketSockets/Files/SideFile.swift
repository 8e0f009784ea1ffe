public import ByteCoding
import Glibc

/// A file of the program's own under a name that nobody has chosen: a lock beside a journal, a draft, a record. It keeps the rule of outputs
/// (docs/decisions/0026-what-is-never-overwritten.md), whatever the options say, and follows no link.
///
/// Keys are kept by that: nothing that fits a form of such a file is one.
public enum SideFile {
    /// Why a file cannot be used.
    public struct Refusal: Error, Hashable, Sendable {
        /// The file.
        public let path: String
        /// What the system says; 0 where something else is in the file's place.
        public let errno: Int32
        /// The cause, to follow the path.
        public let words: String

        init(_ path: String, _ errno: Int32) {
            (self.path, self.errno, words) = (path, errno, String(cString: strerror(errno)))
        }

        init(_ path: String, _ words: String) { (self.path, self.words, errno) = (path, words, 0) }
    }

    /// What is in a file's place.
    public enum Look: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// A file of the kind, or an empty one.
        case ours
    }

    /// Opens `path` to be read and written: made where nothing is, and else only a regular file that is empty or of the kind `form`.
    public static func open(
        _ path: String, as form: FileForm, mode: UInt32 = 0o644
    ) throws(Refusal) -> (descriptor: Int32, isNew: Bool) {
        for _ in 0..<mostTries {
            let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
            if made >= 0 { return (made, true) }
            guard errno == EEXIST else { throw Refusal(path, errno) }
            // Gone again where another program takes it away at this moment.
            guard let descriptor = try opened(path, isWritten: true) else { continue }
            do throws(Refusal) { try check(descriptor, path, form) } catch {
                _ = close(descriptor)
                throw error
            }
            return (descriptor, false)
        }
        throw Refusal(path, EAGAIN)
    }

    /// What is at `path`; throws where it is neither a file of the kind `form` nor empty, and changes nothing.
    @discardableResult public static func look(_ path: String, for form: FileForm) throws(Refusal) -> Look {
        guard let descriptor = try opened(path, isWritten: false) else { return .nothing }
        defer { _ = close(descriptor) }
        try check(descriptor, path, form)
        return .ours
    }

    /// Removes the file at `path`, where there is one, if it is of the kind `form` or empty.
    public static func remove(_ path: String, as form: FileForm) throws(Refusal) {
        guard try look(path, for: form) == .ours else { return }
        guard unlink(path) == 0 || errno == ENOENT else { throw Refusal(path, errno) }
    }

    private static let mostTries = 10
    /// So much of a file is looked at.
    private static let looked = 128

    private static func opened(_ path: String, isWritten: Bool) throws(Refusal) -> Int32? {
        let never = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        let descriptor = Glibc.open(path, (isWritten ? O_RDWR : O_RDONLY) | never | O_CLOEXEC)
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
        default: throw Refusal(path, "is no file")
        }
        guard status.st_size > 0 else { return }
        var head = [UInt8](repeating: 0, count: looked)
        let count = pread(descriptor, &head, looked, 0)
        guard count >= 0 else { throw Refusal(path, errno) }
        guard form.fits(Array(head.prefix(count))) else {
            throw Refusal(path, "exists already and is not a \(form.words)")
        }
    }
}
