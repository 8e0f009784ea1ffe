import CLinux
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM, and SIGHUP where that is not ignored (nohup), as something to wait for, instead of something that kills.
///
/// A signalfd would need the signals blocked in every thread, and the runtime's main thread unblocks them
/// while it waits; so a handler rings an eventfd, which is all that a handler may do.
public final class Interruption: Sendable {
    private static let doorbell = Atomic<Int32>(-1)
    /// When the first signal of the latest wish came, in nanoseconds of the monotonic clock; 0 before.
    private static let latestRequest = Atomic<UInt64>(0)
    /// How many further wishes are heeded before one kills.
    private static let furtherRequests = Atomic<Int>(0)

    /// A descriptor that becomes readable when a signal has come.
    public let readable: Int32

    /// The descriptor of the last one that listens, -1 before any does: for a wait that has no loop.
    public static var bell: Int32 { doorbell.load(ordering: .sequentiallyConsistent) }

    /// Listens for the signals. Those of a second are one wish: `timeout` signals the program and its group, a terminal the
    /// whole group, and an end within that second is told. So many `stopRequests` ring, and the next one kills as ever: whoever
    /// sends that does not want to wait.
    public init(stopRequests: Int = 1) throws(SocketError) {
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

    /// Whether a signal at `now` is another wish than that whose first one came at `first`; nanoseconds.
    static func isFinal(at now: UInt64, first: UInt64) -> Bool {
        now >= first && now - first >= 1_000_000_000
    }

    /// Runs in the handler: only what is safe there (signal-safety(7)).
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
            // Delivered when the handler is left.
            signal(number, SIG_DFL)
            raise(number)
        }
        _ = eventfd_write(doorbell.load(ordering: .relaxed), 1)
    }

    /// Makes a wish of the program itself, as of one whose time is over.
    public static func ring() { stopRequests.ring() }

    /// The wishes that nobody has taken yet.
    public static var stopRequests: StopRequests { StopRequests(bell) }

    /// Waits for the next wish, and takes it. Returns early only when the task is cancelled, which takes nothing.
    public static func stopRequest(by readiness: some DescriptorReadiness) async {
        await stopRequests.heard(by: readiness)
        if !Task.isCancelled { stopRequests.take() }
    }
}
