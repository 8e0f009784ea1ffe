package struct KBeaconRule: ClientRule {
    package let broken: BrokenRule

    package static let handshakeWithoutNotifications = rule(
        "handshake-without-notifications", "a handshake with notifications off", "Handshake")
    package static let handshakeAgain = rule("handshake-again", "a second handshake on one link", "Handshake")
    package static let wrongHandshakeStep = rule(
        "wrong-handshake-step", "a handshake step that is unknown, out of order, or of a wrong length",
        "Handshake")
    package static let digestToImpostor = rule(
        "digest-to-impostor", "a digest although the beacon's own was wrong", "Handshake")
    package static let commandBeforeSession = rule(
        "command-before-session", "a command, or an entry into the bootloader, without a session", "Handshake"
    )
    package static let malformedPiece = rule(
        "malformed-piece", "a write that is neither a piece nor an acknowledgement", "Framing")
    package static let pieceBeforeAcknowledgement = rule(
        "piece-before-acknowledgement", "a piece before the previous one was acknowledged", "Acks")
    package static let wrongOffset = rule(
        "wrong-offset", "a piece that does not begin where the previous one ended", "Framing")
    package static let commandTooLong = rule("command-too-long", "a command that is too long", "Framing")
    package static let commandDuringAnswer = rule(
        "command-during-answer", "a command before the previous answer was fetched", "Acks")
    package static let spacesOrEscapes = rule(
        "spaces-or-escapes", "JSON with spaces, line ends or escapes", "Messages")
    package static let unaskedAcknowledgement = rule(
        "unasked-acknowledgement", "an acknowledgement of something that was not sent", "Acks")
    package static let window = rule("window", "a window other than 1000", "Acks")
    package static let unchangedParameter = rule(
        "unchanged-parameter", "a parameter set to its current value", "Common parameters")

    package static let allCases = [
        handshakeWithoutNotifications, handshakeAgain, wrongHandshakeStep, digestToImpostor,
        commandBeforeSession, malformedPiece, pieceBeforeAcknowledgement, wrongOffset, commandTooLong,
        commandDuringAnswer, spacesOrEscapes, unaskedAcknowledgement, window, unchangedParameter,
    ]

    private static func rule(_ id: String, _ text: String, _ heading: String) -> Self {
        Self(broken: BrokenRule("kbeacon-" + id, text, in: "kbeacon.md, \(heading)"))
    }
}

package struct KBeaconStatistics: Hashable, Sendable {
    package internal(set) var handshakes = 0
    /// The digests that clients sent, each one attempt at the password.
    package internal(set) var passwordsTried = 0
    package internal(set) var wrongPasswords = 0
    package internal(set) var writesAfterRefusal = 0
    /// The texts of commands in order, in hexadecimal if they are binary.
    package internal(set) var commands: [String] = []
    package internal(set) var rings: [KBeaconRing] = []
    package internal(set) var brokenRules: [KBeaconRule: Int] = [:]
    private(set) var rulesInOrder: [KBeaconRule] = []

    init() {}

    mutating func note(_ rule: KBeaconRule) {
        brokenRules[rule, default: 0] += 1
        rulesInOrder.append(rule)
    }
}

/// A period during which a beacon blinked, beeped or vibrated (kbeacon.md, Ring).
package struct KBeaconRing: Hashable, Sendable {
    package let means: Set<Means>
    package let asked: Duration
    package let isLit, isDark: Duration?
    package let start: Duration
    /// How long it lasted: no longer than its link.
    package internal(set) var lasted: Duration

    package enum Means: String, Hashable, Sendable { case light, beep, vibration }

    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}
