package import UpdateModel

/// Reads all settings of a KBeacon (kbeacon.md, Common parameters, Other parameters).
package struct KBeaconSettingsReading: Dialogue {
    /// The settings.
    package typealias Ending = KBeaconSettings
    /// It sends no notices.
    package typealias Notice = Never
    /// Why it fails.
    package typealias Failure = SessionFailure

    private let generation: KBeaconGeneration
    /// The path prefix for each query.
    private let subjects: [String]
    private var exchanges: KBeaconExchanges

    /// Reads from `peer`, whose session is open.
    package init(of peer: KBeaconQuery.Peer) {
        generation = peer.identity.generation
        let questions = KBeaconSettings.questions(generation, triggers: peer.identity.triggers)
        subjects = questions.map { $0.subject }
        exchanges = KBeaconExchanges(questions.map { $0.message }, on: peer.terms)
    }

    /// The first query.
    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        KBeaconSettings, Never
    > {
        try begin()
    }

    mutating func begin() throws(SessionFailure) -> DialogueStep<KBeaconSettings, Never> {
        try read(try exchanges.begin())
    }

    /// The current exchange counts the elapsed time.
    package mutating func note(_ times: CommandTimes) { exchanges.note(times) }

    /// The step that follows from the outcome of the last one.
    package mutating func advance(
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
                        settings.unread[subject] = "the beacon refused the query"
                        continue
                    }
                    guard settings.take(answer) else {
                        throw SessionFailure(
                            .session.answerMalformed, during: "reading the settings",
                            "the answer of \(answer.count) bytes is not a JSON object, or has more than 24 levels"
                        )
                    }
                }
                return .end(settings)
            })
    }
}
