import Tray

/// What a bench is like before a shift, as far as it was looked at: a value, so that what it means can be tested.
struct BenchFacts: Equatable, Sendable {
    /// What an adapter hears.
    struct Air: Equatable, Sendable {
        let adapter: String
        /// How many beacons.
        let beacons: Int
        /// How many of them are as loud as those that lie on the bench.
        let near: Int
        /// All reports.
        let reportsPerSecond: Double
    }

    /// The journal of the station.
    struct JournalState: Equatable, Sendable {
        let path: String
        /// Why it cannot be used; nil where it can, or is still to be made.
        var flaw: String?
        /// What to do about that.
        var remedy: String?
        /// Runs that could be gone on with.
        var unfinished = 0
        /// What hooks have not been told.
        var waiting = 0
        /// Bytes free on its disk; nil where that cannot be told.
        var free: UInt64?
    }

    /// A catalogue.
    struct CatalogueState: Equatable, Sendable {
        let path: String
        /// Why it cannot be used.
        var flaw: String?
        var releases = 0
        /// Days since the latest of its files was changed.
        var age = 0
    }

    /// How many links an adapter is asked for.
    var links = LinkSlots.usual
    var isSimulated = false
    var air: [Air] = []
    var journal: JournalState?
    var catalogue: CatalogueState?
    /// Whether somebody keeps the clock right.
    var isClockKept: Bool?
    /// The year that it shows.
    var year = 0
}
