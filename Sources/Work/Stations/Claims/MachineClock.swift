import Glibc

/// The clock of leases: `CLOCK_BOOTTIME`, which cannot be set, and which continues while a program is stopped and while
/// the machine sleeps.
public enum MachineClock {
    /// Time since the machine was started.
    public static var now: Duration {
        var moment = timespec()
        clock_gettime(CLOCK_BOOTTIME, &moment)
        return .seconds(moment.tv_sec) + .nanoseconds(moment.tv_nsec)
    }

    /// The id of this boot of the machine; nil if the kernel does not report it.
    public static var boot: String? { line(of: "/proc/sys/kernel/random/boot_id") }

    /// The id of the machine's installation (machine-id(5)); nil if it has none.
    public static var machine: String? { line(of: "/etc/machine-id") }

    private static func line(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [CChar](repeating: 0, count: 128)
        guard fgets(&bytes, Int32(bytes.count), file) != nil else { return nil }
        let text = String(
            decoding: bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
