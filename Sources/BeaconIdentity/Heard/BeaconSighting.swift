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
        (heard.mayHaveName ? [.name] : []) + (mayHaveVersion ? [.version] : []) + identity.missing
    }

    /// Until when, by the adapter's time, something may come that is waited for only so long; nil where nothing may.
    public var timeoutEnd: Duration? {
        [
            heard.mayHaveName ? heard.firstSeen + Sighting.nameTimeout : nil,
            mayHaveVersion ? heard.firstSeen + Self.versionTimeout : nil,
        ].compactMap(\.self).max()
    }

    /// KBeacons of the first generation advertise no version, and those of the second do so in one of several frames that take
    /// turns. One whose frames do not tell its generation is taken for one of the first so long after it was heard first: four
    /// frames at 2 s, and some more (beacon-frames.md, One identity of many frames).
    public static let versionTimeout = Duration.seconds(10)

    private var mayHaveVersion: Bool {
        identity.family == .kkm && identity.version == nil && !identity.missing.contains(.version)
            && heard.lastSeen - heard.firstSeen < Self.versionTimeout
    }

    /// Whether nothing more is to be expected of it.
    public var isComplete: Bool { missing.isEmpty }

    /// The battery that its frames report.
    public var charge: BatteryCharge { identity.charge }

    /// The version of the firmware that its frames report.
    public var version: String? { identity.version }
}
