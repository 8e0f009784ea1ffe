public import BluetoothTypes

/// What a beacon is and what runs on it, merged from all its frames. What none of them says is nil, never a guess
/// (docs/formats/beacon-frames.md); of two frames that contradict each other the later one counts.
///
/// What is kept of one beacon is bounded, whatever it sends.
public struct AdvertisedIdentity: Equatable, Sendable {
    /// What frames may have to say before nothing more is to be expected.
    public enum Part: String, CaseIterable, Sendable {
        case name
        case version
        case battery
        case id
    }

    /// The sender's address.
    public let address: DeviceAddress
    /// Its advertised name.
    public internal(set) var name: String?
    /// The model's name, where a frame tells it or its number has one.
    public internal(set) var model: String?
    /// The model's number, which each maker has its own of.
    public internal(set) var modelNumber: Int?
    /// The maker's unique id: an address in a frame, or a text; never one that changes.
    public internal(set) var id: String?
    /// The version of its firmware, in the frame's own words.
    public internal(set) var version: String?
    /// The version of its hardware, in the frame's own words.
    public internal(set) var hardwareVersion: String?
    /// Its battery.
    public internal(set) var charge = BatteryCharge()
    /// With how many dBm it says it sends.
    public internal(set) var txPower: Int?
    /// The identities of standard formats that it has sent, the latest last.
    public internal(set) var numbers: [ProximityIdentity] = []
    /// Major and minor of its iBeacon, where KKM's scan response says them.
    public internal(set) var majorAndMinor: MajorAndMinor?
    /// The web address that it has sent last, as Eddystone.
    public internal(set) var url: String?
    /// The version of the Eddystone telemetry that it has sent last: 0 plain, 1 encrypted.
    public internal(set) var telemetryVersion: Int?
    /// What it has measured, each value as last heard.
    public internal(set) var sensors: [SensorValue] = []
    /// Which kinds of frames were heard whole.
    public internal(set) var frames: Set<FrameKind> = []
    /// What was wrong with frames that were recognised, the latest last.
    public internal(set) var flaws: [FrameError] = []
    /// Where frames contradicted each other, as `version 6.20, then 6.21`; the latest last.
    public internal(set) var contradictions: [String] = []

    /// What its latest frame says it would be heard with at 1 m.
    var measuredPower: Int8?
    var raisedFlags: Set<String> = []
    /// Whether it advertises the update service FEF5, without which company 00D2 may be anybody.
    var hostsFEF5 = false
    /// Whether a frame came that only KBeacons of the second generation send.
    public internal(set) var isSecondGeneration = false

    /// Nothing known of the beacon at `address`.
    public init(of address: DeviceAddress) { self.address = address }

    /// What `data` says, which is all that was heard of the beacon at `address`.
    public init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init(of: address)
        hear(data)
    }

    /// What it is by its frames.
    public var family: Family {
        Family.allCases.first { family in frames.contains { $0.family == family } } ?? .unknown
    }

    /// Who made it; nil where frames do not tell.
    public var maker: Maker? { family.maker }

    /// What its frames say of it in words such as `pin-needed`, `moving` and `firmware-error`, sorted.
    public var flags: [String] { raisedFlags.sorted() }

    /// How far away it seems, heard with `rssi` dBm; nil where its frames do not say how loud it is.
    public func distance(rssi: Int8) -> DistanceEstimate? {
        measuredPower.flatMap { DistanceEstimate(rssi: rssi, measuredPower: $0) }
    }
}
