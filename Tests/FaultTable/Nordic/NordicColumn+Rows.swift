import Simulation

extension NordicColumn {
    /// A restarted beacon starts its application if that is good; the request has been sent once already.
    private static let restarted: Set<String> = [
        "left-bootloader", "activation-unconfirmed", "version-mismatch",
    ]

    /// The bootloader was selected, so the previous version is unknown.
    private static let unconfirmed: Set<String> = ["activation-unconfirmed"]

    package static let rows: [Row<NordicColumn>] = [
        Row("link cut before a packet", mayFail: unconfirmed, at: \.packets) { .cut(beforePacket: $0) },
        Row("link cut after a packet", mayFail: unconfirmed, at: \.packets) { .cut(afterPacket: $0) },
        Row("notification lost", mayFail: unconfirmed, at: \.others) { .loseNotification($0) },
        Row("notification doubled", at: \.others) { .doubleNotification($0) },
        Row("notification late by 0.7 s", mayFail: unconfirmed, at: \.others) {
            .delayNotification($0, by: .milliseconds(700))
        },
        Row("notification late beyond its deadline", mayFail: unconfirmed, at: \.others) {
            .delayNotification($0, by: .seconds(12))
        },
        Row("notifications in the wrong order", mayFail: unconfirmed, at: \.others) {
            .reorderNotification($0)
        },
        Row("data packet lost", at: \.commands) { .losePacket($0) },
        Row("power lost at a packet", mayFail: restarted, at: \.packets) { .powerLoss(afterPacket: $0) },
        Row("wrong CRC in an answer", at: \.others) { .nordic(.corruptChecksum($0)) },
        Row(
            "request answered 05 once",
            mayFail: [
                "invalid-object", "signature-invalid", "init-packet-refused", "boot-validation-failed",
                "operation-failed", "activation-failed", "activation-unconfirmed",
            ], at: \.others
        ) { .nordic(.answerRequest($0, with: [5])) },
        // SDK 12 has one answer for everything that is wrong with a whole image.
        Row(
            "flash gives up a write silently", mayFail: ["image-hash-mismatch", "boot-validation-failed"],
            at: { _ in 20 }
        ) { .loseFlashWrite($0) },
        Row("device falls silent", mayFail: restarted.union(["no-answer"]), at: \.packets) {
            .silence(fromPacket: $0)
        },
        Row("Execute answered 05 once", [.secure], mayFail: ["signature-invalid"], at: { _ in 8 }) {
            .nordic(.answerExecute($0, with: [5]))
        },
        Row(
            "first part refused as one that is there", [.parts], mayFail: ["softdevice-mismatch"],
            under: .nordic(.answerExecute(1, with: [0x0B, 5]))),
        Row("bond lost", [.bonds], mayFail: ["encryption-failed"], under: .nordic(.loseBond)),
        Row(
            "image confirmed, and the old application starts", [.secure], mayFail: ["version-mismatch"],
            under: .nordic(.keepOldApplication)),
        Row("bootloader slow to appear", mayFail: ["device-not-found", "bootloader-not-found"]) {
            _ in
            [1, 5, 20, 60].map { NordicTrouble([.slowBootloader(.seconds($0))]) }
        },
        Row("other bootloaders in range") { _ in
            [1, 5, 20].map { number in
                var trouble = NordicTrouble()
                trouble.strangers = number
                return trouble
            }
        },
        Row("bootloader at the same address") { _ in
            var trouble = NordicTrouble()
            trouble.keepsAddress = true
            var nameless = trouble
            nameless.forgetsName = true
            return [trouble, nameless]
        },
    ]
}
