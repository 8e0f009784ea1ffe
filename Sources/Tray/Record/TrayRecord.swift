/// One run over a tray, with all its sessions: what a report is made of.
public struct TrayRecord: Hashable, Codable, Sendable {
    /// From a start of the program to its end; the second of a run is the first `--resume`.
    public struct Session: Hashable, Codable, Sendable {
        /// From 1.
        public var number: Int
        /// When it began.
        public var began: RecordedTime
        /// When it ended; nil while it lasts, and where it was cut off.
        public var ended: RecordedTime?
        /// How long it took, however the wall clock was set meanwhile; nil while it lasts, where it was cut off, and in records of earlier
        /// versions.
        public var seconds: Double?
        /// The program's version.
        public var version: String
        /// The adapters that it had.
        public var adapters: [Adapter] = []
        /// What the bench was like before it began.
        public var checks: [Check] = []
        /// What bounded its speed most: `connector`, `slots`, `air` or `flash`; nil where nothing was sent.
        public var limitedBy: String?
        /// The most bytes that all units together were sent within a second; nil where nothing was sent, and in records of earlier
        /// versions.
        public var mostBytesPerSecond: Int?

        /// A session that begins.
        public init(number: Int, began: RecordedTime, version: String) {
            (self.number, self.began, self.version) = (number, began, version)
        }
    }

    /// An adapter of a session.
    public struct Adapter: Hashable, Codable, Sendable {
        /// As `hci0`.
        public var name: String
        /// The most links that stood at a time; nil until the session has ended.
        public var mostLinks: Int?
        /// How many it was found to hold, or was allowed; nil where that was not reached.
        public var limit: Int?

        /// An adapter as described.
        public init(name: String, mostLinks: Int? = nil, limit: Int? = nil) {
            (self.name, self.mostLinks, self.limit) = (name, mostLinks, limit)
        }
    }

    /// Something that was looked at before a run.
    public struct Check: Hashable, Codable, Sendable {
        /// Its stable name.
        public var name: String
        /// `ok`, `warning` or `error`.
        public var level: String
        /// What was found.
        public var message: String

        /// A check as described.
        public init(_ name: String, _ level: String, _ message: String) {
            (self.name, self.level, self.message) = (name, level, message)
        }
    }

    /// A time in which no further unit was begun.
    public struct Hold: Hashable, Codable, Sendable {
        /// When it began.
        public var began: RecordedTime
        /// The stable code of the reason.
        public var code: String
        /// The reason in words.
        public var message: String
        /// When it was let go on; nil where it was not.
        public var released: RecordedTime?

        /// A hold as described.
        public init(began: RecordedTime, code: String, message: String, released: RecordedTime? = nil) {
            self.began = began
            self.code = code
            self.message = message
            self.released = released
        }
    }

    /// Names the run for ever: a UUID in lower case.
    public var id: String
    /// The tray file; nil for a run by rule.
    public var tray: String?
    /// The bench.
    public var station: String?
    /// Who worked at it.
    public var operatorName: String?
    /// The work order.
    public var orderNumber: String?
    /// How many units there should be; nil where they are not counted.
    public var expected: Int?
    /// Whether its beacons were simulated; nil for no, as in records of earlier versions.
    public var isSimulated: Bool?
    /// Whether it is one beacon's update without a tray; nil for no, as in records of earlier versions.
    public var isSingle: Bool?
    /// In their order.
    public var sessions: [Session] = []
    /// In their order.
    public var holds: [Hold] = []
    /// In the tray's order.
    public var units: [UnitRecord] = []

    /// A run of which nothing else is known.
    public init(id: String) { self.id = id }
}
