public import FoundationEssentials
public import UpdateModel

/// One run over a tray with all its sessions: the content of a report.
public struct TrayRecord: Hashable, Codable, Sendable {
    /// One execution of the program; the second of a run is the first `--resume`.
    public struct Session: Hashable, Codable, Sendable {
        /// From 1.
        public var number: Int
        /// When it began.
        public var began: RecordedTime
        /// When it ended; nil while it runs, and if it was cut off.
        public var ended: RecordedTime?
        /// Duration, independent of wall clock changes; nil while it runs, if it was cut off, and in records of earlier
        /// versions.
        public var seconds: Double?
        /// The program's version.
        public var version: String
        /// The adapters in use.
        public var adapters: [Adapter] = []
        /// The checks of the bench before it began.
        public var checks: [Check] = []
        /// What limited its speed most: `connector`, `slots`, `air` or `flash`; nil if nothing was sent.
        public var limitedBy: String?
        /// The most bytes sent to all units together within a second; nil if nothing was sent, and in records of
        /// earlier versions.
        public var mostBytesPerSecond: Int?

        /// A session that starts.
        public init(number: Int, began: RecordedTime, version: String) {
            (self.number, self.began, self.version) = (number, began, version)
        }
    }

    /// An adapter of a session.
    public struct Adapter: Hashable, Codable, Sendable {
        /// For example `hci0`.
        public var name: String
        /// The most simultaneous links; nil until the session has ended.
        public var mostLinks: Int?
        /// The number of links that it was found to hold or was allowed; nil if that was not reached.
        public var limit: Int?

        /// Creates an adapter with these values.
        public init(name: String, mostLinks: Int? = nil, limit: Int? = nil) {
            (self.name, self.mostLinks, self.limit) = (name, mostLinks, limit)
        }
    }

    /// A check before a run.
    public struct Check: Hashable, Codable, Sendable {
        /// Its stable name.
        public var name: String
        /// `ok`, `warning` or `error`.
        public var level: String
        /// The result in words.
        public var message: String

        /// Creates a check with these values.
        public init(_ name: String, _ level: String, _ message: String) {
            (self.name, self.level, self.message) = (name, level, message)
        }
    }

    /// A period in which no further unit was started.
    public struct Hold: Hashable, Codable, Sendable {
        /// When it began.
        public var began: RecordedTime
        /// The stable code of the reason.
        public var code: String
        /// The reason in words.
        public var message: String
        /// When it was released; nil if it was not.
        public var released: RecordedTime?

        /// Creates a hold with these values.
        public init(began: RecordedTime, code: FailureCode, message: String, released: RecordedTime? = nil) {
            self.began = began
            self.code = code.rawValue
            self.message = message
            self.released = released
        }
    }

    /// The run's permanent id: a UUID in lower case.
    public var id: String
    /// The tray file; nil for a run by rule.
    public var tray: String?
    /// The bench's name.
    public var station: String?
    /// The operator's name.
    public var operatorName: String?
    /// The work order's number.
    public var orderNumber: String?
    /// The expected number of units; nil if they are not counted.
    public var expected: Int?
    /// Whether its beacons were simulated; nil means no, as in records of earlier versions.
    public var isSimulated: Bool?
    /// Whether it is one beacon's update without a tray; nil means no, as in records of earlier versions.
    public var isSingle: Bool?
    /// In their order.
    public var sessions: [Session] = []
    /// In their order.
    public var holds: [Hold] = []
    /// In the tray's order.
    public var units: [UnitRecord] = []

    /// A run with only an id.
    public init(id: String) { self.id = id }
}

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
