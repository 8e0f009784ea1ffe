import Simulation

extension MCUbootColumn {
    package static let rows: [Row<MCUbootColumn>] = linkRows + requestRows + activationRows + circumstanceRows

    private static func each(_ count: Int, _ fault: (Int) -> MCUbootFault) -> [MCUbootTrouble] {
        count < 1 ? [] : (1...count).map { MCUbootTrouble([.mcuboot(fault($0))]) }
    }

    private static func row(
        _ title: String, mayFail: Set<String> = [], _ fault: @escaping @Sendable (Int) -> MCUbootFault
    ) -> Row<MCUbootColumn> {
        Row(title, mayFail: mayFail) { each($0.requests, fault) }
    }

    private static func row(
        _ circumstance: MCUbootTrouble.Circumstance, _ traits: Set<Trait> = [], mayFail: String...
    ) -> Row<MCUbootColumn> {
        Row(circumstance.rawValue, traits, mayFail: Set(mayFail)) { _ in [MCUbootTrouble(circumstance)] }
    }

    private static let linkRows: [Row<MCUbootColumn>] = [
        Row("link cut before a packet", at: \.packets) { .cut(beforePacket: $0) },
        Row("link cut after a packet", at: \.packets) { .cut(afterPacket: $0) },
        // Direct-XIP erases an image that restarts before it is confirmed.
        Row("power lost at a packet", mayFail: ["refused-at-boot"], at: \.packets) {
            .powerLoss(afterPacket: $0)
        },
        Row("device falls silent", at: \.packets) { .silence(fromPacket: $0) },
    ]

    private static let requestRows: [Row<MCUbootColumn>] = [
        row("request lost") { .loseRequest($0) }, row("link cut in a request") { .cutInRequest($0) },
        row("answer lost") { .loseAnswer($0) }, row("answer doubled") { .doubleAnswer($0) },
        row("answer late by 0.7 s") { .delayAnswer($0, by: .milliseconds(700)) },
        row("answer late by 5 s") { .delayAnswer($0, by: .seconds(5)) },
        row("answer late by 60 s") { .delayAnswer($0, by: .seconds(60)) },
        row("answer cut short") { .malformedAnswer($0) }, row("answer without end") { .endlessAnswer($0) },
        row("busy once") { .busy($0) },
        row("an error without a meaning", mayFail: ["smp-refused", "confirm-refused"]) {
            .meaninglessError($0)
        },
        Row("offset too high") { each($0.chunks) { .wrongOffset($0) } },
        Row("flash not written once") { each($0.chunks) { .failFlashWrite($0) } },
        Row("no free slot once", under: .mcuboot(.noFreeSlot(1))),
        Row("link lost by the erase", under: .mcuboot(.eraseEndsLink(1))),
    ]

    private static let activationRows: [Row<MCUbootColumn>] = [
        Row("restart that never comes", under: .mcuboot(.ignoreReset(1))),
        Row(
            "confirmation refused", [.reverts], mayFail: ["confirm-refused"],
            under: .mcuboot(.refuseConfirm)),
        Row(
            "old application starts", [.moves], mayFail: ["image-reverted"],
            under: .mcuboot(.keepOldApplication)),
        Row("power lost while images move", [.moves]) { each($0.pages) { .powerLossInSwap($0) } },
    ]

    private static let circumstanceRows: [Row<MCUbootColumn>] = [
        row(.crashes, [.reverts], mayFail: "image-reverted", "refused-at-boot"),
        row(.noServer, mayFail: "update-service-missing"), row(.hangs, mayFail: "link-lost"),
        row(.otherKey, mayFail: "refused-at-boot"),
        row(.smallSlot, mayFail: "insufficient-space", "refused-at-boot"),
        row(.inTest, [.moves]), row(.encrypted),
        row(.higherVersion, mayFail: "version-never-starts"),
        row(.downgradeRefused, [.moves], mayFail: "downgrade-prevented", "refused-at-boot"),
    ]
}
