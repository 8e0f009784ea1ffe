public import FoundationEssentials

/// A moment of the wall clock, in whole milliseconds since 1970 in UTC.
public struct RecordedTime: Hashable, Comparable, Codable, Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// The moment `milliseconds` after the beginning of 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment of `date`, cut to milliseconds.
    public init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The present.
    public static var now: RecordedTime { RecordedTime(Date.now) }

    /// Seconds since `earlier`; negative if the clock was set back.
    public func seconds(since earlier: RecordedTime) -> Double {
        Double(milliseconds - earlier.milliseconds) / 1000
    }

    /// The earlier moment.
    public static func < (one: RecordedTime, other: RecordedTime) -> Bool {
        one.milliseconds < other.milliseconds
    }

    /// The moment is one number.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// The moment is one number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension RecordedTime: CustomStringConvertible {
    /// ISO 8601 in UTC, with milliseconds.
    public var description: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Self.style)
    }
}
