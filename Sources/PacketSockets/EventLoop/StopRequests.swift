import CLinux
import Glibc

/// Wishes to end the program, which stay until somebody takes them: one that comes in the moment in which its waiter has ended is for
/// whoever waits next.
public struct StopRequests: Sendable {
    /// The eventfd that they ring, which is never closed: a late signal may still ring it.
    let descriptor: Int32

    /// A bell that nobody has rung.
    public init() throws(SocketError) {
        descriptor = eventfd(0, eventfd_flags)
        guard descriptor >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
    }

    /// The bell whose eventfd is `descriptor`.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Makes a wish.
    public func ring() { _ = eventfd_write(descriptor, 1) }

    /// Suspends until there is a wish, and leaves it; or until the task is cancelled.
    public func heard(by readiness: some DescriptorReadiness) async {
        // Who is cancelled wakes all that wait for the same descriptor.
        while !Task.isCancelled, !isRung { await readiness.wait(for: .readable, of: descriptor) }
    }

    /// Takes what there is.
    public func take() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Whether there is a wish; also where there is no descriptor, for which nobody could wait.
    private var isRung: Bool {
        guard descriptor >= 0 else { return true }
        var bell = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&bell, 1, 0) != 0
    }
}
