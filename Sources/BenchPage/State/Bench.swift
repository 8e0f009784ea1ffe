public import Tray

/// A bench as the page shows it: who it is, its run, and how that goes.
public struct Bench: Hashable, Sendable {
    /// What its run is about.
    public struct Run: Hashable, Sendable {
        /// Names it for ever.
        public var id: String
        /// From 1; the second is the first `--resume`.
        public var session = 1
        /// The tray file.
        public var tray: String?
        /// The work order.
        public var order: String?
        /// Who works at it.
        public var operatorName: String?
        /// How many units there should be.
        public var expected: Int?
        /// The file that is sent, and the version that it brings.
        public var firmware: String?
        /// Whether the beacons are simulated.
        public var isSimulated = false
        /// When the session began.
        public var began: RecordedTime?
        /// When it ended.
        public var ended: RecordedTime?
        /// What bounded its speed most.
        public var limitedBy: String?

        /// The run `id`.
        public init(id: String) { self.id = id }
    }

    /// An adapter of the bench.
    public struct Adapter: Hashable, Sendable {
        /// As `hci0`.
        public var name: String
        /// That stand or are being made.
        public var links = 0
        /// How many it holds, as was learnt.
        public var limit: Int?
        /// Whether it is there.
        public var isThere = true

        /// The adapter `name`.
        public init(_ name: String) { self.name = name }
    }

    /// No further unit is begun.
    public struct Hold: Hashable, Sendable {
        /// The stable code of the reason.
        public var code: String
        /// The reason in words.
        public var message: String
        /// Since when.
        public var since: RecordedTime

        /// Whether it passes by itself, and nobody at the bench can lift it: the order is held, or no claim covers what comes next.
        public var isFromOutside: Bool { !Self.ofBenches.contains(code) }

        /// What a bench holds itself for.
        private static let ofBenches: Set = [
            "golden-failed", "consecutive-failures", "failure-share", "same-cause", "paused",
        ]

        /// A hold as described.
        public init(code: String, message: String, since: RecordedTime) {
            (self.code, self.message, self.since) = (code, message, since)
        }
    }

    /// Results that nobody has taken yet.
    public struct Outbox: Hashable, Sendable {
        /// How many.
        public var waiting: Int
        /// Since when the oldest of them waits.
        public var since: RecordedTime?
        /// How many were refused for good and are set aside.
        public var refused = 0

        /// So many since then.
        public init(waiting: Int, since: RecordedTime? = nil, refused: Int = 0) {
            (self.waiting, self.since, self.refused) = (waiting, since, refused)
        }
    }

    /// The catalogue that it works by.
    public struct Catalogue: Hashable, Sendable {
        /// Its version.
        public var version: String
        /// When it was fetched last.
        public var fetched: RecordedTime?

        /// Version `version`.
        public init(version: String, fetched: RecordedTime? = nil) {
            (self.version, self.fetched) = (version, fetched)
        }
    }

    /// What is shown may be old: nothing is heard of the bench.
    public struct Silence: Hashable, Sendable {
        /// Since when.
        public var since: RecordedTime
        /// Why.
        public var reason: String

        /// A silence as described.
        public init(since: RecordedTime, reason: String) { (self.since, self.reason) = (since, reason) }
    }

    /// Names it among others; never changes.
    public var id: String
    /// For people.
    public var name: String
    /// Its run; nil where there never was one.
    public var run: Run?
    /// In the tray's order.
    public var units: [PageUnit] = []
    /// In the order of the command line.
    public var adapters: [Adapter] = []
    /// Why no further unit is begun; nil where they are.
    public var hold: Hold?
    /// What waits to be handed in; nil where nothing is handed in.
    public var outbox: Outbox?
    /// What it works by; nil without one.
    public var catalogue: Catalogue?
    /// When the last unit will be done, as the run itself reckons.
    public var ends: RecordedTime?
    /// How fast all units together are sent firmware, as the run itself counts; nil where it does not tell.
    public var bytesPerSecond: Double?
    /// Whether units at work are finished and none is begun, because somebody ends the run.
    public var isEnding = false
    /// Whether this is a run that has ended, and not one that is under way.
    public var isPast = false
    /// What can be wished of it, by those who may.
    public var actions: Set<BenchAction.Kind> = []
    /// Since when nothing is heard; nil while something is.
    public var silence: Silence?
    /// When it told of itself last, where nothing is under way there and nothing waits; nil else.
    public var idle: RecordedTime?

    /// A bench of which nothing is known.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }
}
