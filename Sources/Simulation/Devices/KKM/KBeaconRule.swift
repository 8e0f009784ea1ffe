package enum KBeaconRule: String, ClientRule {
    case handshakeWithoutNotifications, handshakeAgain, wrongHandshakeStep, digestToImpostor,
        commandBeforeSession, malformedPiece, pieceBeforeAcknowledgement, wrongOffset, commandTooLong,
        commandDuringAnswer, spacesOrEscapes, unaskedAcknowledgement, window, unchangedParameter

    package static let prefix = "kbeacon-"
    package static let page = "kbeacon.md,"

    package var broken: BrokenRule {
        switch self {
        case .handshakeWithoutNotifications: rule("a handshake with notifications off", "Handshake")
        case .handshakeAgain: rule("a second handshake on one link", "Handshake")
        case .wrongHandshakeStep:
            rule("a handshake step that is unknown, out of order, or of a wrong length", "Handshake")
        case .digestToImpostor: rule("a digest although the beacon's own was wrong", "Handshake")
        case .commandBeforeSession:
            rule("a command, or an entry into the bootloader, without a session", "Handshake")
        case .malformedPiece: rule("a write that is neither a piece nor an acknowledgement", "Framing")
        case .pieceBeforeAcknowledgement: rule("a piece before the previous one was acknowledged", "Acks")
        case .wrongOffset: rule("a piece that does not begin where the previous one ended", "Framing")
        case .commandTooLong: rule("a command that is too long", "Framing")
        case .commandDuringAnswer: rule("a command before the previous answer was fetched", "Acks")
        case .spacesOrEscapes: rule("JSON with spaces, line ends or escapes", "Messages")
        case .unaskedAcknowledgement: rule("an acknowledgement of something that was not sent", "Acks")
        case .window: rule("a window other than 1000", "Acks")
        case .unchangedParameter: rule("a parameter set to its current value", "Common parameters")
        }
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
    private(set) var rulesInOrder: [KBeaconRule] = []
    package var brokenRules: [KBeaconRule: Int] { rulesInOrder.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    mutating func note(_ rule: KBeaconRule) { rulesInOrder.append(rule) }

    mutating func endRinging(at now: Duration) {
        if let last = rings.indices.last { rings[last].end(at: now) }
    }
}
