public import BluetoothTypes
public import Radio

/// A beacon that was heard, with the state that its frames report.
@dynamicMemberLookup public struct BeaconSighting: Equatable, Sendable {
    /// All its reports together.
    public private(set) var heard: Sighting
    /// The battery and the firmware version in its frames.
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

    /// The members of ``heard``.
    public subscript<Value>(dynamicMember part: KeyPath<Sighting, Value>) -> Value { heard[keyPath: part] }
}
