import CLinux
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM as something to wait for, instead of something that kills.
///
/// A signalfd would need the signals blocked in every thread, and the runtime's main thread unblocks them
/// while it waits; so a handler rings an eventfd, which is all that a handler may do.
public final class Interruption: Sendable {
    private static let doorbell = Atomic<Int32>(-1)

    /// A descriptor that becomes readable when a signal has come. It is never closed: a late signal may still
    /// ring it.
    public let readable: Int32

    /// The descriptor of the last one that listens, -1 before any does: for a wait that has no loop.
    public static var bell: Int32 { doorbell.load(ordering: .sequentiallyConsistent) }

    /// Listens for the two signals. Each is caught once: whoever presses Ctrl-C twice does not want to wait,
    /// and is killed as ever.
    public init() throws(SocketError) {
        readable = eventfd(0, eventfd_flags)
        guard readable >= 0 else { throw SocketError(call: "eventfd", errno: errno) }
        Self.doorbell.store(readable, ordering: .sequentiallyConsistent)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            _ = eventfd_write(Interruption.doorbell.load(ordering: .relaxed), 1)
        }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        for signal in [SIGINT, SIGTERM] {
            guard sigaction(signal, &action, nil) == 0 else {
                throw SocketError(call: "sigaction", errno: errno)
            }
        }
    }
}
