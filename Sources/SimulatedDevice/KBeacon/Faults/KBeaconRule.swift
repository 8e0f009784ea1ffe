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
