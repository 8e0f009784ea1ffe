/// The lifetime of a claim, by the station's own clock: one that neither users nor the network set, and that continues
/// while the program is stopped or the machine sleeps (`CLOCK_BOOTTIME`).
///
/// The work server answers with a duration, and the station counts from before its request: clocks are never compared,
/// and the time for the answer shortens the lease.
package struct Lease: Hashable, Sendable {
    /// Subtracted from each lease for differences in clock rate, and for the time between the check before a step and
    /// its start.
    package static let margin = Duration.seconds(5)

    package let end: Duration?

    /// A lease of `length` that was requested at `moment`; nil for one without end.
    package init(askedAt moment: Duration, for length: Duration?) {
        end = length.map { moment + $0 - Self.margin }
    }

    /// The remaining time at `moment`; negative after its end, nil for no end.
    package func left(at moment: Duration) -> Duration? { end.map { $0 - moment } }

    /// Whether a step of at most `length` ends within it.
    package func covers(_ length: Duration, at moment: Duration) -> Bool {
        left(at: moment).map { $0 >= length } ?? true
    }
}
