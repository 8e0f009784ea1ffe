public import Bluetooth
public import UpdateModel

/// Authenticates us to a Feasycom beacon whose AT engine is open.
///
/// The maker's own exchange is not public; an implementation can be added as a dialogue of this kind
/// (fbeacon.md, PIN).
public protocol FBeaconAuthenticator: Dialogue
where Ending == Void, Notice == Never, Failure == SessionFailure {}

/// No authentication, for beacons without a PIN.
extension KnownResult: FBeaconAuthenticator where Ending == Void {}

/// Sends the PIN as plain text (`AT+PIN=`).
public struct PlainPIN: FBeaconAuthenticator {
    private var exchange: FBeaconExchange

    /// Sends `pin`; nil unless it is digits only: nothing else may get into a command line.
    public init?(_ pin: Secret) {
        guard let command = FBeaconCommand.pin(pin) else { return nil }
        exchange = FBeaconExchange(
            command, during: FBeaconQuery.step,
            refusedAs: SessionFailure(
                .session.passwordWrong, during: FBeaconQuery.step, "the beacon rejects the given PIN"))
    }

    /// Sends the PIN.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Void, Never> {
        try told(exchange.begin(on: link))
    }

    /// The exchange counts the elapsed time.
    public mutating func note(_ times: CommandTimes) { exchange.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        try told(try exchange.advance(after: outcome))
    }

    private func told(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(try step.command.asPart { (_) throws(SessionFailure) in .end(()) })
    }
}

/// Sessions with Feasycom's beacons (fbeacon.md).
public struct FBeaconSession: SessionKind {
    private let authenticator: any FBeaconAuthenticator

    /// Sessions that authenticate with `authenticator`.
    public init(by authenticator: any FBeaconAuthenticator = KnownResult(())) {
        self.authenticator = authenticator
    }

    /// The maker's library leaves the same time between two writes.
    public let leastInterval = Duration.milliseconds(10)
    /// Opens the AT engine and authenticates.
    public func opening(to address: DeviceAddress) -> FBeaconQuery { FBeaconQuery(by: authenticator) }
}
