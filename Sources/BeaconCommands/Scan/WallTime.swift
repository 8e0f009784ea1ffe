import FoundationEssentials

/// Converts the times of a timekeeper to dates.
struct WallTime: Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private let origin: Date

    /// Maps `moment` to the current date.
    init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The current time, in seconds since 1970 in UTC.
    static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    func text(_ moment: Duration) -> String {
        (origin + moment / .seconds(1)).formatted(Self.style)
    }
}
