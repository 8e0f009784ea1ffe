public import Sessions
public import UpdateCore

/// Makes a Feasycom beacon's application listen to us. What it is it tells everybody.
public struct FBeaconApplication: ApplicationIntroduction {
    /// Its ending.
    public typealias Ending = ApplicationFacts
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private var introduction: FBeaconIntroduction

    /// What `introduction` does.
    public init(_ introduction: FBeaconIntroduction) { self.introduction = introduction }

    /// As in any session with them.
    public var leastInterval: Duration { FBeaconSession.leastInterval }

    /// As the introduction begins.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        ApplicationFacts, Never
    > {
        try told(introduction.begin(on: link))
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
        _ step: DialogueStep<Void, Never>
    ) throws(SessionFailure) -> DialogueStep<ApplicationFacts, Never> {
        DialogueStep(try step.command.asPart { (_) throws(SessionFailure) in .end(ApplicationFacts()) })
    }
}
