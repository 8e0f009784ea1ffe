package import FoundationEssentials
import UpdateModel

/// A moment of the wall clock, in whole milliseconds since 1970 in UTC.
package struct RecordedTime: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    package static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment of `date`, cut to milliseconds.
    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    package static var now: RecordedTime { RecordedTime(Date.now) }

    /// Seconds since `earlier`; negative if the clock was set back.
    package func seconds(since earlier: RecordedTime) -> Double {
        Double(milliseconds - earlier.milliseconds) / 1000
    }

    package static func < (one: RecordedTime, other: RecordedTime) -> Bool {
        one.milliseconds < other.milliseconds
    }

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// ISO 8601 in UTC, with milliseconds.
    package var description: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Self.style)
    }

    /// ISO 8601 in UTC, cut to seconds.
    package var toSeconds: String { "\(description.prefix(19))Z" }
}
