import Bytes

extension ScenarioKind {
    /// A beacon with a Secure bootloader; the default if an entry names no kind.
    static let secure = ScenarioKind(
        name: "nordic-secure",
        faults: both.merging([
            "refuse_execute": NamedFault { .nordic(.answerExecute($0, with: [0x05])) },
            "power_loss_in_object": NamedFault { .nordic(.powerLossInObject($0)) },
            "keep_old_application": NamedFault { _ in .nordic(.keepOldApplication) },
            "corrupt_checksum": NamedFault { .nordic(.corruptChecksum($0)) },
            "lose_answer": NamedFault { .nordic(.loseAnswer($0)) },
            "lose_burst_at_byte": NamedFault(range: 0...Int(Int32.max)) {
                .nordic(.loseBurst(atByte: $0))
            },
        ]) { $1 }
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try NordicScenarioBeacon(secure: &entry)
    }

    private static let both = [
        "lose_bond": NamedFault { _ in .nordic(.loseBond) },
        "dead_application": NamedFault { _ in .nordic(.deadApplication) },
        "ignore_entry": NamedFault { .nordic(.ignoreEntry($0)) },
    ]

    /// A beacon with a Legacy bootloader.
    static let legacy = ScenarioKind(
        name: "nordic-legacy", faults: both
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try NordicScenarioBeacon(legacy: &entry)
    }
}
