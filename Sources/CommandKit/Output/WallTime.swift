import FoundationEssentials
package import Tray

/// Converts the times of a timekeeper to dates.
package struct WallTime: Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private let origin: Date

    /// Maps `moment` to the current date.
    package init(now moment: Duration) { origin = Date.now - moment / .seconds(1) }

    /// The current time, in seconds since 1970 in UTC.
    package static var unixNow: UInt32 { UInt32(clamping: Int(Date.now.timeIntervalSince1970)) }

    /// ISO 8601 in UTC, with milliseconds.
    package func text(_ moment: Duration) -> String {
        (origin + moment / .seconds(1)).formatted(Self.style)
    }
}

extension RecordedTime {
    /// ISO 8601 in UTC, cut to seconds.
    package var toSeconds: String { "\(description.prefix(19))Z" }
}
