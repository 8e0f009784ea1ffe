public import BluetoothTypes

/// The devices that were heard, by address. It is bounded, so that changing or made-up addresses do not fill memory:
/// the device that was silent for the longest time is forgotten first.
public struct SightingMemory: Sendable {
    /// How many devices are remembered.
    public static let most = 4096

    /// The devices that are remembered.
    public private(set) var sightings: [DeviceAddress: Sighting] = [:]

    private static let candidates = most / 4
    /// The most silent devices when it was last looked, the longest silent last.
    private var silent: [(address: DeviceAddress, lastSeen: Duration)] = []
    private let isComplete: Bool

    /// An empty memory. `isComplete`: the adapter passes every report on.
    public init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report that came at `moment`; returns what is known of its sender, and the device that is forgotten for it.
    @discardableResult public mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> (sighting: Sighting, forgotten: DeviceAddress?) {
        guard let known = sightings.index(forKey: report.address) else {
            let forgotten = sightings.count < Self.most ? nil : forgetOldest()
            let new = Sighting(report, at: moment, isComplete: isComplete)
            sightings[report.address] = new
            return (new, forgotten)
        }
        // In place: a copy of what it said in every report costs more than all the rest.
        sightings.values[known].add(report, at: moment)
        return (sightings.values[known], nil)
    }

    /// Adds the devices that only `other` has heard.
    public mutating func join(_ other: SightingMemory) {
        sightings.merge(other.sightings) { known, _ in known }
    }

    /// Forgets the devices that were last heard before `moment`.
    public mutating func forget(before moment: Duration) {
        sightings = sightings.filter { $0.value.lastSeen >= moment }
    }

    /// Forgets the device that was silent for the longest time. All are looked through only once in `candidates` times:
    /// who was among the most silent then and was not heard since is still the most silent.
    private mutating func forgetOldest() -> DeviceAddress? {
        while !sightings.isEmpty {
            while let candidate = silent.popLast() {
                guard sightings[candidate.address]?.lastSeen == candidate.lastSeen else { continue }
                sightings[candidate.address] = nil
                return candidate.address
            }
            silent = sightings.values.map { ($0.address, $0.lastSeen) }
                .sorted { $0.lastSeen > $1.lastSeen }.suffix(Self.candidates)
        }
        return nil
    }
}
