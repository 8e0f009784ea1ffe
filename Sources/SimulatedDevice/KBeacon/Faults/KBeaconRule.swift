/// A rule of the session that a client broke.
public enum KBeaconRule: String, Hashable, Sendable, CaseIterable {
    /// It began a handshake with its notifications off.
    case handshakeWithoutNotifications
    /// It began one while one was under way, or after one that was done.
    case handshakeAgain
    /// A step of its handshake was not known, had another length, or came without the one before it.
    case wrongHandshakeStep
    /// It sent its digest although ours was wrong.
    case digestToImpostor
    /// It sent a command, or went for the bootloader where that needs one, without a session.
    case commandBeforeSession
    /// A write was no piece and no acknowledgement of any type.
    case malformedPiece
    /// It sent a piece before the one before it was acknowledged.
    case pieceBeforeAcknowledgement
    /// It sent a piece that does not begin where the ones before it end.
    case wrongOffset
    /// Its command is longer than any.
    case commandTooLong
    /// It sent a command while an answer waited for it.
    case commandDuringAnswer
    /// Its JSON has spaces, line ends or escapes, which some beacons drop.
    case spacesOrEscapes
    /// It acknowledged what it was not sent.
    case unaskedAcknowledgement
    /// Its window is not 1000.
    case window
    /// It set a parameter to what it was.
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
            rule("handshake-again", "a handshake although one was begun on this link", "Handshake")
        case .wrongHandshakeStep:
            rule(
                "wrong-handshake-step",
                "a step of the handshake that is unknown, too long or too short, or out of order", "Handshake"
            )
        case .digestToImpostor:
            rule("digest-to-impostor", "a digest although the beacon's own was wrong", "Handshake")
        case .commandBeforeSession:
            rule(
                "command-before-session", "a command, or the way to the bootloader, without a session",
                "Handshake")
        case .malformedPiece:
            rule("malformed-piece", "a write that is neither piece nor acknowledgement", "Framing")
        case .pieceBeforeAcknowledgement:
            rule("piece-before-acknowledgement", "a piece before the last one was acknowledged", "Acks")
        case .wrongOffset:
            rule("wrong-offset", "a piece that does not begin where the last one ended", "Framing")
        case .commandTooLong: rule("command-too-long", "a command longer than any", "Framing")
        case .commandDuringAnswer:
            rule("command-during-answer", "a command while an answer waits to be fetched", "Acks")
        case .spacesOrEscapes: rule("spaces-or-escapes", "JSON with spaces, line ends or escapes", "Messages")
        case .unaskedAcknowledgement:
            rule("unasked-acknowledgement", "an acknowledgement of what was not sent", "Acks")
        case .window: rule("window", "a window other than 1000", "Acks")
        case .unchangedParameter:
            rule("unchanged-parameter", "a parameter set to what it was", "Common parameters")
        }
    }
}
