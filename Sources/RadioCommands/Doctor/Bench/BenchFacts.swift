import Tray

/// The state of a bench before a shift, as far as it was checked. A value, so that its checks can be tested.
package struct BenchFacts: Equatable, Sendable {
    /// What an adapter receives.
    struct Air: Equatable, Sendable {
        let adapter: String
        /// The number of beacons.
        let beacons: Int
        /// How many of them are as loud as beacons on the bench.
        let near: Int
        /// The advertising reports of all beacons.
        let reportsPerSecond: Double
    }

    /// The journal of the station.
    struct JournalState: Equatable, Sendable {
        let path: String
        /// Why it cannot be used; nil if it can, or does not exist yet.
        var flaw: String?
        /// What to do about it.
        var remedy: String?
        /// The number of runs that could be resumed.
        var unfinished = 0
        /// The number of results that hooks have not accepted.
        var waiting = 0
        /// Bytes free on its disk; nil if that cannot be determined.
        var free: UInt64?
    }

    package struct CatalogueState: Equatable, Sendable {
        let path: String
        /// Why it cannot be used.
        var flaw: String?
        var releases = 0
        /// Days since the latest of its files was changed.
        var age = 0
    }

    /// The most links that an adapter is asked for.
    var links = LinkSlots.usual
    package var isSimulated = false
    var air: [Air] = []
    var journal: JournalState?
    var catalogue: CatalogueState?
    /// Whether the clock is synchronised; nil if that cannot be determined.
    var isClockKept: Bool?
    /// The year of the clock.
    var year = 0
}
