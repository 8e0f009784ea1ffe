public import UpdateModel

/// Opens a Feasycom beacon's AT engine and authenticates (fbeacon.md, PIN). An open session reports no identity.
public struct FBeaconQuery: SessionDialogue {
    public typealias Ending = Void

    private enum Stage {
        case idle
        case findingService
        case subscribing
        case opening
        case authenticating
    }

    static let step = "opening the session"

    /// Opens the AT engine. ERROR means that another central has opened it.
    private var exchange = FBeaconExchange(
        .open, during: Self.step,
        refusedAs: SessionFailure(
            .session.beaconBusy, during: Self.step,
            "the beacon does not open its AT engine: another client has it"))
    private var authenticator: any FBeaconAuthenticator
    private var stage = Stage.idle
    private var link = LinkFacts(maximumWriteLength: 20)

    public init(by authenticator: any FBeaconAuthenticator) { self.authenticator = authenticator }

    public mutating func begin(on link: LinkFacts) -> Step {
        (self.link, stage) = (link, .findingService)
        return Step(.find(FBeaconService.requests))
    }

    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .opening: exchange.note(times)
        case .authenticating: authenticator.note(times)
        case .idle, .findingService, .subscribing: break
        }
    }

    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch (stage, outcome) {
        case (.findingService, .done):
            stage = .subscribing
            return Step(.subscribe(FBeaconService.answers))
        case (.subscribing, .done):
            stage = .opening
            return try continueOpening(exchange.begin(on: link))
        case (.opening, let outcome): return try continueOpening(try exchange.advance(after: outcome))
        case (.authenticating, let outcome): return try authenticator.advance(after: outcome)
        case (.idle, _), (.findingService, _), (.subscribing, _):
            throw SessionFailure(
                .session.notOffered, during: Self.step, "the beacon offers no Feasycom session")
        }
    }

    private mutating func continueOpening(_ step: FBeaconExchange.Step) throws(SessionFailure) -> Step {
        try step.asPart { (_) throws(SessionFailure) in
            stage = .authenticating
            return try authenticator.begin(on: link)
        }
    }
}
