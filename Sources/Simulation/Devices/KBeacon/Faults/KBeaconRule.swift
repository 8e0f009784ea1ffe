/// A rule of the session that a client broke.
public enum KBeaconRule: String, Hashable, Sendable, CaseIterable {
    /// It started a handshake with notifications off.
    case handshakeWithoutNotifications
    /// It started a handshake while another was under way, or after a completed one.
    case handshakeAgain
    /// A step of its handshake was unknown, had a wrong length, or was out of order.
    case wrongHandshakeStep
    /// It sent its digest although the beacon's was wrong.
    case digestToImpostor
    /// It sent a command, or tried to enter the bootloader where that requires a session, without a session.
    case commandBeforeSession
    /// A write was neither a piece nor an acknowledgement.
    case malformedPiece
    /// It sent a piece before the previous one was acknowledged.
    case pieceBeforeAcknowledgement
    /// It sent a piece that does not start where the previous ones end.
    case wrongOffset
    /// Its command exceeds the maximum length.
    case commandTooLong
    /// It sent a command while a response was pending.
    case commandDuringAnswer
    /// Its JSON contains spaces, line ends or escapes, which some beacons drop.
    case spacesOrEscapes
    /// It acknowledged something that was not sent.
    case unaskedAcknowledgement
    /// Its window is not 1000.
    case window
    /// It set a parameter to its current value.
    case unchangedParameter
}

extension KBeaconRule: ClientRule {
    var broken: BrokenRule {
        func rule(_ id: String, _ text: String, _ heading: String) -> BrokenRule {
            BrokenRule("kbeacon-" + id, text, in: "kbeacon.md, \(heading)")
        }
        return switch self {
        case .handshakeWithoutNotifications:
            rule("handshake-without-notifications", "a handshake with notifications off", "Handshake")
        case .handshakeAgain:
            rule("handshake-again", "a second handshake on one link", "Handshake")
        case .wrongHandshakeStep:
            rule(
                "wrong-handshake-step",
                "a handshake step that is unknown, out of order, or of a wrong length", "Handshake"
            )
        case .digestToImpostor:
            rule("digest-to-impostor", "a digest although the beacon's own was wrong", "Handshake")
        case .commandBeforeSession:
            rule(
                "command-before-session", "a command, or an entry into the bootloader, without a session",
                "Handshake")
        case .malformedPiece:
            rule("malformed-piece", "a write that is neither a piece nor an acknowledgement", "Framing")
        case .pieceBeforeAcknowledgement:
            rule("piece-before-acknowledgement", "a piece before the previous one was acknowledged", "Acks")
        case .wrongOffset:
            rule("wrong-offset", "a piece that does not begin where the previous one ended", "Framing")
        case .commandTooLong: rule("command-too-long", "a command that is too long", "Framing")
        case .commandDuringAnswer:
            rule("command-during-answer", "a command before the previous answer was fetched", "Acks")
        case .spacesOrEscapes: rule("spaces-or-escapes", "JSON with spaces, line ends or escapes", "Messages")
        case .unaskedAcknowledgement:
            rule("unasked-acknowledgement", "an acknowledgement of something that was not sent", "Acks")
        case .window: rule("window", "a window other than 1000", "Acks")
        case .unchangedParameter:
            rule("unchanged-parameter", "a parameter set to its current value", "Common parameters")
        }
    }
}
