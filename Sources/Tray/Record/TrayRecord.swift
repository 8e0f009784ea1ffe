import FoundationEssentials
package import UpdateModel

/// One run over a tray with all its sessions: the content of a report.
package struct TrayRecord: Hashable, Codable, Sendable {
    /// One execution of the program: the first one, or a `--resume`.
    package struct Session: Hashable, Codable, Sendable {
        /// The session's number in the run, from 1.
        package var number: Int
        package var began: RecordedTime
        /// When the session ended; nil while it runs, and if it was cut off.
        package var ended: RecordedTime?
        /// The duration, independent of wall clock changes; nil while the session runs, if it was cut off, and in
        /// records of earlier versions.
        package var seconds: Double?
        package var version: String
        package var adapters: [Adapter] = []
        package var checks: [Check] = []
        /// What limited the speed most: `connector`, `air`, `flash`, `answers` or `retries`; nil if nothing was sent.
        package var limitedBy: String?
        /// The most bytes sent to all units together within a second; nil if nothing was sent, and in records of
        /// earlier versions.
        package var mostBytesPerSecond: Int?

        package init(number: Int, began: RecordedTime, version: String) {
            (self.number, self.began, self.version) = (number, began, version)
        }
    }

    package struct Adapter: Hashable, Codable, Sendable {
        /// The adapter's name, for example `hci0`.
        package var name: String
        /// The most simultaneous links; nil until the session has ended.
        package var mostLinks: Int?
        /// The limit of simultaneous links at the end of the session; nil until then.
        package var limit: Int?

        package init(name: String, mostLinks: Int? = nil, limit: Int? = nil) {
            (self.name, self.mostLinks, self.limit) = (name, mostLinks, limit)
        }
    }

    package struct Check: Hashable, Codable, Sendable {
        package var name: String
        /// `ok`, `warning` or `error`.
        package var level: String
        package var message: String

        package init(_ name: String, _ level: String, _ message: String) {
            (self.name, self.level, self.message) = (name, level, message)
        }
    }

    /// A period in which no further unit was started.
    package struct Hold: Hashable, Codable, Sendable {
        package var began: RecordedTime
        package var code, message: String
        package var released: RecordedTime?

        package init(began: RecordedTime, code: FailureCode, message: String, released: RecordedTime? = nil) {
            self.began = began
            self.code = code.rawValue
            (self.message, self.released) = (message, released)
        }
    }

    /// The run's permanent id: a UUID in lower case.
    package var id: String
    /// The tray file; nil for a run by rule.
    package var tray: String?
    package var station, operatorName, orderNumber: String?
    /// The expected number of units; nil if they are not counted.
    package var expected: Int?
    /// Whether the beacons were simulated; nil means no, as in records of earlier versions.
    package var isSimulated: Bool?
    /// Whether the run is one beacon's update without a tray; nil means no, as in records of earlier versions.
    package var isSingle: Bool?
    package var sessions: [Session] = []
    package var holds: [Hold] = []
    /// The units in the tray's order.
    package var units: [UnitRecord] = []

    package init(id: String) { self.id = id }
}
