import FoundationEssentials
import Glibc
import Synchronization

/// The right to run a tray with a journal: flock(2) on a file beside it, which also says who has it.
///
/// The kernel lets it go with the process, however that ends. Not on the journal itself: SQLite's own locks on it are
/// lost when any other descriptor of it is closed (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
final class JournalLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes the lock of the journal at `path` for `owner`.
    init(of path: String, for owner: JournalOwner) throws(JournalError) {
        let file = path + ".lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .closed(errno, file, at: path) }
        self.descriptor = Mutex(descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .closed(errno, file, at: path) }
            throw JournalError(.taken(Self.owner(in: descriptor)), at: path)
        }
        // Only for people: the lock holds without it, as on a full disk.
        if let text = try? JSONEncoder().encode(owner), ftruncate(descriptor, 0) == 0 {
            _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    deinit { release() }

    /// Lets the lock go.
    func release() {
        guard let open = descriptor.withLock({ $0.take() }) else { return }
        // A program that is being started has a copy of the descriptor until it runs, which would keep the lock.
        flock(open, LOCK_UN)
        close(open)
    }

    /// No owner says more of itself.
    private static let mostBytes = 8192

    private static func owner(in descriptor: Int32) -> JournalOwner? {
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return try? JSONDecoder().decode(JournalOwner.self, from: Data(bytes.prefix(max(0, count))))
    }
}

extension JournalError {
    /// The system refuses `file`, which the journal at `path` needs.
    static func closed(_ number: Int32, _ file: String, at path: String) -> JournalError {
        if number == ENOSPC || number == EDQUOT { return JournalError(.diskFull, at: path) }
        let words = String(cString: strerror(number))
        return JournalError(.closed(file == path ? words : "\(file): \(words)"), at: path)
    }
}
