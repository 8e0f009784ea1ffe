import CLinux
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM, and SIGHUP where that is not ignored (nohup), as something to wait for, instead of something that kills.
///
/// A signalfd would need the signals blocked in every thread, and the runtime's main thread unblocks them
/// while it waits; so a handler rings an eventfd, which is all that a handler may do.
public final class Interruption: Sendable {
    private static let doorbell = Atomic<Int32>(-1)
    /// When the first signal came, in nanoseconds of the monotonic clock; 0 before.
    private static let firstSignal = Atomic<UInt64>(0)

    /// A descriptor that becomes readable when a signal has come. It is never closed: a late signal may still
    /// ring it.
    public let readable: Int32

    /// The descriptor of the last one that listens, -1 before any does: for a wait that has no loop.
    public static var bell: Int32 { doorbell.load(ordering: .sequentiallyConsistent) }

    /// Listens for the signals. One that comes a second after the first kills as ever: whoever sends that does
    /// not want to wait. An earlier one is the same wish again: `timeout` signals the program and its group, a
    /// terminal the whole group, and an end within that second is told.
    public init() throws(SocketError) {
        readable = eventfd(0, eventfd_flags)
        guard readable >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
        Self.doorbell.store(readable, ordering: .sequentiallyConsistent)
        Self.firstSignal.store(0, ordering: .sequentiallyConsistent)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { Interruption.heed($0) }
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

    /// Whether a signal at `now` kills, when the first one came at `first`; nanoseconds.
    static func isFinal(at now: UInt64, first: UInt64) -> Bool {
        now >= first && now - first >= 1_000_000_000
    }

    /// Runs in the handler: only what is safe there (signal-safety(7)).
    private static func heed(_ number: Int32) {
        let kept = errno
        defer { errno = kept }
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        let now = UInt64(clock.tv_sec) &* 1_000_000_000 &+ UInt64(clock.tv_nsec)
        let (isFirst, first) = firstSignal.compareExchange(
            expected: 0, desired: now, ordering: .sequentiallyConsistent)
        if !isFirst, isFinal(at: now, first: first) {
            // Delivered when the handler is left.
            signal(number, SIG_DFL)
            raise(number)
        }
        _ = eventfd_write(doorbell.load(ordering: .relaxed), 1)
    }
}
