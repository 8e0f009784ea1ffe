public import Sessions
public import UpdateCore

/// Makes a Feasycom beacon's application listen to us, and asks for its settings. What it is it tells everybody.
public struct FBeaconApplication: ApplicationIntroduction {
    /// Its ending.
    public typealias Ending = ApplicationFacts
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private enum Stage {
        case introducing(FBeaconIntroduction)
        case reading(FBeaconSettingsReading)
    }

    private let introduction: FBeaconIntroduction
    private let readsSettings: Bool
    private var link = LinkFacts(maximumWriteLength: 20)
    private var stage: Stage

    /// What `introduction` does, and the settings where `readsSettings`.
    public init(_ introduction: FBeaconIntroduction, readingSettings readsSettings: Bool = false) {
        (self.introduction, self.readsSettings) = (introduction, readsSettings)
        stage = .introducing(introduction)
    }

    /// As in any session with them.
    public var leastInterval: Duration { FBeaconSession.leastInterval }

    /// A step of this dialogue.
    public typealias Step = DialogueStep<ApplicationFacts, Never>

    /// As the introduction begins.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        var introduction = introduction
        let step = introduction.begin(on: link)
        (self.link, stage) = (link, .introducing(introduction))
        return try told(step)
    }

    /// What is under way hears how long things took.
    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .introducing(var introduction):
            introduction.note(times)
            stage = .introducing(introduction)
        case .reading(var reading):
            reading.note(times)
            stage = .reading(reading)
        }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch stage {
        case .introducing(var introduction):
            let step = try introduction.advance(after: outcome)
            stage = .introducing(introduction)
            return try told(step)
        case .reading(var reading):
            // An update does not fail because settings cannot be read.
            guard let step = try? reading.advance(after: outcome) else {
                return DialogueStep(.end(ApplicationFacts(settings: [:])))
            }
            stage = .reading(reading)
            return try read(step)
        }
    }

    private mutating func told(_ step: DialogueStep<Void, Never>) throws(SessionFailure) -> Step {
        DialogueStep(
            try step.command.asPart { (_) throws(SessionFailure) in
                guard readsSettings else { return .end(ApplicationFacts()) }
                var reading = FBeaconSettingsReading()
                let step = try reading.begin(on: link)
                stage = .reading(reading)
                return try read(step).command
            })
    }

    private func read(_ step: DialogueStep<FBeaconSettings, Never>) throws(SessionFailure) -> Step {
        DialogueStep(
            try step.command.asPart { (settings) throws(SessionFailure) in
                let values = settings.values.map { ("\($0.key)", "\($0.value)") }
                return .end(ApplicationFacts(settings: Dictionary(values) { first, _ in first }))
            })
    }
}
