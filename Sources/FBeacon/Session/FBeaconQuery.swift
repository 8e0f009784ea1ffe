public import Sessions

/// Opens a Feasycom beacon's AT engine and shows that we may speak to it (fbeacon.md, PIN).
public struct FBeaconQuery: Dialogue {
    /// The beacon has let us in; there is nothing to be known of it.
    public typealias Ending = Void
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private enum Stage {
        case idle
        case looking
        case subscribing
        case opening(FBeaconExchange)
        case authenticating
    }

    static let step = "opening the session"

    private var authenticator: any FBeaconAuthenticator
    private var stage = Stage.idle
    private var link = LinkFacts(maximumWriteLength: 20)

    /// Opens the engine, then lets `authenticator` speak.
    public init(by authenticator: any FBeaconAuthenticator) { self.authenticator = authenticator }

    /// Looks for the service.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Void, Never> {
        (self.link, stage) = (link, .looking)
        return DialogueStep(.find(FBeaconService.requests))
    }

    /// What is under way counts its time.
    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .opening(var exchange):
            exchange.note(times)
            stage = .opening(exchange)
        case .authenticating: authenticator.note(times)
        case .idle, .looking, .subscribing: break
        }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        switch (stage, outcome) {
        case (.looking, .done):
            stage = .subscribing
            return DialogueStep(.subscribe(FBeaconService.answers))
        case (.subscribing, .done):
            var exchange = FBeaconExchange(.open, during: Self.step)
            let step = exchange.begin(on: link)
            stage = .opening(exchange)
            return try opened(step)
        case (.opening(var exchange), let outcome):
            let step = try advance(&exchange, after: outcome)
            stage = .opening(exchange)
            return try opened(step)
        case (.authenticating, let outcome): return try authenticator.advance(after: outcome)
        case (.idle, _), (.looking, _), (.subscribing, _):
            throw SessionFailure(.notOffered, during: Self.step, "there is no session of a Feasycom beacon")
        }
    }

    /// Nobody but another central keeps the engine from opening.
    private func advance(
        _ exchange: inout FBeaconExchange, after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<String?, Never> {
        do throws(SessionFailure) { return try exchange.advance(after: outcome) } catch {
            guard error.code == .refused else { throw error }
            throw SessionFailure(
                .beaconBusy, during: Self.step, "the beacon does not open its AT engine: another has it")
        }
    }

    private mutating func opened(
        _ step: DialogueStep<String?, Never>
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        DialogueStep(
            try step.command.asPart { (_) throws(SessionFailure) in
                stage = .authenticating
                return try authenticator.begin(on: link).command
            })
    }
}
