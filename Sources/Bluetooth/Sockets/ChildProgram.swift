import CLinux
import Glibc

/// A program to start as a child in a process group of its own: Ctrl-C is for this program, which ends its children
/// itself. The caller waits for the process.
package struct ChildProgram {
    /// A path, or a name to be searched in `PATH`.
    package let path: String
    /// Its arguments; the first is the program's own name (`argv[0]`).
    package let words: [String]
    /// Its environment variables; nil for those of this program.
    package var environment: [String: String]?
    /// Its descriptors: `own` is the number in the child, `ours` the descriptor that is copied; nil for /dev/null.
    package let descriptors: [(own: Int32, ours: Int32?)]
    /// Whether it inherits no other descriptors, such as a lock's, and begins with all signals blocked.
    package var isIsolated = false

    package init(
        _ path: String, _ words: [String], environment: [String: String]? = nil,
        descriptors: [(own: Int32, ours: Int32?)], isIsolated: Bool = false
    ) {
        (self.path, self.words, self.environment) = (path, words, environment)
        (self.descriptors, self.isIsolated) = (descriptors, isIsolated)
    }

    package func start() throws(SocketError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let free = (descriptors.map(\.own).max() ?? -1) + 1
        var copies: [OwnedDescriptor] = []
        for (own, ours) in descriptors {
            guard let ours else {
                posix_spawn_file_actions_addopen(&actions, own, "/dev/null", O_RDWR, 0)
                continue
            }
            // The copy gets a number that the child does not use, so that no entry overwrites the source of another.
            let copy = fcntl(ours, F_DUPFD_CLOEXEC, free)
            guard copy >= 0 else { throw SocketError(call: "fcntl", errno: errno) }
            copies.append(OwnedDescriptor(copy))
            posix_spawn_file_actions_adddup2(&actions, copy, own)
        }
        defer { withExtendedLifetime(copies) {} }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        if isIsolated {
            spawn_close_from(&actions, free)
            sigfillset(&signals)
        } else {
            sigemptyset(&signals)
        }
        posix_spawnattr_setsigmask(&attributes, &signals)
        // The child gets the default action for signals that this program ignores or handles itself.
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let arguments = words.map { (text: String) in strdup(text) } + [nil]
        let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { for text in arguments + (variables ?? []) { Glibc.free(text) } }
        var process: pid_t = 0
        let code =
            if let variables {
                posix_spawnp(&process, path, &actions, &attributes, arguments, variables)
            } else {
                posix_spawnp(&process, path, &actions, &attributes, arguments, environ)
            }
        guard code == 0 else { throw SocketError(call: "posix_spawn", errno: code) }
        return process
    }
}

/// A descriptor that is closed with its last reference.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// A pipe whose ends a child gets only if its `descriptors` name them.
    package static func pipe() throws(SocketError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard private_pipe(&ends) == 0 else { throw SocketError(call: "pipe", errno: errno) }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }
}
