public import Sessions

/// What shows a Feasycom beacon, whose AT engine is open, that we may speak to it.
///
/// The maker's own exchange is not public; whoever has it brings it as a dialogue of this kind (fbeacon.md, PIN).
public protocol FBeaconAuthenticator: Dialogue
where Ending == Void, Notice == Never, Failure == SessionFailure {}

/// Shows nothing: for beacons without a PIN.
public struct NoAuthentication: FBeaconAuthenticator {
    /// Nothing is shown.
    public init() {}
    /// It is over at once.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Void, Never> { DialogueStep(.end(())) }
    /// Nothing is asked.
    public mutating func note(_ times: CommandTimes) {}
    /// Nothing is asked.
    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Void, Never> {
        DialogueStep(.end(()))
    }
}

/// Tells the beacon its PIN, as plain text (`AT+PIN=`).
public struct PlainPIN: FBeaconAuthenticator {
    private var exchange: FBeaconExchange

    /// Tells `pin`; nil where that is none, which is digits only: nothing else may get into a line.
    public init?(_ pin: Secret) {
        guard let command = FBeaconCommand.pin(pin) else { return nil }
        exchange = FBeaconExchange(command, during: FBeaconQuery.step)
    }

    /// Tells it.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Void, Never> {
        try told(exchange.begin(on: link))
    }

    /// The exchange counts its time.
    public mutating func note(_ times: CommandTimes) { exchange.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        do throws(SessionFailure) { return try told(try exchange.advance(after: outcome)) } catch {
            guard error.code == .refused else { throw error }
            throw SessionFailure(
                .passwordWrong, during: error.during, "the beacon does not take the PIN that is given for it")
        }
    }

    private func told(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(try step.command.asPart { (_) throws(SessionFailure) in .end(()) })
    }
}
