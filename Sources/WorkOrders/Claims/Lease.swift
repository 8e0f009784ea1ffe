/// How long a claim holds, by the station's own clock: a clock that neither a person nor a network sets, and that goes on while the
/// program is stopped or the machine sleeps (`CLOCK_BOOTTIME`).
///
/// The engine answers with a duration, and the station counts from before it asked: no two clocks are ever compared, and whatever
/// time the answer took is the station's loss.
public struct Lease: Hashable, Sendable {
    /// Taken off each lease for the two clocks going differently, and for what a step needs between its check and its begin.
    public static let margin = Duration.seconds(5)

    /// When it is over; nil for never.
    public let end: Duration?

    /// A lease for `length` that was asked for at `moment`; nil for one without end.
    public init(askedAt moment: Duration, for length: Duration?) {
        end = length.map { moment + $0 - Self.margin }
    }

    /// How much of it is left at `moment`; negative when it is over, nil where it has no end.
    public func left(at moment: Duration) -> Duration? { end.map { $0 - moment } }

    /// Whether a step that takes at most `length` ends within it.
    public func covers(_ length: Duration, at moment: Duration) -> Bool {
        left(at: moment).map { $0 >= length } ?? true
    }
}
