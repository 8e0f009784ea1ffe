import CLinux
import Glibc

/// A process that waits for this one to end, and restores the terminal's line mode if this one could not, for
/// example after `kill -9`.
final class TerminalRestorer: Sendable {
    /// Descriptor 0 is a pipe that ends with this process, 3 the terminal.
    ///
    /// A background process may set the terminal's modes only with SIGTTOU ignored; the other signals are
    /// meant for this process.
    private static let script = "trap '' HUP INT QUIT TERM TSTP TTIN TTOU; read x || stty icanon echo <&3"

    private let process: pid_t
    private let pipe: Int32

    /// Starts the process for the terminal at `descriptor`; nil if none can be started.
    init?(_ descriptor: Int32) {
        var ends: [Int32] = [-1, -1]
        guard private_pipe(&ends) == 0 else { return nil }
        // A number that the new process does not use otherwise.
        let theirs = fcntl(ends[0], F_DUPFD_CLOEXEC, 10)
        close(ends[0])
        let process = theirs < 0 ? nil : Self.start(theirs, descriptor)
        if theirs >= 0 { close(theirs) }
        guard let process else {
            close(ends[1])
            return nil
        }
        (self.process, pipe) = (process, ends[1])
    }

    /// Ends the process without a change to the terminal, and waits for it.
    func dismiss() {
        _ = [UInt8(ascii: "\n")].withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
        leave()
    }

    /// Acts as if this process had ended, and waits for the other one to finish.
    func leave() {
        close(pipe)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    private static func start(_ pipe: Int32, _ terminal: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_adddup2(&actions, terminal, 3)
        posix_spawn_file_actions_adddup2(&actions, pipe, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // It inherits nothing else, such as a lock, or the end of a pipe that another process reads to its
        // end.
        spawn_close_from(&actions, 4)
        // Signals are blocked until the script ignores them.
        var blocked = sigset_t()
        sigfillset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { (arguments + environment).forEach { free($0) } }
        return posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &environment) == 0
            ? process : nil
    }
}
