import Bytes

extension ScenarioKind {
    /// A beacon whose application hosts SUOTA.
    static let suota = ScenarioKind(
        name: "suota",
        faults: [
            "early_notification": NamedFault { .suota(.earlyNotification($0)) },
            "wrong_status": NamedFault { .suota(.replaceStatus($0, with: 0x06)) },
            "memory_info": NamedFault(range: 0...Int(UInt32.max)) {
                .suota(.answerMemoryInfo(UInt32(clamping: $0)))
            },
            "delay_response": NamedFault { .suota(.delayResponse($0, by: .seconds(5))) },
            "cut_in_block": NamedFault { .suota(.cutInBlock($0)) },
            "power_loss_in_block": NamedFault { .suota(.powerLossInBlock($0)) },
            "ignore_reboot": NamedFault { _ in .suota(.ignoreReboot) },
            "refuse_channel": NamedFault { _ in .suota(.refuseChannel) },
        ]
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try SUOTAScenarioBeacon(&entry)
    }
}
