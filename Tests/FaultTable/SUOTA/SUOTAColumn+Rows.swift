import Simulation

extension SUOTAColumn {
    package static let rows: [Row<SUOTAColumn>] = linkRows + statusRows + refusalRows + deviceRows + fileRows

    private static func each(_ count: Int, _ fault: (Int) -> Fault) -> [SUOTATrouble] {
        count < 1 ? [] : (1...count).map { SUOTATrouble([fault($0)]) }
    }

    /// Each of `values` instead of each status.
    private static func each(_ counts: Counts, _ values: [UInt8]) -> [SUOTATrouble] {
        values.flatMap { value in each(counts.statuses) { .suota(.replaceStatus($0, with: value)) } }
    }

    /// The device has everything, but neither its confirmation nor its version was available.
    private static let unconfirmed: Set<String> = ["activation-unconfirmed"]

    /// The device has checked the image and runs the old one.
    private static let unstarted = unconfirmed.union(["version-mismatch"])

    private static let linkRows: [Row<SUOTAColumn>] = [
        Row("link cut before a packet", mayFail: unconfirmed, at: \.packets) { .cut(beforePacket: $0) },
        Row("link cut after a packet", mayFail: unconfirmed, at: \.packets) { .cut(afterPacket: $0) },
        Row("link cut in a block", at: \.blocks) { .suota(.cutInBlock($0)) },
        // A stream starts again by itself then.
        Row("link cut in a block, 20 s until it starts again") { counts in
            (1...counts.blocks).map {
                SUOTATrouble([.suota(.cutInBlock($0)), .slowBootloader(.seconds(20))])
            }
        },
        // A stream with a gap in its header is refused for its apparent content.
        Row("data packet lost", mayFail: ["invalid-image-header", "image-too-large"], at: \.commands) {
            .losePacket($0)
        },
        Row("write answered 4 s late", at: \.requests) { .suota(.delayResponse($0, by: .seconds(4))) },
        Row("write answered 40 s late", mayFail: unconfirmed, at: \.requests) {
            .suota(.delayResponse($0, by: .seconds(40)))
        },
        Row("device falls silent", mayFail: unconfirmed, at: \.packets) { .silence(fromPacket: $0) },
        Row("channel not taken", [.channel], under: .suota(.refuseChannel)),
    ]

    private static let statusRows: [Row<SUOTAColumn>] = [
        Row("status lost", mayFail: unconfirmed, at: \.statuses) { .loseNotification($0) },
        Row("status doubled", at: \.statuses) { .doubleNotification($0) },
        Row("status before the answer to its write", at: \.statuses) { .suota(.earlyNotification($0)) },
        Row("status late by 4 s", at: \.statuses) { .delayNotification($0, by: .seconds(4)) },
        Row("status late by 40 s", mayFail: unconfirmed, at: \.statuses) {
            .delayNotification($0, by: .seconds(40))
        },
        Row("statuses in the wrong order", mayFail: unconfirmed, at: \.statuses) { .reorderNotification($0) },
        Row("MEM_INFO always 0", under: .suota(.answerMemoryInfo(0))),
        // On a channel nothing else shows when the end may be announced.
        Row(
            "MEM_INFO always FFFFFFFF", mayFail: ["image-crc-mismatch"],
            under: .suota(.answerMemoryInfo(.max))),
        Row("MEM_INFO always 1", mayFail: ["no-answer"], under: .suota(.answerMemoryInfo(1))),
        Row("MEM_INFO always 0, status lost", mayFail: unconfirmed) { counts in
            each(counts.statuses) { .loseNotification($0) }.map {
                SUOTATrouble($0.faults + [.suota(.answerMemoryInfo(0))])
            }
        },
    ]

    private static let refusalRows: [Row<SUOTAColumn>] = [
        Row("02 instead of a status") { counts in each(counts, [0x02]) },
        Row("10 instead of a status", mayFail: unconfirmed) { counts in each(counts, [0x10]) },
        Row("00 or 18 instead of a status", mayFail: unconfirmed.union(["image-not-marked"])) {
            each($0, [0, 0x18])
        },
        Row("03, 04 or 05 instead of a status") { counts in each(counts, [3, 4, 5]) },
        Row("01 instead of a status", mayFail: ["patch-service"]) { each($0, [0x01]) },
        Row("06 instead of a status", mayFail: ["flash-write-failed"]) { each($0, [0x06]) },
        Row("07 instead of a status", mayFail: ["block-too-large"]) { each($0, [0x07]) },
        Row("08 instead of a status", mayFail: ["memory-type-refused"]) { each($0, [0x08]) },
        Row("09 instead of a status", mayFail: ["image-refused"]) { each($0, [0x09]) },
        Row("11 instead of a status", mayFail: ["invalid-bank"]) { each($0, [0x11]) },
        Row("12 instead of a status", mayFail: ["invalid-image-header"]) { each($0, [0x12]) },
        Row("13 instead of a status", mayFail: ["image-too-large"]) { each($0, [0x13]) },
        Row("14 instead of a status", mayFail: ["product-header-missing"]) { each($0, [0x14]) },
        Row("15 or 17 instead of a status", mayFail: ["same-image"]) { each($0, [0x15, 0x17]) },
        Row("16 instead of a status", mayFail: ["wrong-pins"]) { each($0, [0x16]) },
        Row("77 instead of a status", mayFail: ["unknown-status", "image-not-marked"]) { each($0, [0x77]) },
    ]

    private static let deviceRows: [Row<SUOTAColumn>] = [
        Row("power lost in a block", at: \.blocks) { .suota(.powerLossInBlock($0)) },
        Row("power lost at a packet", mayFail: unstarted, at: \.packets) { .powerLoss(afterPacket: $0) },
        Row("flash gives up a write silently, which the CRC shows at the start", mayFail: unstarted) {
            counts in
            each(counts.blocks + 2) { .loseFlashWrite($0) }
        },
        Row("reboot that never comes", mayFail: unstarted, under: .suota(.ignoreReboot)),
        Row("device slow to start, 1, 5, 20 and 60 s", mayFail: ["did-not-reappear"]) { _ in
            [1, 5, 20, 60].map { SUOTATrouble([.slowBootloader(.seconds($0))]) }
        },
        Row("wrong pins, 16", [.banks], mayFail: ["wrong-pins"], under: .suota(.wrongPins(.memoryRead))),
        Row(
            "wrong pins, 14", [.banks], mayFail: ["product-header-missing"],
            under: .suota(.wrongPins(.productHeader))),
        Row(
            "wrong pins, 06", [.banks], mayFail: ["flash-write-failed"],
            under: .suota(.wrongPins(.memoryWrite))),
        Row("another phone has a link", [.stream], mayFail: ["service-left"]) { _ in
            [SUOTATrouble([], [.otherLink])]
        },
    ]

    private static let fileRows: [Row<SUOTAColumn>] = [
        Row("the other memory's pins", mayFail: ["wrong-pins", "memory-type-refused"]) { _ in
            [SUOTATrouble([], [.wrongMemory])]
        },
        Row("bank of the running image", [.banks], mayFail: ["running-bank-risk"]) { _ in
            [SUOTATrouble([], [.runningBank])]
        },
        Row("bank of the running image, by force", [.banks]) { _ in [SUOTATrouble([], [.forcedBank])] },
        Row("blocks of 512 bytes", mayFail: ["block-too-large"]) { _ in
            [SUOTATrouble([], [.largeBlocks])]
        },
        Row("image too large", mayFail: ["image-too-large"]) { _ in [SUOTATrouble([], [.smallBank])] },
        Row("same image in the bank that does not run", [.banks], mayFail: ["same-image"]) { _ in
            [SUOTATrouble([], [.sameImage])]
        },
        Row("same version runs", [.version], mayFail: ["same-version"]) { _ in
            [SUOTATrouble([], [.sameVersion])]
        },
        Row("wrong family", mayFail: ["invalid-image-header", "wrong-family", "memory-type-refused"]) { _ in
            [SUOTATrouble([], [.wrongFamily]), SUOTATrouble([], [.wrongFamily, .namelessChip])]
        },
    ]
}
