import Bytes

extension ScenarioKind {
    /// A Feasycom beacon that accepts updates.
    static let fbeacon = ScenarioKind(
        name: "fbeacon",
        faults: [
            "busy_session": fault { .busy($0) },
            "forget_setting": fault { .forgetSetting($0) },
            "refuse_setting": fault { .refuseSetting($0) },
            "refuse_packet": fault { .refusePacket($0) },
            "refuse_from_packet": fault { .refuseFromPacket($0) },
            "flood_refusals": fault { .floodRefusals($0) },
            "lose_answer": fault { .loseAnswer($0) },
            "delay_answer": fault { .delayAnswer($0, by: .milliseconds(1500)) },
            "wrong_answer": fault { .replaceAnswer($0, with: 0x3F) },
            "cancel_at_packet": fault { .cancelAtPacket($0) },
            "ignore_end": fault { .ignoreEnd($0) },
            "refuse_end": fault { .refuseEnd($0) },
            "cut_in_packet": fault { .cutInPacket($0) },
            "power_loss_in_packet": fault { .powerLossInPacket($0) },
            "keep_old_application": fault { _ in .keepOldApplication },
        ]
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try FBeaconScenarioBeacon(&entry)
    }

    private static func fault(_ make: @escaping @Sendable (Int) -> FBeaconFault) -> NamedFault {
        NamedFault { .fbeacon(make($0)) }
    }
}
