public import Tray

/// A station's report on itself.
public struct StationReport: Hashable, Sendable {
    /// The station's identity.
    public var station: StationIdentity
    /// Its program's version.
    public var program: String
    /// The number of the latest result that its journal has; 0 for none.
    public var lastSequence: Int64
    /// The number of results not yet accepted.
    public var waiting: Int
    /// Since when the oldest of them waits; nil if none does.
    public var oldestWaiting: RecordedTime?
    /// The version of the catalogue in use; nil for none.
    public var catalogue: Int64?
    /// The state of its adapters and other details: a JSON object.
    public var details: String
    /// Its wall clock, to measure its offset. Nothing else depends on it.
    public var clock: RecordedTime

    /// A report of `station`.
    public init(
        _ station: StationIdentity, program: String, lastSequence: Int64, waiting: Int = 0,
        oldestWaiting: RecordedTime? = nil, catalogue: Int64? = nil, details: String = "{}",
        clock: RecordedTime
    ) {
        self.station = station
        self.program = program
        self.lastSequence = lastSequence
        self.waiting = waiting
        self.oldestWaiting = oldestWaiting
        self.catalogue = catalogue
        self.details = details
        self.clock = clock
    }
}
