import CBuildNote
import Glibc
import UpdateModel

/// The limit of open files and sockets of this process.
enum DescriptorLimit {
    /// A flash has 14 open. Without a spare one the process would crash: libdispatch opens a file in /proc every second
    /// and traps on failure. Seven are open before this check; lower limits are refused before Swift's runtime starts
    /// (`start.c`).
    static let least = rlim_t(least_descriptors)

    /// Raises the soft limit to the hard limit; a tray needs a socket for each link.
    static func settle() throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_max < least else { return }
        throw CommandFailure(
            .system.descriptorsExhausted, during: "starting",
            message:
                "the system allows this program \(limit.rlim_max) open files and sockets; it needs \(least)")
    }
}
