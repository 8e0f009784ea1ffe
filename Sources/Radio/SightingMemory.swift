public import BluetoothTypes

/// The devices that were heard, by address. It is bounded, so that changing or made-up addresses do not fill memory:
/// the device that was silent for the longest time is forgotten first.
public struct SightingMemory: Sendable {
    /// How many devices are remembered.
    public static let most = 4096

    /// The devices that are remembered.
    public private(set) var sightings: [DeviceAddress: Sighting] = [:]

    private let isComplete: Bool

    /// An empty memory. `isComplete`: the adapter passes every report on.
    public init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report that came at `moment`; returns what is known of its sender, and the device that is forgotten for it.
    @discardableResult public mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> (sighting: Sighting, forgotten: DeviceAddress?) {
        guard var known = sightings[report.address] else {
            let forgotten = sightings.count < Self.most ? nil : oldest
            if let forgotten { sightings[forgotten] = nil }
            let new = Sighting(report, at: moment, isComplete: isComplete)
            sightings[report.address] = new
            return (new, forgotten)
        }
        known.add(report, at: moment)
        sightings[report.address] = known
        return (known, nil)
    }

    /// Adds the devices that only `other` has heard.
    public mutating func join(_ other: SightingMemory) {
        sightings.merge(other.sightings) { known, _ in known }
    }

    /// Forgets the devices that were last heard before `moment`.
    public mutating func forget(before moment: Duration) {
        sightings = sightings.filter { $0.value.lastSeen >= moment }
    }

    private var oldest: DeviceAddress? {
        sightings.values.min { $0.lastSeen < $1.lastSeen }?.address
    }
}
