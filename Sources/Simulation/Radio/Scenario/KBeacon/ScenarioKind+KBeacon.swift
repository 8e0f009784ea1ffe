import Bytes

extension ScenarioKind {
    /// A KBeacon: KKM's adverts, a session, and a Nordic bootloader.
    static let kbeacon = ScenarioKind(
        name: "kbeacon",
        faults: secure.faults.merging([
            "impostor": NamedFault { _ in .kbeacon(.impostor) },
            "refuse_digest": NamedFault { .kbeacon(.refuseDigest($0)) },
            "silence_after_step": NamedFault(range: 1...4) {
                .kbeacon(.silence(afterStep: $0, ofHandshake: 1))
            },
            "cut_after_step": NamedFault(range: 1...4) { .kbeacon(.cut(afterStep: $0, ofHandshake: 1)) },
            "busy_command": NamedFault { .kbeacon(.refuseCommand($0, cause: 0x010C)) },
            "fail_command": NamedFault { .kbeacon(.refuseCommand($0, cause: 0x0107)) },
            "refuse_commands": NamedFault(range: 0...0xFFFF) {
                .kbeacon(.refuseCommands(cause: UInt16(clamping: $0)))
            },
            "cut_before_command": NamedFault { .kbeacon(.cutBeforeCommand($0)) },
            "cut_after_command": NamedFault { .kbeacon(.cutAfterCommand($0)) },
            "lose_reply": NamedFault { .kbeacon(.loseAnswer($0)) },
            "garble_password": NamedFault { _ in .kbeacon(.garblePassword) },
            "ask_wrong_offset": NamedFault { .kbeacon(.askWrongOffset($0, 0x0FFF)) },
            "flip_answer": NamedFault { .kbeacon(.flipAnswer($0, fromEnd: 0)) },
            "cut_answer": NamedFault { .kbeacon(.cutAnswer($0, to: 5)) },
        ]) { $1 }
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try NordicScenarioBeacon(kbeacon: &entry)
    }
}
