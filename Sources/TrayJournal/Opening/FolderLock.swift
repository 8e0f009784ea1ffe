import Glibc

/// Keeps other programs from making or changing the tables of the journals in a folder meanwhile: flock(2) on the folder itself, which
/// leaves nothing there. Held for milliseconds, so it is waited for.
final class FolderLock {
    private let descriptor: Int32

    /// Waits for the lock of `folder`, for the journal at `path`.
    init(of folder: String, for path: String) throws(JournalError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .closed(errno, folder, at: path) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .closed(errno, folder, at: path) }
        }
    }

    deinit {
        // A program that is being started has a copy of the descriptor until it runs, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
