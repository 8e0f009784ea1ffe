public import Bluetooth
public import Bytes

/// A vendor whose beacons' settings can be read and written in a session.
public protocol SettingsVendor: SessionVendor {
    associatedtype Settings: VendorSettings where Settings.Peer == Peer
}

/// Settings of a vendor's beacons that can be in a file (docs/formats/settings.md).
public protocol VendorSettings: DeviceSettings {
    /// Parses the members of a file except `others`.
    init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem)
    /// The lines of a file with all values, without `settings` and `maker`.
    var lines: [String] { get }
    /// The generation of beacons that they are for; nil for all.
    var generationNumber: Int? { get }
    /// The generation of `peer`; nil if there is only one.
    static func generationNumber(of peer: Peer) -> Int?
    /// What `peer` reports about itself, for people.
    static func facts(of peer: Peer) -> [String]
}

extension VendorSettings {
    public var generationNumber: Int? { nil }
    public static func generationNumber(of peer: Peer) -> Int? { nil }
    public static func facts(of peer: Peer) -> [String] { [] }
}

/// A vendor whose applications identify themselves, for an update, in a session.
public protocol IdentityVendor: SettingsVendor {
    /// Whether the application that was heard as `beacon` takes the identity query in an update by `plan`. `services`
    /// are its primary services; nil if they were not listed. `hasSecret`: the user has given a password or PIN.
    func identifies(
        _ beacon: HeardBeacon, offering services: [BluetoothUUID]?, in plan: UpdatePlan, hasSecret: Bool
    ) -> Bool
    /// The facts about the application that opening the session has shown.
    func facts(of peer: Peer) -> ApplicationFacts
}

extension IdentityVendor {
    /// The identity query by `session` with the application at `address`, which also reads the settings if
    /// `readsSettings`.
    public func identityQuery(
        by session: Session, to address: DeviceAddress, readingSettings readsSettings: Bool = false
    ) throws(SessionFailure) -> SessionQuery<Session.Opening, Settings> {
        SessionQuery(
            by: try session.opening(to: address), pausing: session.leastInterval,
            readingSettings: readsSettings
        ) { facts(of: $0) }
    }
}

/// A vendor whose beacons can be reset to factory settings in a session.
public protocol ResetVendor: SettingsVendor {
    associatedtype Resetting: SessionDialogue

    var resetProof: ResetProof { get }
    /// Requests the reset of `peer`, which may take place only when the link ends.
    func resetting(_ peer: Peer) -> Resetting
}

/// How the reset of a beacon is verified.
public enum ResetProof: Sendable {
    /// By a session with the factory password.
    case factorySecret
    /// By a comparison of its settings before and after; the factory settings are not public. The beacon may restart
    /// without an answer to `command`; `untried` is a warning, `name` the setting with the beacon's name.
    case settings(command: String, untried: String, name: String)
}

/// A vendor whose beacons can get another password in a session.
public protocol PasswordVendor: SessionVendor {
    associatedtype PasswordChange: SessionDialogue

    /// The form of a new password, in a few words.
    var passwordForm: String { get }
    /// Why `password` cannot be given to a beacon; nil if it can.
    func flaw(ofNew password: Secret) -> String?
    /// Gives `peer` another password, which may take effect only when the link ends.
    func changePassword(to password: Secret, of peer: Peer) -> PasswordChange
}
