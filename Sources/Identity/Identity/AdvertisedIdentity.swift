public import Bluetooth

/// A beacon's identity and firmware, merged from all its frames. What none of them reports is nil, never a
/// guess (docs/formats/beacon-frames.md); of two frames that contradict each other the later one counts.
///
/// The memory for one beacon is bounded, whatever it sends.
public struct AdvertisedIdentity: Equatable, Sendable {
    /// What frames may still have to report before the identity is complete.
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
    /// The model's name, if a frame reports it or its number has one.
    public internal(set) var model: String?
    /// The model's number; each maker has its own numbers.
    public internal(set) var modelNumber: Int?
    /// The maker's unique id: an address in a frame, or a text; never a changing one.
    public internal(set) var id: String?
    /// The firmware version, as in the frame.
    public internal(set) var version: String?
    /// The hardware version, as in the frame.
    public internal(set) var hardwareVersion: String?
    /// Its battery.
    public internal(set) var charge = BatteryCharge()
    /// Its transmit power in dBm, according to its frames.
    public internal(set) var txPower: Int?
    /// The identities of standard formats that it has sent, the latest last.
    public internal(set) var numbers: [ProximityIdentity] = []
    /// Major and minor of its iBeacon, if KKM's scan response reports them.
    public internal(set) var majorAndMinor: MajorAndMinor?
    /// The web address that it sent last, as Eddystone.
    public internal(set) var url: String?
    /// The version of the Eddystone telemetry that it sent last: 0 plain, 1 encrypted.
    public internal(set) var telemetryVersion: Int?
    /// Its measured values, each as last heard.
    public internal(set) var sensors: [SensorValue] = []
    /// The kinds of frames that were parsed completely.
    public internal(set) var frames: Set<FrameKind> = []
    /// The errors in recognised frames, the latest last.
    public internal(set) var flaws: [FrameError] = []
    /// The contradictions between frames, for example `version 6.20, then 6.21`; the latest last.
    public internal(set) var contradictions: [String] = []

    /// The signal strength at 1 m according to its latest frame.
    var measuredPower: Int8?
    var raisedFlags: Set<String> = []
    /// Whether it advertises the update service FEF5, without which company 00D2 does not identify an ASensor.
    var hostsFEF5 = false
    /// Whether it sent a frame that only KBeacons of the second generation send.
    public internal(set) var isSecondGeneration = false

    /// An empty identity for the beacon at `address`.
    public init(of address: DeviceAddress) { self.address = address }

    /// The identity from `data` alone, for the beacon at `address`.
    public init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init(of: address)
        hear(data)
    }

    /// Its family, according to its frames.
    public var family: Family {
        Family.allCases.first { family in frames.contains { $0.family == family } } ?? .unknown
    }

    /// Its maker; nil if its frames do not tell.
    public var maker: Maker? { family.maker }

    /// Its flags, such as `pin-needed`, `moving` and `firmware-error`, sorted.
    public var flags: [String] { raisedFlags.sorted() }

    /// Its estimated distance, if it is heard with `rssi` dBm; nil if its frames do not report its power.
    public func distance(rssi: Int8) -> DistanceEstimate? {
        measuredPower.flatMap { DistanceEstimate(rssi: rssi, measuredPower: $0) }
    }
}
