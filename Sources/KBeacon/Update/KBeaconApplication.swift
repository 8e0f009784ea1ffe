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

    private enum Stage {
        case introducing(KBeaconIntroduction)
        case reading(KBeaconSettingsReading, ApplicationFacts)
    }

    private let introduction: KBeaconIntroduction
    private let readsSettings: Bool
    private var stage: Stage

    /// What `introduction` finds out, and where `readsSettings`, the settings of a beacon that takes updates.
    public init(_ introduction: KBeaconIntroduction, readingSettings readsSettings: Bool = false) {
        (self.introduction, self.readsSettings) = (introduction, readsSettings)
        stage = .introducing(introduction)
    }

    /// Beacons of theirs want a moment between two writes.
    public var leastInterval: Duration { KBeaconSession.leastInterval }

    /// As the introduction begins.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> Step {
        var introduction = introduction
        let step = try introduction.begin(on: link)
        stage = .introducing(introduction)
        return try told(step)
    }

    /// What is under way hears how long things took.
    public mutating func note(_ times: CommandTimes) {
        switch stage {
        case .introducing(var introduction):
            introduction.note(times)
            stage = .introducing(introduction)
        case .reading(var reading, let facts):
            reading.note(times)
            stage = .reading(reading, facts)
        }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(SessionFailure) -> Step {
        switch stage {
        case .introducing(var introduction):
            let step = try introduction.advance(after: outcome)
            stage = .introducing(introduction)
            return try told(step)
        case .reading(var reading, let facts):
            // An update does not fail because settings cannot be read.
            guard let step = try? reading.advance(after: outcome) else { return DialogueStep(.end(facts)) }
            stage = .reading(reading, facts)
            return try read(step, facts)
        }
    }

    /// A step of this dialogue.
    public typealias Step = DialogueStep<ApplicationFacts, Never>

    private mutating func told(
        _ step: DialogueStep<KBeaconIntroduction.Peer, Never>
    ) throws(SessionFailure) -> Step {
        DialogueStep(
            try step.command.asPart { (peer) throws(SessionFailure) in
                let identity = peer.identity
                var facts = ApplicationFacts(
                    version: identity.version, hardware: identity.hardware, model: identity.model,
                    battery: identity.battery, updateRefusal: identity.updateRefusal)
                guard readsSettings, facts.updateRefusal == nil else { return .end(facts) }
                facts.settings = [:]
                var reading = KBeaconSettingsReading(of: peer)
                let step = try reading.begin()
                stage = .reading(reading, facts)
                return try read(step, facts).command
            })
    }

    private func read(
        _ step: DialogueStep<KBeaconSettings, Never>, _ facts: ApplicationFacts
    ) throws(SessionFailure) -> Step {
        DialogueStep(
            try step.command.asPart { (settings) throws(SessionFailure) in
                var facts = facts
                facts.settings = Dictionary(
                    settings.values.map { ("\($0.key)", "\($0.value)") }
                ) { first, _ in first }
                return .end(facts)
            })
    }
}
