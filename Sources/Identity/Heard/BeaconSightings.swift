public import Bluetooth

/// The beacons that were heard, as many as a `SightingMemory` holds.
public struct BeaconSightings: Sendable {
    private var memory: SightingMemory
    private var identities: [DeviceAddress: AdvertisedIdentity] = [:]

    /// No beacons yet. `isComplete`: the adapter reports every advertisement.
    public init(isComplete: Bool = false) { memory = SightingMemory(isComplete: isComplete) }

    /// Adds a report that arrived at `moment`; returns all that is known of its sender.
    @discardableResult public mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> BeaconSighting {
        let (sighting, forgotten) = memory.add(report, at: moment)
        if let forgotten { identities[forgotten] = nil }
        identities[report.address, default: AdvertisedIdentity(of: report.address)].hear(report.data)
        return beacon(sighting)
    }

    /// Adds the beacons that only `other` has heard.
    public mutating func join(_ other: BeaconSightings) {
        memory.join(other.memory)
        identities.merge(other.identities) { known, _ in known }
    }

    /// The number of beacons.
    public var count: Int { memory.sightings.count }

    /// The beacons that were heard, in no particular order.
    public var all: [BeaconSighting] {
        memory.sightings.values.map(beacon)
    }

    private func beacon(_ heard: Sighting) -> BeaconSighting {
        BeaconSighting(heard, identities[heard.address] ?? AdvertisedIdentity(of: heard.address))
    }
}
