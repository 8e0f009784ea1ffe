import Bytes
import Glibc

/// The lifetime of a claim, by a clock of the station that neither users nor the network set, and that continues while
/// the program is stopped or the machine sleeps (`CLOCK_BOOTTIME`).
///
/// The work server answers with a duration, which the station counts from the time of its request: no clocks are
/// compared, and the wait for the answer is part of the lease.
package struct Lease: Hashable, Sendable {
    /// Subtracted from each lease for differences in clock rate, and for the time between the check before a step and
    /// its start.
    package static let margin = Duration.seconds(5)

    /// When the claim ends for the station, in the time of `MachineClock`; nil for no end.
    package let end: Duration?

    /// A lease of `length`, which was requested at `moment`; a nil `length` is without end.
    package init(requestedAt moment: Duration, for length: Duration?) {
        end = length.map { moment + $0 - Self.margin }
    }

    /// The remaining time at `moment`; negative after its end, nil for no end.
    package func left(at moment: Duration) -> Duration? { end.map { $0 - moment } }

    /// Whether a step of at most `length` that starts at `moment` ends before the lease.
    package func covers(_ length: Duration, at moment: Duration) -> Bool {
        left(at: moment).map { $0 >= length } ?? true
    }
}

/// The clock of leases: `CLOCK_BOOTTIME`, the time since the machine's boot. Nobody can set it, and it continues while
/// the machine sleeps.
package enum MachineClock {
    package static var now: Duration {
        var moment = timespec()
        clock_gettime(CLOCK_BOOTTIME, &moment)
        return .seconds(moment.tv_sec) + .nanoseconds(moment.tv_nsec)
    }

    /// The id of this boot of the machine; nil if the kernel does not report it.
    package static var boot: String? { line(of: "/proc/sys/kernel/random/boot_id") }

    /// The id of the machine's installation (machine-id(5)); nil if the machine has none.
    package static var machine: String? { line(of: "/etc/machine-id") }

    private static func line(of path: String) -> String? {
        guard let bytes = FileBytes.contents(of: path, atMost: 128, isWhole: false) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
