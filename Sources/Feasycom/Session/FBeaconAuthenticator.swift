public import Bluetooth
public import UpdateModel

/// Authenticates this program to a Feasycom beacon whose AT engine is open.
///
/// The maker's own exchange is not public; an implementation can be added as a dialogue of this kind (fbeacon.md, PIN).
public protocol FBeaconAuthenticator: SessionDialogue where Ending == Void {}

/// No authentication, for beacons without a PIN.
extension KnownResult: FBeaconAuthenticator where Ending == Void {}

/// Sends the PIN as plain text (`AT+PIN=`).
public typealias PlainPIN = MappedDialogue<FBeaconExchange, Void>

extension MappedDialogue: FBeaconAuthenticator where Ending == Void {}

extension MappedDialogue<FBeaconExchange, Void> {
    /// Sends `pin`; nil unless it has digits only, because other characters could change the command.
    public init?(_ pin: Secret) {
        guard let command = FBeaconCommand.pin(pin) else { return nil }
        let refusal = SessionFailure(
            .session.passwordWrong, during: FBeaconQuery.step, "the beacon rejects the given PIN")
        self.init(FBeaconExchange(command, during: FBeaconQuery.step, refusedAs: refusal)) { _ in }
    }
}

/// Sessions with Feasycom's beacons (fbeacon.md).
public struct FBeaconSession: SessionKind {
    private let authenticator: any FBeaconAuthenticator

    public init(by authenticator: any FBeaconAuthenticator = KnownResult(())) {
        self.authenticator = authenticator
    }

    /// The shortest time between two writes, as in the maker's library.
    public let leastInterval = Duration.milliseconds(10)
    public func opening(to address: DeviceAddress) -> FBeaconQuery { FBeaconQuery(by: authenticator) }
}
