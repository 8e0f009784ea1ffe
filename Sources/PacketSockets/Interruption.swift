import CLinux
import Glibc

/// Ctrl-C and SIGTERM as something to wait for, instead of something that kills.
///
/// Make it before any other thread exists: threads inherit the blocked signals.
public final class Interruption: Sendable {
    private let descriptor: Int32
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }

    /// Blocks the two signals and listens for them.
    public init() throws(SocketError) {
        var signals = Self.signals
        let code = pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard code == 0 else { throw SocketError(call: "pthread_sigmask", errno: code) }
        descriptor = signalfd(-1, &signals, signalfd_flags)
        guard descriptor >= 0 else { throw SocketError(call: "signalfd", errno: errno) }
    }

    deinit { _ = Glibc.close(descriptor) }

    /// A descriptor that becomes readable when a signal comes.
    public var readable: Int32 { descriptor }

    /// Lets the next signal kill the process: whoever presses Ctrl-C twice does not want to wait.
    public static func restoreDefault() {
        var signals = Self.signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
