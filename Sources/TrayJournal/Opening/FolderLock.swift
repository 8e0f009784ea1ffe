import Glibc

/// Keeps other programs from creating or changing the tables of journals in a folder: flock(2) on the folder itself,
/// which leaves no file. It is held for milliseconds, so others wait for it, but with a timeout: anyone with read
/// access to the folder can hold it.
final class FolderLock {
    private static let timeout = Duration.seconds(10)
    private let descriptor: Int32

    /// Waits for the lock of `folder`, for the journal at `path`.
    init(of folder: String, for path: String) throws(JournalError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .closed(errno, folder, at: path) }
        let end = Self.uptime + Self.timeout
        // flock(2) has no deadline of its own.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            guard number == EWOULDBLOCK || number == EINTR, Self.uptime < end else {
                throw number == EWOULDBLOCK
                    ? JournalError(.busy, at: path) : .closed(number, folder, at: path)
            }
            usleep(10_000)
        }
    }

    private static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    deinit {
        // A program that is being started has a copy of the descriptor until it runs, which would keep the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
