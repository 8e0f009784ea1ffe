import CBuildNote
import Glibc

/// How many files and sockets the system lets this process have open.
enum DescriptorLimit {
    /// A flash has 14 open. With none to spare the process would die: libdispatch opens a file in /proc every second and
    /// traps where it cannot. Seven are open before this is asked: fewer are refused before Swift's runtime begins (`start.c`).
    static let least = rlim_t(least_descriptors)

    /// Raises the limit as far as that is allowed to everybody; a tray needs a socket for each link.
    static func settle() throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_max < least else { return }
        throw CommandFailure(
            "descriptors-exhausted", during: "starting",
            message:
                "the system lets this program open \(limit.rlim_max) files and sockets; it needs \(least)")
    }
}
