public import BluetoothTypes

/// Who was heard, device by device. Devices that change their addresses, or somebody who makes addresses up, do not fill
/// memory: with the most that are remembered, whoever was not heard for the longest time is forgotten.
public struct SightingMemory: Sendable {
    /// How many devices are remembered.
    public static let most = 4096

    /// Who was heard.
    public private(set) var sightings: [DeviceAddress: Sighting] = [:]

    private let isComplete: Bool

    /// Nobody was heard yet. `isComplete`: the adapter passes every report on.
    public init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report that came at `moment`; gives all that is known of its sender, and who is forgotten for it.
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

    /// Adds whom only `other` has heard.
    public mutating func join(_ other: SightingMemory) {
        sightings.merge(other.sightings) { known, _ in known }
    }

    /// Forgets whoever was heard last before `moment`.
    public mutating func forget(before moment: Duration) {
        sightings = sightings.filter { $0.value.lastSeen >= moment }
    }

    private var oldest: DeviceAddress? {
        sightings.values.min { $0.lastSeen < $1.lastSeen }?.address
    }
}
