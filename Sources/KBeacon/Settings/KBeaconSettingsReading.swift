public import Sessions

/// Asks a KBeacon for everything that can be set (kbeacon.md, Settings).
public struct KBeaconSettingsReading: Dialogue {
    /// The settings.
    public typealias Ending = KBeaconSettings
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private let generation: KBeaconGeneration
    /// How the paths begin of what each question is about.
    private let subjects: [String]
    private var exchanges: KBeaconExchanges

    /// Asks `peer`, whose session is open.
    public init(of peer: KBeaconQuery.Peer) {
        generation = peer.identity.generation
        let questions = KBeaconSettings.questions(generation, triggers: peer.identity.triggers)
        subjects = questions.map { $0.subject }
        exchanges = KBeaconExchanges(questions.map { $0.message }, on: peer.terms)
    }

    /// The first question.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        KBeaconSettings, Never
    > {
        try begin()
    }

    mutating func begin() throws(SessionFailure) -> DialogueStep<KBeaconSettings, Never> {
        try read(try exchanges.begin())
    }

    /// The exchange that is under way counts its time.
    public mutating func note(_ times: CommandTimes) { exchanges.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<KBeaconSettings, Never> {
        try read(try exchanges.advance(after: outcome))
    }

    private func read(
        _ step: DialogueStep<[[UInt8]?], Never>
    ) throws(SessionFailure) -> DialogueStep<KBeaconSettings, Never> {
        DialogueStep(
            try step.command.asPart { (answers) throws(SessionFailure) in
                var settings = KBeaconSettings(generation)
                for (answer, subject) in zip(answers, subjects) {
                    guard let answer else {
                        settings.unread[subject] = "the beacon refused the question"
                        continue
                    }
                    guard settings.take(answer) else {
                        throw SessionFailure(
                            .malformed, during: "reading the settings",
                            "the answer of \(answer.count) bytes is no JSON object, or one with more than 24 levels"
                        )
                    }
                }
                return .end(settings)
            })
    }
}
