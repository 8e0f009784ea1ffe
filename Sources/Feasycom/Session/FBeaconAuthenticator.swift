public import Bluetooth
public import UpdateModel

/// Authenticates us to a Feasycom beacon whose AT engine is open.
///
/// The maker's own exchange is not public; an implementation can be added as a dialogue of this kind (fbeacon.md, PIN).
public protocol FBeaconAuthenticator: SessionDialogue where Ending == Void {}

/// No authentication, for beacons without a PIN.
extension KnownResult: FBeaconAuthenticator where Ending == Void {}

/// Sends the PIN as plain text (`AT+PIN=`).
public typealias PlainPIN = MappedDialogue<FBeaconExchange, Void>

extension MappedDialogue: FBeaconAuthenticator where Ending == Void {}

extension MappedDialogue<FBeaconExchange, Void> {
    /// Sends `pin`; nil unless it is digits only: nothing else may get into a command line.
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

    /// The maker's library leaves the same time between two writes.
    public let leastInterval = Duration.milliseconds(10)
    public func opening(to address: DeviceAddress) -> FBeaconQuery { FBeaconQuery(by: authenticator) }
}
