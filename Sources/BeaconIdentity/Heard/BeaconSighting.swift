public import BluetoothTypes
public import Radio

/// A beacon that was heard, with the identity that its frames tell.
@dynamicMemberLookup public struct BeaconSighting: Equatable, Sendable {
    /// All its reports together.
    public private(set) var heard: Sighting
    /// What its frames say of it.
    public private(set) var identity: AdvertisedIdentity

    init(_ heard: Sighting, _ identity: AdvertisedIdentity) {
        self.heard = heard
        self.identity = identity
    }

    /// The first report of a beacon, at `moment`. `isComplete`: the adapter passes every report on.
    public init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        self.init(
            Sighting(report, at: moment, isComplete: isComplete), AdvertisedIdentity(of: report.address))
        identity.hear(report.data)
    }

    /// Another report of the same beacon.
    public mutating func add(_ report: Advertisement, at moment: Duration) {
        heard.add(report, at: moment)
        identity.hear(report.data)
    }

    /// The members of ``heard``.
    public subscript<Value>(dynamicMember part: KeyPath<Sighting, Value>) -> Value { heard[keyPath: part] }

    /// What it may say that was not heard yet: its name, and what its frames have.
    public var missing: [AdvertisedIdentity.Part] {
        (heard.mayHaveName ? [.name] : []) + identity.missing
    }

    /// Whether nothing more is to be expected of it.
    public var isComplete: Bool { missing.isEmpty }

    /// The battery that its frames report.
    public var charge: BatteryCharge { identity.charge }

    /// The version of the firmware that its frames report.
    public var version: String? { identity.version }
}
