import Simulation

extension KBeaconColumn {
    package static let rows: [Row<KBeaconColumn>] = linkRows + handshakeRows + answerRows

    private static let linkRows: [Row<KBeaconColumn>] = [
        Row("link cut before a packet", at: \.nordic.packets) { .cut(beforePacket: $0) },
        Row("link cut after a packet", at: \.nordic.packets) { .cut(afterPacket: $0) },
        Row("notification lost", at: \.nordic.others) { .loseNotification($0) },
        // A refusal that comes twice is taken for the answer to the next request.
        Row("notification doubled", mayFail: ["refused-by-device"], at: \.nordic.others) {
            .doubleNotification($0)
        },
        Row("notification late by 0.7 s", at: \.nordic.others) {
            .delayNotification($0, by: .milliseconds(700))
        },
        Row("notification late by 20 s", at: \.nordic.others) { .delayNotification($0, by: .seconds(20)) },
        Row("notifications in the wrong order", mayFail: ["refused-by-device"], at: \.nordic.others) {
            .reorderNotification($0)
        },
        Row("power lost at a packet", mayFail: ["activation-unconfirmed"], at: \.nordic.packets) {
            .powerLoss(afterPacket: $0)
        },
        Row("device falls silent", at: \.nordic.packets) { .silence(fromPacket: $0) },
    ]

    /// `fault` after each step of each handshake.
    private static func eachStep(_ counts: Counts, _ fault: (Int, Int) -> KBeaconFault) -> [KBeaconTrouble] {
        (1...max(1, counts.handshakes)).flatMap { number in
            (1...4).map { KBeaconTrouble([.kbeacon(fault($0, number))]) }
        }
    }

    private static let handshakeRows: [Row<KBeaconColumn>] = [
        Row("another password than ours", mayFail: ["password-wrong"]) { _ in
            var trouble = KBeaconTrouble()
            trouble.hasWrongPassword = true
            return [trouble]
        },
        Row(
            "impostor that does not know the password", mayFail: ["password-wrong"],
            under: .kbeacon(.impostor)),
        Row("F1 to the right proof", mayFail: ["authentication-refused"], at: \.handshakes) {
            .kbeacon(.refuseDigest($0))
        },
        Row("silence after a step of the handshake") { counts in
            eachStep(counts) { .silence(afterStep: $0, ofHandshake: $1) }
        },
        Row("link cut after a step of the handshake") { counts in
            eachStep(counts) { .cut(afterStep: $0, ofHandshake: $1) }
        },
    ]

    private static let answerRows: [Row<KBeaconColumn>] = [
        Row("busy once", at: \.messages) { .kbeacon(.refuseCommand($0, cause: 0x010C)) },
        Row("always busy", mayFail: ["beacon-busy"], under: .kbeacon(.refuseCommands(cause: 0x010C))),
        Row("message refused once", mayFail: ["refused-by-device"], at: \.messages) {
            .kbeacon(.refuseCommand($0, cause: 0x0107))
        },
        Row(
            "messages always refused", mayFail: ["refused-by-device"],
            under: .kbeacon(.refuseCommands(cause: 0x0107))),
        Row("value cut to 5 bytes", mayFail: ["answer-malformed"], at: values) {
            .kbeacon(.cutAnswer($0, to: 5))
        },
        // The last byte of an ack is its cause.
        Row(
            "last byte of a value inverted",
            mayFail: ["password-wrong", "answer-malformed", "refused-by-device"], at: values
        ) { .kbeacon(.flipAnswer($0, fromEnd: 0)) },
        Row("bootloader slow to appear", mayFail: ["bootloader-not-found"]) { _ in
            [1, 5, 20, 60].map { KBeaconTrouble([.slowBootloader(.seconds($0))]) }
        },
    ]

    /// The minimum number of values in the sessions.
    private static func values(_ counts: Counts) -> Int { 2 * counts.handshakes + counts.messages }
}
