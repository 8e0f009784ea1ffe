package import FoundationEssentials
package import UpdateModel

/// One run over a tray with all its sessions: the content of a report.
package struct TrayRecord: Hashable, Codable, Sendable {
    /// One execution of the program; the second of a run is the first `--resume`.
    package struct Session: Hashable, Codable, Sendable {
        /// From 1.
        package var number: Int
        /// When it began.
        package var began: RecordedTime
        /// When it ended; nil while it runs, and if it was cut off.
        package var ended: RecordedTime?
        /// Duration, independent of wall clock changes; nil while it runs, if it was cut off, and in records of earlier
        /// versions.
        package var seconds: Double?
        /// The program's version.
        package var version: String
        /// The adapters in use.
        package var adapters: [Adapter] = []
        /// The checks of the bench before it began.
        package var checks: [Check] = []
        /// What limited its speed most: `connector`, `slots`, `air` or `flash`; nil if nothing was sent.
        package var limitedBy: String?
        /// The most bytes sent to all units together within a second; nil if nothing was sent, and in records of
        /// earlier versions.
        package var mostBytesPerSecond: Int?

        /// A session that starts.
        package init(number: Int, began: RecordedTime, version: String) {
            (self.number, self.began, self.version) = (number, began, version)
        }
    }

    /// An adapter of a session.
    package struct Adapter: Hashable, Codable, Sendable {
        /// For example `hci0`.
        package var name: String
        /// The most simultaneous links; nil until the session has ended.
        package var mostLinks: Int?
        /// The number of links that it was found to hold or was allowed; nil if that was not reached.
        package var limit: Int?

        /// Creates an adapter with these values.
        package init(name: String, mostLinks: Int? = nil, limit: Int? = nil) {
            (self.name, self.mostLinks, self.limit) = (name, mostLinks, limit)
        }
    }

    /// A check before a run.
    package struct Check: Hashable, Codable, Sendable {
        /// Its stable name.
        package var name: String
        /// `ok`, `warning` or `error`.
        package var level: String
        /// The result in words.
        package var message: String

        /// Creates a check with these values.
        package init(_ name: String, _ level: String, _ message: String) {
            (self.name, self.level, self.message) = (name, level, message)
        }
    }

    /// A period in which no further unit was started.
    package struct Hold: Hashable, Codable, Sendable {
        /// When it began.
        package var began: RecordedTime
        /// The stable code of the reason.
        package var code: String
        /// The reason in words.
        package var message: String
        /// When it was released; nil if it was not.
        package var released: RecordedTime?

        /// Creates a hold with these values.
        package init(began: RecordedTime, code: FailureCode, message: String, released: RecordedTime? = nil) {
            self.began = began
            self.code = code.rawValue
            self.message = message
            self.released = released
        }
    }

    /// The run's permanent id: a UUID in lower case.
    package var id: String
    /// The tray file; nil for a run by rule.
    package var tray: String?
    /// The bench's name.
    package var station: String?
    /// The operator's name.
    package var operatorName: String?
    /// The work order's number.
    package var orderNumber: String?
    /// The expected number of units; nil if they are not counted.
    package var expected: Int?
    /// Whether its beacons were simulated; nil means no, as in records of earlier versions.
    package var isSimulated: Bool?
    /// Whether it is one beacon's update without a tray; nil means no, as in records of earlier versions.
    package var isSingle: Bool?
    /// In their order.
    package var sessions: [Session] = []
    /// In their order.
    package var holds: [Hold] = []
    /// In the tray's order.
    package var units: [UnitRecord] = []

    /// A run with only an id.
    package init(id: String) { self.id = id }
}

/// A moment of the wall clock, in whole milliseconds since 1970 in UTC.
package struct RecordedTime: Hashable, Comparable, Codable, Sendable {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Milliseconds since 1970.
    package let milliseconds: Int64

    /// The moment `milliseconds` after the beginning of 1970.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment of `date`, cut to milliseconds.
    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The present.
    package static var now: RecordedTime { RecordedTime(Date.now) }

    /// Seconds since `earlier`; negative if the clock was set back.
    package func seconds(since earlier: RecordedTime) -> Double {
        Double(milliseconds - earlier.milliseconds) / 1000
    }

    /// The earlier moment.
    package static func < (one: RecordedTime, other: RecordedTime) -> Bool {
        one.milliseconds < other.milliseconds
    }

    /// The moment is one number.
    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// The moment is one number.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension RecordedTime: CustomStringConvertible {
    /// ISO 8601 in UTC, with milliseconds.
    package var description: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Self.style)
    }
}
