import CLinux
import Glibc
import Synchronization

/// Turns Ctrl-C, SIGTERM, and SIGHUP unless it is ignored (nohup), into events to wait for; they do not kill at once.
///
/// A signalfd would need the signals blocked in every thread, and the runtime's main thread unblocks them while
/// it waits. So a signal handler writes to an eventfd, which is allowed in a handler.
package final class Interruption: Sendable {
    private static let doorbell = Atomic<Int32>(-1)
    /// When the first signal of the latest stop request arrived, in nanoseconds of the monotonic clock; 0 before.
    private static let latestRequest = Atomic<UInt64>(0)
    /// How many further stop requests are handled before one kills.
    private static let furtherRequests = Atomic<Int>(0)

    /// A descriptor that becomes readable when a signal has arrived.
    package let readable: Int32

    /// The descriptor of the latest `Interruption`, -1 before there is one: for code that waits without an event loop.
    package static var bell: Int32 { doorbell.load(ordering: .sequentiallyConsistent) }

    /// Listens for the signals. Signals within one second count once: `timeout` signals the program and its
    /// group, and a terminal the whole group. The number of stop requests to handle is `stopRequests`; the next one
    /// kills as usual, for a sender that does not want to wait.
    package init(stopRequests: Int = 1) throws(SocketError) {
        readable = try StopRequests().descriptor
        Self.doorbell.store(readable, ordering: .sequentiallyConsistent)
        Self.latestRequest.store(0, ordering: .sequentiallyConsistent)
        Self.furtherRequests.store(stopRequests - 1, ordering: .sequentiallyConsistent)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { Interruption.handle($0) }
        action.sa_flags = SA_RESTART
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            var before = sigaction()
            guard sigaction(signal, nil, &before) == 0 else {
                throw SocketError(call: "sigaction", errno: errno)
            }
            let isIgnored =
                unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
            guard signal != SIGHUP || !isIgnored else { continue }
            guard sigaction(signal, &action, nil) == 0 else {
                throw SocketError(call: "sigaction", errno: errno)
            }
        }
    }

    /// Whether a signal at `now` is a new stop request, one second or more after that of `first`; both in nanoseconds.
    static func isFinal(at now: UInt64, first: UInt64) -> Bool {
        now >= first && now - first >= 1_000_000_000
    }

    /// Runs in the handler: only async-signal-safe calls (signal-safety(7)).
    private static func handle(_ number: Int32) {
        let kept = errno
        defer { errno = kept }
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        let now = UInt64(clock.tv_sec) &* 1_000_000_000 &+ UInt64(clock.tv_nsec)
        let latest = latestRequest.load(ordering: .sequentiallyConsistent)
        guard latest == 0 || isFinal(at: now, first: latest) else { return }
        latestRequest.store(now, ordering: .sequentiallyConsistent)
        if latest != 0, furtherRequests.subtract(1, ordering: .sequentiallyConsistent).oldValue <= 0 {
            // The raised signal is delivered when the handler returns, and ends the process.
            signal(number, SIG_DFL)
            raise(number)
        }
        _ = eventfd_write(doorbell.load(ordering: .relaxed), 1)
    }

    /// Makes a stop request from the program itself, for example when its time is over.
    package static func ring() { stopRequests.ring() }

    package static var stopRequests: StopRequests { StopRequests(bell) }

    /// Waits for the next stop request, and takes it. Returns early only when the task is cancelled, which
    /// takes nothing.
    package static func stopRequest(by readiness: some DescriptorReadiness) async {
        await stopRequests.heard(by: readiness)
        if !Task.isCancelled { stopRequests.take() }
    }
}

/// Stop requests, which stay until they are taken: a request that arrives just when its waiter has ended goes to
/// the next waiter.
package struct StopRequests: Sendable {
    /// The eventfd that they signal, which is never closed: a late signal may still write to it.
    let descriptor: Int32

    package init() throws(SocketError) {
        descriptor = eventfd(0, eventfd_flags)
        guard descriptor >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
    }

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    package func ring() { _ = eventfd_write(descriptor, 1) }

    /// Suspends until there is a stop request, without taking it, or until the task is cancelled.
    package func heard(by readiness: some DescriptorReadiness) async {
        // A cancelled waiter wakes all waiters of the same descriptor.
        while !Task.isCancelled, !isRung { await readiness.wait(for: .readable, of: descriptor) }
    }

    package func take() {
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
