public import Bluetooth

/// A vendor whose beacons have sessions. What can be done in a session is in the protocols that refine this one.
public protocol SessionVendor: Vendor {
    associatedtype Session: SessionKind
    /// Reads what a beacon reports about itself.
    associatedtype Reading: SessionDialogue where Reading.Ending == SessionReading
    /// The result of opening a session.
    typealias Peer = Session.Opening.Ending

    /// The word for one of its beacons, as in "a KBeacon"; its plural ends with s.
    var beaconNoun: String { get }
    /// The families, by name, whose frames only beacons with these sessions send.
    var families: [String] { get }
    /// The passwords or PINs of its beacons; nil if they have none.
    var secretRules: SecretRules? { get }
    /// How long to wait for a press of the button, for beacons that accept connections only then; nil for others.
    var buttonTimeout: Duration? { get }
    /// Whether a beacon may be in a bootloader that does not reveal its maker.
    var hasAnonymousBootloader: Bool { get }

    /// Whether a beacon has these sessions, by its advertisements.
    func recognises(_ beacon: HeardBeacon) -> Bool
    /// Whether a connected device, which was heard as `beacon`, has these sessions.
    func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool
    /// The facts for a catalogue that a session provides: `model`, `name`, `hardware`, `version`. Empty if a session
    /// would add nothing to what any client can read.
    func reportedFacts(hasSecret: Bool) -> Set<String>
    /// The session with the application at `address`; `beacon` is what was heard of the unit or of its bootloader.
    /// `secret` is nil if the user gave none. Throws if the secret has a wrong form, or is required but missing.
    func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) throws(SessionFailure) -> Session
    /// What `device` reports without a session; nil if a session is required.
    func reading(from device: DeviceInventory) -> SessionReading?
    func reading(of peer: Peer) -> Reading
}

extension SessionVendor {
    public var families: [String] { [] }
    public var secretRules: SecretRules? { nil }
    public var buttonTimeout: Duration? { nil }
    /// False: the beacons have no bootloader, or one that is recognised by its advertisements.
    public var hasAnonymousBootloader: Bool { false }
    public func recognises(_ beacon: HeardBeacon) -> Bool { families.contains(beacon.family) }
    public func reading(from device: DeviceInventory) -> SessionReading? { nil }

    /// The word for one beacon, with its article; for an acronym this depends on how its first letter is pronounced.
    public var aBeacon: String {
        let isAcronym = beaconNoun.prefix(2).allSatisfy(\.isUppercase)
        let vowels = isAcronym ? "AEFHILMNORSX" : "AEIOU"
        return (beaconNoun.first.map(vowels.contains) ?? false ? "an " : "a ") + beaconNoun
    }
    public var beacons: String { beaconNoun + "s" }
}

/// The advertisements of one beacon, as far as vendors need them.
public struct HeardBeacon: Sendable {
    public let address: DeviceAddress
    /// The name of its family, by its frames.
    public var family = "unknown"
    public var name: String?
    public var model: String?
    /// The maker's unique id.
    public var id: String?
    public var services: [BluetoothUUID] = []
    /// What its frames report as flags, such as `pin-needed`.
    public var flags: Set<String> = []
    /// Whether it has sent a frame that only newer beacons of its family send.
    public var isSecondGeneration = false

    public init(at address: DeviceAddress) { self.address = address }
}

/// What a beacon reported about itself in a session, or over a link without one.
public struct SessionReading: Equatable, Sendable {
    public struct Row: Equatable, Sendable {
        public let label: String
        public let text: String
    }

    /// The kind of session, for tools.
    public let kind: String
    /// The members of JSON output, besides the kind and the settings.
    public let facts: [String: Fact]
    public let rows: [Row]
    /// The facts for a catalogue, and the settings if they were read.
    public let application: ApplicationFacts

    /// A reading in a session of `kind`; rows without a text are left out.
    public init(
        _ kind: String, facts: [String: Fact] = [:], rows: [(label: String, text: String?)],
        application: ApplicationFacts = ApplicationFacts()
    ) {
        (self.kind, self.facts, self.application) = (kind, facts, application)
        self.rows = rows.compactMap { row in row.text.map { Row(label: row.label, text: $0) } }
    }
}
