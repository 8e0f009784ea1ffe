public import UpdateModel

/// Reads all settings of a Feasycom beacon (fbeacon.md, Settings). It lacks those that it answers with ERROR.
public struct FBeaconSettingsReading: Dialogue {
    /// The settings.
    public typealias Ending = FBeaconSettings
    /// It sends no notices.
    public typealias Notice = Never
    /// Why it fails.
    public typealias Failure = SessionFailure

    private static let step = "reading the settings"
    private var exchanges = FBeaconExchanges(
        (FBeaconSettings.Key.single.map { .asking(for: $0.command, answeredBy: $0.answers) }
            + [.asking(forLinesOf: FBeaconBroadcasts.command)])
            .map { FBeaconExchanges.Question(command: $0, mayBeRefused: true, step: step) })

    /// Reads from a beacon whose session is open.
    public init() {}

    /// The first command.
    public mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<
        FBeaconSettings, Never
    > {
        try read(try exchanges.begin(on: link))
    }

    /// The current exchange counts the elapsed time.
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
                        .session.refusedByDevice, during: Self.step,
                        "the beacon answers ERROR to every command: it may require a PIN")
                }
                return .end(settings)
            })
    }
}
