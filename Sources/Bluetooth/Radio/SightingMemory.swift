/// The devices that were heard, by address. It is bounded, so that changing or forged addresses do not fill
/// memory: the device that was silent for the longest time is removed first.
public struct SightingMemory: Sendable {
    /// The maximum number of remembered devices.
    public static let most = 4096

    /// The remembered devices.
    public private(set) var sightings: [DeviceAddress: Sighting] = [:]

    private static let candidates = most / 4
    /// The longest silent devices at the last search, the longest silent last.
    private var silent: [(address: DeviceAddress, lastSeen: Duration)] = []
    private let isComplete: Bool

    /// An empty memory. `isComplete`: the adapter reports every advertisement.
    public init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report that arrived at `moment`; returns what is known of its sender, and the device that was
    /// removed to make space.
    @discardableResult public mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> (sighting: Sighting, forgotten: DeviceAddress?) {
        guard let known = sightings.index(forKey: report.address) else {
            let forgotten = sightings.count < Self.most ? nil : forgetOldest()
            let new = Sighting(report, at: moment, isComplete: isComplete)
            sightings[report.address] = new
            return (new, forgotten)
        }
        // In place: a copy of the data of every report would dominate the cost.
        sightings.values[known].add(report, at: moment)
        return (sightings.values[known], nil)
    }

    /// Adds the devices that only `other` has heard.
    public mutating func join(_ other: SightingMemory) {
        sightings.merge(other.sightings) { known, _ in known }
    }

    /// Removes the devices that were last heard before `moment`.
    public mutating func forget(before moment: Duration) {
        sightings = sightings.filter { $0.value.lastSeen >= moment }
    }

    /// Removes the device that was silent for the longest time. All are searched only once in `candidates`
    /// times: a device that was among the longest silent then and was not heard since is still the longest
    /// silent.
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
