public import Sessions

/// Asks a Feasycom beacon for everything that can be set (fbeacon.md, Settings). What it answers with ERROR it does not have.
public struct FBeaconSettingsReading: Dialogue {
    /// The settings.
    public typealias Ending = FBeaconSettings
    /// It says nothing on its way.
    public typealias Notice = Never
    /// Why it goes no further.
    public typealias Failure = SessionFailure

    private static let step = "reading the settings"
    private var exchanges = FBeaconExchanges(
        (FBeaconSettings.Key.single.map { .asking(for: $0.command, answeredBy: $0.answers) }
            + [.asking(forLinesOf: FBeaconBroadcasts.command)])
            .map { FBeaconExchanges.Question(command: $0, mayBeRefused: true, step: step) })

    /// Asks a beacon whose session is open.
    public init() {}

    /// The first question.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        FBeaconSettings, Never
    > {
        try read(try exchanges.begin(on: link))
    }

    /// The exchange that is under way counts its time.
    public mutating func note(_ times: CommandTimes) { exchanges.note(times) }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<FBeaconSettings, Never> {
        try read(try exchanges.advance(after: outcome))
    }

    private func read(
        _ step: DialogueStep<[String?], Never>
    ) throws(SessionFailure) -> DialogueStep<FBeaconSettings, Never> {
        DialogueStep(
            try step.command.asPart { (answers) throws(SessionFailure) in
                var settings = FBeaconSettings()
                for (key, answer) in zip(FBeaconSettings.Key.single, answers) {
                    if let answer { settings.values[key] = key.told(answer) }
                }
                if answers.count > FBeaconSettings.Key.single.count, let lines = answers.last ?? nil {
                    for (number, value) in try FBeaconBroadcasts.values(in: lines, during: Self.step) {
                        settings.values[.broadcast(number)] = value
                    }
                }
                guard !settings.values.isEmpty else {
                    throw SessionFailure(
                        .refused, during: Self.step,
                        "the beacon answers ERROR to every question: it may want a PIN")
                }
                return .end(settings)
            })
    }
}
