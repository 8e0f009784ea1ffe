import Bluetooth
import Glibc
import Synchronization

/// A terminal mode that delivers keys as they are pressed, without echo. The earlier mode is restored however
/// the program ends: by itself, stopped (Ctrl-Z), by a signal, or by a fault.
///
/// Ctrl-C and Ctrl-Z keep their effect. Signal handlers read their state from atomics. For ends that no
/// handler sees, a separate process waits for this one to end.
package struct KeyMode: ~Copyable {
    /// The flags cleared from the terminal's local modes; 0 for none.
    private static let clearedFlags = Atomic<UInt32>(0)
    private static let terminal = Atomic<Int32>(-1)

    private let restorer: TerminalRestorer?

    /// Sets the mode of the terminal at `descriptor`; nil unless it is a terminal with this program in the foreground.
    init?(_ descriptor: Int32) {
        var modes = termios()
        guard Self.isInForeground(of: descriptor), tcgetattr(descriptor, &modes) == 0 else { return nil }
        let flags = modes.c_lflag & tcflag_t(ICANON | ECHO)
        guard flags != 0 else { return nil }
        restorer = TerminalRestorer(descriptor)
        Self.terminal.store(descriptor, ordering: .sequentiallyConsistent)
        Self.clearedFlags.store(flags, ordering: .sequentiallyConsistent)
        Self.change { $0 & ~flags }
        signal(SIGTSTP) { _ in KeyMode.stop() }
    }

    deinit {
        signal(SIGTSTP, SIG_DFL)
        let flags = Self.clearedFlags.exchange(0, ordering: .sequentiallyConsistent)
        Self.change { $0 | flags }
        restorer?.dismiss()
    }

    /// Whether `descriptor` is a terminal with this program in the foreground.
    package static func isInForeground(of descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Sets the mode again after a stop, if the program is in the foreground. Safe in a signal handler.
    package static func resume() {
        let flags = clearedFlags.load(ordering: .relaxed)
        guard flags != 0, isInForeground(of: terminal.load(ordering: .relaxed)) else { return }
        change { $0 & ~flags }
    }

    /// In the handler of Ctrl-Z: restores the terminal, then stops as usual.
    private static func stop() {
        let savedErrno = errno
        let flags = clearedFlags.load(ordering: .relaxed)
        change { $0 | flags }
        signal(SIGTSTP, SIG_DFL)
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        raise(SIGTSTP)
        signal(SIGTSTP) { _ in KeyMode.stop() }
        errno = savedErrno
    }

    private static func change(_ body: (tcflag_t) -> tcflag_t) {
        let descriptor = terminal.load(ordering: .relaxed)
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else { return }
        modes.c_lflag = body(modes.c_lflag)
        withUnsafeMutableBytes(of: &modes.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
        tcsetattr(descriptor, TCSADRAIN, &modes)
    }
}

/// A process that waits for this one to end, and restores the terminal's line mode if this one could not (`kill -9`).
final class TerminalRestorer: Sendable {
    /// Descriptor 0 is a pipe that ends with this process, 3 the terminal.
    ///
    /// A background process may set the terminal's modes only with SIGTTOU ignored; the other signals are
    /// meant for this process.
    private static let script = "trap '' HUP INT QUIT TERM TSTP TTIN TTOU; read x || stty icanon echo <&3"

    private let process: pid_t
    private let pipe: Mutex<OwnedDescriptor?>

    /// Starts the process for the terminal at `descriptor`; nil if none can be started.
    init?(_ descriptor: Int32) {
        do throws(SocketError) {
            let (theirs, ours) = try OwnedDescriptor.pipe()
            process = try ChildProgram(
                "/bin/sh", ["sh", "-c", Self.script], environment: ["PATH": "/usr/bin:/bin"],
                descriptors: [(0, theirs.number), (1, nil), (2, nil), (3, descriptor)], isIsolated: true
            ).start()
            withExtendedLifetime(theirs) {}
            pipe = Mutex(ours)
        } catch { return nil }
    }

    /// Ends the process without a change to the terminal, and waits for it.
    func dismiss() {
        pipe.withLock { pipe in
            guard let pipe else { return }
            _ = [UInt8(ascii: "\n")].withUnsafeBytes { write(pipe.number, $0.baseAddress, $0.count) }
        }
        closePipeAndWait()
    }

    /// Closes the pipe, as the end of this process would, and waits for the other process to end.
    func closePipeAndWait() {
        pipe.withLock { $0 = nil }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
}
