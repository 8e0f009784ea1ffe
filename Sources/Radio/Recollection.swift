/// What an adapter has heard lately, whoever listened.
public struct Recollection: Sendable {
    /// Since when somebody has listened without a break; nil while nobody does.
    public var listeningSince: Duration?
    /// Who was heard in the last seconds.
    public var sightings: [Sighting]

    /// The memory of an adapter that has none, or as given.
    public init(listeningSince: Duration? = nil, sightings: [Sighting] = []) {
        self.listeningSince = listeningSince
        self.sightings = sightings
    }
}
