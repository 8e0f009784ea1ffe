import Glibc

/// Where results go.
enum StandardOutput {
    /// Whether the program that read the output has gone away, as `head` does: poll(2) then reports an error on the
    /// writing end of a pipe.
    static var isOrphaned: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }
}
