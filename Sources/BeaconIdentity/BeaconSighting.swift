public import BluetoothTypes
public import Radio

/// A beacon as it was heard, and what its frames say of it.
@dynamicMemberLookup public struct BeaconSighting: Equatable, Sendable {
    /// All its reports together.
    public private(set) var heard: Sighting
    /// What its frames say of its battery and its firmware.
    public private(set) var state: AdvertisedState

    init(_ heard: Sighting, _ state: AdvertisedState) {
        self.heard = heard
        self.state = state
    }

    /// The first report of a beacon, at `moment`. `isComplete`: the adapter passes every report on.
    public init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        self.init(Sighting(report, at: moment, isComplete: isComplete), AdvertisedState())
        state.hear(report.data, from: heard.address, services: heard.data.services)
    }

    /// Another report of the same beacon.
    public mutating func add(_ report: Advertisement, at moment: Duration) {
        heard.add(report, at: moment)
        state.hear(report.data, from: heard.address, services: heard.data.services)
    }

    /// What its reports say together.
    public subscript<Value>(dynamicMember part: KeyPath<Sighting, Value>) -> Value { heard[keyPath: part] }
}
