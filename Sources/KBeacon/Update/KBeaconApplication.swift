public import Sessions
public import UpdateCore

/// What a KBeacon's application says of itself before and after an update (kbeacon.md, Update).
public struct KBeaconApplication: ApplicationIntroduction {
    /// Its ending.
    public typealias Ending = ApplicationFacts
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private var introduction: KBeaconIntroduction

    /// What `introduction` finds out.
    public init(_ introduction: KBeaconIntroduction) { self.introduction = introduction }

    /// Beacons of theirs want a moment between two writes.
    public var leastInterval: Duration { KBeaconSession.leastInterval }

    /// As the introduction begins.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        ApplicationFacts, Never
    > {
        try told(try introduction.begin(on: link))
    }

    /// The introduction hears how long things took.
    public mutating func note(_ times: CommandTimes) { introduction.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<ApplicationFacts, Never> {
        try told(try introduction.advance(after: outcome))
    }

    private func told(
        _ step: DialogueStep<KBeaconIntroduction.Peer, Never>
    ) throws(SessionFailure) -> DialogueStep<ApplicationFacts, Never> {
        DialogueStep(
            try step.command.asPart { (peer) throws(SessionFailure) in
                let identity = peer.identity
                return .end(
                    ApplicationFacts(
                        version: identity.version, hardware: identity.hardware, model: identity.model,
                        battery: identity.battery, updateRefusal: identity.updateRefusal))
            })
    }
}
