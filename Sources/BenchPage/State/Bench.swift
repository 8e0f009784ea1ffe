public import Tray
import UpdateModel

/// A bench as the page shows it: its identity, its run, and the run's progress.
public struct Bench: Hashable, Sendable {
    /// The bench's run.
    public struct Run: Hashable, Sendable {
        /// Its permanent id.
        public var id: String
        /// From 1; the second is the first `--resume`.
        public var session = 1
        /// The tray file.
        public var tray: String?
        /// The work order.
        public var order: String?
        /// The operator's name.
        public var operatorName: String?
        /// The expected number of units.
        public var expected: Int?
        /// The file that is sent, and its version.
        public var firmware: String?
        /// Whether the beacons are simulated.
        public var isSimulated = false
        /// When the session began.
        public var began: RecordedTime?
        /// When it ended.
        public var ended: RecordedTime?
        /// What limited its speed most.
        public var limitedBy: String?

        /// The run `id`.
        public init(id: String) { self.id = id }
    }

    /// An adapter of the bench.
    public typealias Adapter = RunState.Adapter

    /// No further unit starts.
    public typealias Hold = TrayRecord.Hold

    /// Results that are not delivered yet.
    public struct Outbox: Hashable, Sendable {
        /// Their number.
        public var waiting: Int
        /// Since when the oldest of them waits.
        public var since: RecordedTime?
        /// The number of results that were permanently refused and set aside.
        public var refused = 0

        /// Creates the state with these values.
        public init(waiting: Int, since: RecordedTime? = nil, refused: Int = 0) {
            (self.waiting, self.since, self.refused) = (waiting, since, refused)
        }
    }

    /// The catalogue in use.
    public struct Catalogue: Hashable, Sendable {
        /// Its version.
        public var version: String
        /// When it was last fetched.
        public var fetched: RecordedTime?

        /// Version `version`.
        public init(version: String, fetched: RecordedTime? = nil) {
            (self.version, self.fetched) = (version, fetched)
        }
    }

    /// The state shown may be old: the bench is silent.
    public struct Silence: Hashable, Sendable {
        /// Since when.
        public var since: RecordedTime
        /// The reason.
        public var reason: String

        /// Creates a silence with these values.
        public init(since: RecordedTime, reason: String) { (self.since, self.reason) = (since, reason) }
    }

    /// Its unique, unchanging id.
    public var id: String
    /// The displayed name.
    public var name: String
    /// Its run; nil if there never was one.
    public var run: Run?
    /// In the tray's order.
    public var units: [PageUnit] = []
    /// In the order of the command line.
    public var adapters: [Adapter] = []
    /// Why no further unit starts; nil if units start.
    public var hold: Hold?
    /// Waiting results; nil if the bench delivers none.
    public var outbox: Outbox?
    /// The catalogue in use; nil for none.
    public var catalogue: Catalogue?
    /// When the last unit will be done, as estimated by the run.
    public var ends: RecordedTime?
    /// The rate at which all units together receive firmware, as reported by the run; nil if it reports none.
    public var bytesPerSecond: Double?
    /// Whether a user has ended the run: units at work are finished, no further unit starts.
    public var isEnding = false
    /// Whether the run has ended.
    public var isPast = false
    /// The possible actions, for users with the required role.
    public var actions: Set<BenchAction.Kind> = []
    /// Since when the bench is silent; nil while it is not.
    public var silence: Silence?
    /// When it last reported, if it is idle and no results wait; nil otherwise.
    public var idle: RecordedTime?

    /// A bench with only an id and a name.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

extension TrayRecord.Hold {
    /// Since when.
    public var since: RecordedTime { began }

    /// Whether it passes by itself and cannot be lifted at the bench: the order is held, or a claim is missing.
    public var isFromOutside: Bool { !HoldReason.codesOfBench.contains(code) }

    /// Creates a hold with these values.
    public init(code: String, message: String, since: RecordedTime) {
        self.init(began: since, code: FailureCode(named: code), message: message)
    }
}
