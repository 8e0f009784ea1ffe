import Glibc

/// The state of stdout.
enum StandardOutput {
    /// Whether the program that read the output has exited, as `head` does: poll(2) then reports an error on the
    /// writing end of a pipe.
    static var isOrphaned: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }
}
