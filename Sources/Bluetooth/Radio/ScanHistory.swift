/// The scan history of an adapter, for all its listeners.
public struct ScanHistory: Sendable {
    /// Since when the adapter has listened without a break, by its clock; nil while it does not.
    public var listeningSince: Duration?
    /// The devices that were heard in the last seconds.
    public var sightings: [Sighting]

    /// A scan history; by default that of an adapter that keeps none.
    public init(listeningSince: Duration? = nil, sightings: [Sighting] = []) {
        self.listeningSince = listeningSince
        self.sightings = sightings
    }
}
