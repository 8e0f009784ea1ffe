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

/// What a KBeacon's session has recorded over the beacon's life.
public struct KBeaconStatistics: Hashable, Sendable {
    /// The handshakes that clients started.
    public internal(set) var handshakes = 0
    /// The digests that clients sent, each one attempt at the password.
    public internal(set) var passwordsTried = 0
    /// The wrong digests among them.
    public internal(set) var wrongPasswords = 0
    /// The writes on links after the password was refused.
    public internal(set) var writesAfterRefusal = 0
    /// The texts of commands in order, in hexadecimal if they are binary.
    public internal(set) var commands: [String] = []
    /// Each ring, as requested and as it happened.
    public internal(set) var rings: [KBeaconRing] = []
    /// How often each rule was broken.
    public internal(set) var brokenRules: [KBeaconRule: Int] = [:]
    /// The broken rules in order.
    private(set) var rulesInOrder: [KBeaconRule] = []

    init() {}

    mutating func note(_ rule: KBeaconRule) {
        brokenRules[rule, default: 0] += 1
        rulesInOrder.append(rule)
    }
}

/// A period during which a beacon blinked, beeped or vibrated (kbeacon.md, Ring).
public struct KBeaconRing: Hashable, Sendable {
    /// The means that were used.
    public let means: Set<Means>
    /// The requested duration.
    public let asked: Duration
    /// The requested on and off times of the LED; nil if not given.
    public let isLit, isDark: Duration?
    /// When it started.
    public let start: Duration
    /// How long it lasted: no longer than its link.
    public internal(set) var lasted: Duration

    /// A way to draw attention.
    public enum Means: String, Hashable, Sendable { case light, beep, vibration }

    /// Ends it at `now`, unless it has ended already.
    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}
