package import Bluetooth
package import Bytes
import Feasycom
package import Identity
import KKM
import Orange
package import UpdateModel

/// The settings of a maker's beacons, as commands and trays read and change them.
package protocol MakerSettings: DeviceSettings {
    /// The kind of session with these beacons.
    associatedtype Kind: SessionKind where Kind.Opening.Ending == Peer

    /// The maker's name in files.
    static var maker: String { get }
    /// The family that its beacons advertise.
    static var family: Family { get }
    /// Reads the members of a file except `others`.
    init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem)
    /// The lines of a file with these settings, without `settings` and `maker`.
    var lines: [String] { get }
    /// The generation of the maker's beacons that they are for; nil for all.
    var generationNumber: Int? { get }
    /// The generation of `peer`; nil if there is only one.
    static func generationNumber(of peer: Peer) -> Int?
    /// What `peer` reports about itself, for people.
    static func facts(of peer: Peer) -> [String]
    /// How long to wait for a press of the button, for beacons that accept connections only then; nil for
    /// others.
    static var buttonTimeout: Duration? { get }
    /// The session with the application at `address`, which was heard as `beacon`.
    static func session(
        at address: DeviceAddress, _ beacon: BeaconSighting, by secrets: SecretStore
    ) throws(SessionFailure) -> Kind
}

extension MakerSettings {
    /// Most beacons accept connections at any time.
    package static var buttonTimeout: Duration? { nil }
}
