import CLinux
import Glibc
import Synchronization

/// A terminal that gives keys as they are pressed, and shows none of them. It is as before however the program ends: by itself,
/// stopped (Ctrl-Z), by a signal, or by a fault.
///
/// Ctrl-C and Ctrl-Z stay what they are. What a handler of a signal needs is in atomics; for what no handler sees, a process of its own
/// waits for the end of this one.
struct KeyMode: ~Copyable {
    /// What is taken from the terminal's local modes, 0 while nothing is.
    private static let taken = Atomic<UInt32>(0)
    private static let terminal = Atomic<Int32>(-1)

    private let keeper: TerminalKeeper?

    /// Takes the terminal at `descriptor`; nil where that is none, or where another program is in front of it.
    init?(_ descriptor: Int32) {
        var modes = termios()
        guard Self.isInFront(of: descriptor), tcgetattr(descriptor, &modes) == 0 else { return nil }
        let line = modes.c_lflag & tcflag_t(ICANON | ECHO)
        guard line != 0 else { return nil }
        keeper = TerminalKeeper(descriptor)
        Self.terminal.store(descriptor, ordering: .sequentiallyConsistent)
        Self.taken.store(line, ordering: .sequentiallyConsistent)
        Self.change { $0 & ~line }
        signal(SIGTSTP) { _ in KeyMode.stop() }
    }

    deinit {
        signal(SIGTSTP, SIG_DFL)
        let line = Self.taken.exchange(0, ordering: .sequentiallyConsistent)
        Self.change { $0 | line }
        keeper?.dismiss()
    }

    /// Whether `descriptor` is a terminal whose keys are for this program.
    static func isInFront(of descriptor: Int32) -> Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Takes the terminal again after a stop, once the program is in front of it. Safe in a handler of signals.
    static func resume() {
        let line = taken.load(ordering: .relaxed)
        guard line != 0, isInFront(of: terminal.load(ordering: .relaxed)) else { return }
        change { $0 & ~line }
    }

    /// In the handler of Ctrl-Z: gives the terminal back, then stops as ever.
    private static func stop() {
        let kept = errno
        let line = taken.load(ordering: .relaxed)
        change { $0 | line }
        signal(SIGTSTP, SIG_DFL)
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        raise(SIGTSTP)
        signal(SIGTSTP) { _ in KeyMode.stop() }
        errno = kept
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
