/// One attempt at a unit: from its begin to its verdict.
public struct AttemptRecord: Hashable, Codable, Sendable {
    /// A phase of an update, by the names of `flash --json`.
    public struct Phase: Hashable, Codable, Sendable {
        /// Its name.
        public var name: String
        /// When it began, in seconds after the attempt did.
        public var at: Double

        /// The phase `name` from `at` on.
        public init(_ name: String, at: Double) { (self.name, self.at) = (name, at) }
    }

    /// How fast firmware was accepted.
    public struct Speed: Hashable, Codable, Sendable {
        /// In seconds after the attempt's begin.
        public var at: Double
        /// Since the speed before, or since firmware was sent: together they are what was sent.
        public var bytesPerSecond: Double

        /// So many bytes a second at `at`.
        public init(at: Double, bytesPerSecond: Double) {
            (self.at, self.bytesPerSecond) = (at, bytesPerSecond)
        }
    }

    /// Something to know that stopped nothing.
    public struct Warning: Hashable, Codable, Sendable {
        /// Its stable code.
        public var code: String
        /// What it is about.
        public var message: String

        /// The warning `code`.
        public init(_ code: String, _ message: String) { (self.code, self.message) = (code, message) }
    }

    /// What was sent, where something was; so far, where the attempt did not come to its end.
    public struct Transfer: Hashable, Codable, Sendable {
        /// Firmware bytes.
        public var bytes: Int
        /// From the first firmware byte to the last answer.
        public var seconds: Double
        /// What came about of them, in bytes per second.
        public var average: Double
        /// How often something was done again.
        public var retries: Int
        /// What set the speed: `air`, `flash`, `answers` or `retries`; nil where the transfer did not come to its end.
        public var limitedBy: String?

        /// A transfer as described.
        public init(bytes: Int, seconds: Double, average: Double, retries: Int, limitedBy: String?) {
            self.bytes = bytes
            self.seconds = seconds
            self.average = average
            self.retries = retries
            self.limitedBy = limitedBy
        }
    }

    /// Counted for the unit over all sessions of a run, from 1.
    public var number: Int
    /// The session of the run, from 1; the second is the first `--resume`.
    public var session: Int
    /// Over which adapter, as `hci0`.
    public var adapter: String
    /// When it began.
    public var began: RecordedTime
    /// How long it took; nil while it lasts, and where it was cut off.
    public var seconds: Double?
    /// The address at which the unit was found, with its kind after a slash.
    public var address: String
    /// What the unit was to get.
    public var firmware: FirmwareRecord?
    /// The version before; nil where it is not known.
    public var versionBefore: String?
    /// The version that the unit itself has told after the update; nil where it was not asked or says none.
    public var versionAfter: String?
    /// How far the result was checked: `version`, `reappeared` or `no`; nil where there is none.
    public var verified: String?
    /// In their order.
    public var phases: [Phase] = []
    /// One a second and one at the end, of the transfer only.
    public var speeds: [Speed] = []
    /// What was to be known of it.
    public var warnings: [Warning] = []
    /// What was sent.
    public var transfer: Transfer?
    /// How it ended; nil while it lasts, and where it was cut off.
    public var verdict: Verdict?

    /// An attempt that begins.
    public init(
        number: Int, session: Int, adapter: String, began: RecordedTime, address: String,
        firmware: FirmwareRecord? = nil, versionBefore: String? = nil
    ) {
        self.number = number
        self.session = session
        self.adapter = adapter
        self.began = began
        self.address = address
        self.firmware = firmware
        self.versionBefore = versionBefore
    }
}
