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

/// A period during which a beacon blinked, beeped or vibrated (kbeacon.md, Ring).
package struct KBeaconRing: Hashable, Sendable {
    package let means: Set<Means>
    package let asked: Duration
    package let isLit, isDark: Duration?
    package let start: Duration
    /// How long it lasted, at most until the end of the link.
    package internal(set) var lasted: Duration

    package enum Means: String, Hashable, Sendable { case light, beep, vibration }

    mutating func end(at now: Duration) { lasted = min(lasted, max(.zero, now - start)) }
}

struct KBeaconFaultPlan: Sendable {
    enum HandshakeFault: Hashable, Sendable { case silence, cut }

    private let faults: [KBeaconFault]
    private var commands = 0
    private var requests = 0
    private var values = 0

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .kbeacon(let fault) = $0 { fault } else { nil } }
    }

    func has(_ fault: KBeaconFault) -> Bool { faults.contains(fault) }

    func handshakeFault(afterStep step: Int, ofHandshake number: Int) -> HandshakeFault? {
        if faults.contains(.cut(afterStep: step, ofHandshake: number)) { return .cut }
        return faults.contains(.silence(afterStep: step, ofHandshake: number)) ? .silence : nil
    }

    /// Counts a command; returns the cause to refuse it with, or nil to carry it out.
    mutating func refusal() -> KBeaconCause? {
        commands += 1
        for case .refuseCommand(commands, let cause) in faults { return KBeaconCause(rawValue: cause) }
        for case .refuseCommands(let cause) in faults { return KBeaconCause(rawValue: cause) }
        return nil
    }

    func strikes(_ fault: (Int) -> KBeaconFault) -> Bool { faults.contains(fault(commands)) }

    /// Counts an acknowledgement that requests more; returns the offset to name in it.
    mutating func requestedOffset(for offset: Int) -> Int {
        requests += 1
        for case .askWrongOffset(requests, let wrong) in faults { return Int(wrong) }
        return offset
    }

    /// Counts a notification; returns the value to send instead of `value`.
    mutating func applyFaults(to value: [UInt8]) -> [UInt8] {
        values += 1
        var value = value
        for case .flipAnswer(values, let fromEnd) in faults {
            let place = value.count - 1 - fromEnd
            if value.indices.contains(place) { value[place] ^= 0xFF }
        }
        for case .cutAnswer(values, let count) in faults { value = Array(value.prefix(max(0, count))) }
        return value
    }
}

/// An injected fault of a KBeacon's session. "This" event is the one with the given number, counted from 1 over the
/// beacon's life.
public enum KBeaconFault: Hashable, Sendable {
    /// The beacon sends nothing more on the link of this handshake after this step: 1 the client's number, 2 the
    /// response to it, 3 the client's digest, 4 the response to that.
    case silence(afterStep: Int, ofHandshake: Int)
    /// The link of this handshake ends after this step.
    case cut(afterStep: Int, ofHandshake: Int)
    /// The beacon does not know the password: its digests are wrong.
    case impostor
    /// The client's digest of this handshake is refused with 0xF1 although it is correct.
    case refuseDigest(Int)
    /// This command is not carried out, but answered with this cause.
    case refuseCommand(Int, cause: UInt16)
    /// No command is carried out; each is answered with this cause.
    case refuseCommands(cause: UInt16)
    /// The link ends at this command, which is not carried out.
    case cutBeforeCommand(Int)
    /// This command is carried out, then the link ends without a response.
    case cutAfterCommand(Int)
    /// This command is carried out without a response.
    case loseAnswer(Int)
    /// A new password is stored with its characters reversed.
    case garblePassword
    /// This acknowledgement with cause 4 requests the piece at another offset.
    case askWrongOffset(Int, UInt16)
    /// In this notification, the bits of one byte are inverted; the byte is counted from the end, from 0.
    case flipAnswer(Int, fromEnd: Int)
    /// This notification is cut to this many bytes.
    case cutAnswer(Int, to: Int)
}
