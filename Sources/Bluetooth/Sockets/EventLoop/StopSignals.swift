import CLinux
import Glibc
import Synchronization

/// The signal handler of the program: it turns Ctrl-C (SIGINT), SIGTERM, and SIGHUP unless that is ignored (nohup) into
/// stop requests, for which tasks wait. Without it they would kill the program at once.
///
/// A signalfd would need the signals blocked in every thread, and the runtime's main thread unblocks them while
/// it waits. So a signal handler writes to an eventfd, which is allowed in a handler.
package final class StopSignals: Sendable {
    private static let latestDescriptor = Atomic<Int32>(-1)
    /// When the first signal of the latest stop request arrived, in nanoseconds of the monotonic clock; 0 before.
    private static let latestRequest = Atomic<UInt64>(0)
    /// How many further stop requests are handled before one kills.
    private static let furtherRequests = Atomic<Int>(0)

    /// Becomes readable when a signal has arrived.
    package let descriptor: Int32

    /// The descriptor of the latest `StopSignals`, -1 before there is one: for code that waits without an event loop.
    package static var currentDescriptor: Int32 { latestDescriptor.load(ordering: .sequentiallyConsistent) }

    /// Installs the handler. Signals within one second count once: `timeout` signals the program and its
    /// group, and a terminal the whole group. After `count` stop requests the next signal kills the program as
    /// usual, for a sender that does not want to wait.
    package init(handling count: Int = 1) throws(SocketError) {
        descriptor = try StopRequests().descriptor
        Self.latestDescriptor.store(descriptor, ordering: .sequentiallyConsistent)
        Self.latestRequest.store(0, ordering: .sequentiallyConsistent)
        Self.furtherRequests.store(count - 1, ordering: .sequentiallyConsistent)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { StopSignals.handle($0) }
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

    /// Whether a signal at `now` is a new stop request: it comes one second or more after `latest`, the first signal
    /// of the latest request. Both in nanoseconds.
    static func isNewRequest(at now: UInt64, after latest: UInt64) -> Bool {
        now >= latest && now - latest >= 1_000_000_000
    }

    /// Runs in the handler: only async-signal-safe calls (signal-safety(7)).
    private static func handle(_ number: Int32) {
        let kept = errno
        defer { errno = kept }
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        let now = UInt64(clock.tv_sec) &* 1_000_000_000 &+ UInt64(clock.tv_nsec)
        let latest = latestRequest.load(ordering: .sequentiallyConsistent)
        guard latest == 0 || isNewRequest(at: now, after: latest) else { return }
        latestRequest.store(now, ordering: .sequentiallyConsistent)
        if latest != 0, furtherRequests.subtract(1, ordering: .sequentiallyConsistent).oldValue <= 0 {
            // The raised signal is delivered when the handler returns, and ends the process.
            signal(number, SIG_DFL)
            raise(number)
        }
        _ = eventfd_write(latestDescriptor.load(ordering: .relaxed), 1)
    }

    /// Makes a stop request from the program itself, for example when its time is over.
    package static func requestStop() { stopRequests.add() }

    package static var stopRequests: StopRequests { StopRequests(currentDescriptor) }

    /// Waits for the next stop request, and removes it. Returns early only when the task is cancelled, which
    /// removes nothing.
    package static func nextStopRequest(by readiness: some DescriptorReadiness) async {
        await stopRequests.wait(by: readiness)
        if !Task.isCancelled { stopRequests.remove() }
    }
}

/// Pending stop requests. A request that arrives just when its waiter has ended stays for the next waiter.
package struct StopRequests: Sendable {
    /// The eventfd that they signal, which is never closed: a late signal may still write to it.
    let descriptor: Int32

    package init() throws(SocketError) {
        descriptor = eventfd(0, eventfd_flags)
        guard descriptor >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
    }

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    package func add() { _ = eventfd_write(descriptor, 1) }

    /// Suspends until there is a stop request, without removing it, or until the task is cancelled.
    package func wait(by readiness: some DescriptorReadiness) async {
        // A cancelled waiter wakes all waiters of the same descriptor.
        while !Task.isCancelled, !isPending { await readiness.wait(for: .readable, of: descriptor) }
    }

    /// Removes all stop requests.
    package func remove() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Whether there is a stop request; true without a descriptor, for which nothing could wait.
    private var isPending: Bool {
        guard descriptor >= 0 else { return true }
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) != 0
    }
}
