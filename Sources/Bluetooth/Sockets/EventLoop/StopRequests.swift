import CLinux
import Glibc

/// Stop requests, which stay until they are taken: one that arrives just when its waiter has ended goes to the
/// next waiter.
public struct StopRequests: Sendable {
    /// The eventfd that they signal, which is never closed: a late signal may still write to it.
    let descriptor: Int32

    /// Creates it without a stop request.
    public init() throws(SocketError) {
        descriptor = eventfd(0, eventfd_flags)
        guard descriptor >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
    }

    /// Uses the eventfd `descriptor`.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Makes a stop request.
    public func ring() { _ = eventfd_write(descriptor, 1) }

    /// Suspends until there is a stop request, without taking it, or until the task is cancelled.
    public func heard(by readiness: some DescriptorReadiness) async {
        // A cancelled waiter wakes all that wait for the same descriptor.
        while !Task.isCancelled, !isRung { await readiness.wait(for: .readable, of: descriptor) }
    }

    /// Takes the pending stop requests.
    public func take() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Whether there is a stop request; true without a descriptor, for which nothing could wait.
    private var isRung: Bool {
        guard descriptor >= 0 else { return true }
        var bell = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&bell, 1, 0) != 0
    }
}
