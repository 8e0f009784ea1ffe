import Simulation

extension FBeaconColumn {
    package static let rows: [Row<FBeaconColumn>] = refusalRows + linkRows + transferRows

    private static func each(_ count: Int, _ fault: (Int) -> Fault) -> [FBeaconTrouble] {
        count < 1 ? [] : (1...count).map { FBeaconTrouble([fault($0)]) }
    }

    private static func blocks(_ counts: Counts, _ fault: (Int) -> FBeaconFault) -> [FBeaconTrouble] {
        each(counts.blocks) { .fbeacon(fault($0)) }
    }

    private static func row(_ circumstance: FBeaconTrouble.Circumstance, _ code: String) -> Row<FBeaconColumn>
    {
        Row(circumstance.rawValue, mayFail: [code]) { _ in [FBeaconTrouble(circumstance)] }
    }

    private static let refusalRows: [Row<FBeaconColumn>] = [
        row(.wrongPIN, "password-wrong"), row(.otherModel, "wrong-device"),
        row(.oldVersion, "installed-version-too-low"), row(.oldBootloader, "bootloader-version-too-low"),
        row(.noMark, "not-an-open-fbeacon"),
        Row("busy once", mayFail: ["beacon-busy", "entry-refused"]) { _ in
            [FBeaconTrouble([.fbeacon(.busy(1))]), FBeaconTrouble([.fbeacon(.busy(2))])]
        },
    ]

    private static let linkRows: [Row<FBeaconColumn>] = [
        Row("link cut before a packet", at: \.packets) { .cut(beforePacket: $0) },
        Row("link cut after a packet", at: \.packets) { .cut(afterPacket: $0) },
        Row("notification lost", at: \.notifications) { .loseNotification($0) },
        Row("notification doubled", at: \.notifications) { .doubleNotification($0) },
        Row("notification late by 0.7 s", at: \.notifications) {
            .delayNotification($0, by: .milliseconds(700))
        },
        Row("notification late by 5 s", at: \.notifications) { .delayNotification($0, by: .seconds(5)) },
        Row("notifications in the wrong order", at: \.notifications) { .reorderNotification($0) },
        Row("power lost at a packet", at: \.packets) { .powerLoss(afterPacket: $0) },
        Row("device falls silent", at: \.packets) { .silence(fromPacket: $0) },
    ]

    private static let transferRows: [Row<FBeaconColumn>] = [
        Row("link cut in a block") { blocks($0) { .cutInPacket($0) } },
        Row("power lost in a block") { blocks($0) { .powerLossInPacket($0) } },
        Row("block refused once") { blocks($0) { .refusePacket($0) } },
        Row("blocks always refused", mayFail: ["packet-refused"]) { blocks($0) { .refuseFromPacket($0) } },
        Row("ten NAKs before an ACK") { blocks($0) { .floodRefusals($0) } },
        Row("ACK lost") { blocks($0) { .loseAnswer($0) } },
        Row("ACK late, after the block came again") {
            blocks($0) { .delayAnswer($0, by: .milliseconds(1500)) }
        },
        Row("another byte instead of an ACK") { blocks($0) { .replaceAnswer($0, with: 0x3F) } },
        Row("CAN by the device") { blocks($0) { .cancelAtPacket($0) } },
        Row("end lost", under: .fbeacon(.ignoreEnd(1))),
        Row("end refused once", under: .fbeacon(.refuseEnd(1))),
        Row(
            "image confirmed, and the old application starts", mayFail: ["version-mismatch"],
            under: .fbeacon(.keepOldApplication)),
        Row("device slow to appear") { _ in
            [1, 5, 20].map { FBeaconTrouble([.slowBootloader(.seconds($0))]) }
        },
    ]
}
