import BeaconIdentity
import BluetoothTypes
import Sessions
import YAMLText

/// Settings of a maker's beacons, as commands and trays read and change them.
protocol MakerSettings: DeviceSettings {
    /// How a session with these beacons is held.
    associatedtype Kind: SessionKind where Kind.Opening.Ending == Peer

    /// How a file names the maker.
    static var maker: String { get }
    /// How its beacons are known by what they advertise.
    static var family: Family { get }
    /// Reads the members of a file beside `others`.
    init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem)
    /// The lines of a file that has all of this, beside `settings` and `maker`.
    var lines: [String] { get }
    /// For which generation of the maker's beacons it is; nil where for all.
    var generationNumber: Int? { get }
    /// Which generation `peer` is of; nil where there is one only.
    static func generationNumber(of peer: Peer) -> Int?
    /// What `peer` says of itself, for people.
    static func facts(of peer: Peer) -> [String]
    /// How long a person is given to press the button of a beacon that takes connections only then; nil for other beacons.
    static var buttonTimeout: Duration? { get }
    /// How the application at `address`, which was heard as `beacon`, is spoken to.
    static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretKeeper
    ) throws(SessionFailure) -> Kind
}

extension MakerSettings {
    /// Most take connections at any time.
    static var buttonTimeout: Duration? { nil }
}
