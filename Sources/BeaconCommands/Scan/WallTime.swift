import FoundationEssentials

/// Turns the moments of a timekeeper into dates.
struct WallTime: Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private let origin: Date

    /// The present date is that of `moment`.
    init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The present, in seconds since 1970 in UTC.
    static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    func text(_ moment: Duration) -> String {
        (origin + moment / .seconds(1)).formatted(Self.style)
    }
}
