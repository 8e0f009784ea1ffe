public import UpdateModel

/// Reads all settings of a Feasycom beacon (fbeacon.md, Settings). It lacks those that it answers with ERROR.
public typealias FBeaconSettingsReading = MappedDialogue<FBeaconExchanges, FBeaconSettings>

extension FBeaconSettings {
    private static let step = "reading the settings"

    /// Reads each setting.
    public static func reading(of peer: Void) -> FBeaconSettingsReading {
        let commands: [FBeaconCommand] =
            Key.single.map { .asking(for: $0.command, answeredBy: $0.answers) }
            + [.asking(forLinesOf: FBeaconBroadcasts.command)]
        let questions = commands.map {
            FBeaconExchanges.Question(command: $0, mayBeRefused: true, step: step)
        }
        return MappedDialogue(FBeaconExchanges(questions)) { (answers) throws(SessionFailure) in
            var settings = FBeaconSettings()
            for (key, answer) in zip(Key.single, answers) {
                if let answer { settings.values[key] = key.told(answer) }
            }
            if answers.count > Key.single.count, let lines = answers.last ?? nil {
                for (number, value) in try FBeaconBroadcasts.values(in: lines, during: step) {
                    settings.values[.broadcast(number)] = value
                }
            }
            guard !settings.values.isEmpty else {
                throw SessionFailure(
                    .session.refusedByDevice, during: step,
                    "the beacon answers ERROR to every command: it may require a PIN")
            }
            return settings
        }
    }
}
