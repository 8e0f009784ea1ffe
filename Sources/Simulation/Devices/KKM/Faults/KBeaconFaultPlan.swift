/// The injected faults of a session: counts events over the beacon's life, and reports which faults are due.
struct KBeaconFaultPlan: Sendable {
    /// What happens to a link after a step of a handshake.
    enum HandshakeFault: Hashable, Sendable { case goOn, fallSilent, cut }

    private let faults: [KBeaconFault]
    private var commands = 0
    private var requests = 0
    private var values = 0

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .kbeacon(let fault) = $0 { fault } else { nil } }
    }

    var isImpostor: Bool { faults.contains(.impostor) }

    var garblesPassword: Bool { faults.contains(.garblePassword) }

    func refusesDigest(ofHandshake number: Int) -> Bool { faults.contains(.refuseDigest(number)) }

    func turn(afterStep step: Int, ofHandshake number: Int) -> HandshakeFault {
        if faults.contains(.cut(afterStep: step, ofHandshake: number)) { return .cut }
        return faults.contains(.silence(afterStep: step, ofHandshake: number)) ? .fallSilent : .goOn
    }

    /// Counts a command; returns the cause to refuse it with, or nil to carry it out.
    mutating func refusal() -> KBeaconCause? {
        commands += 1
        for case .refuseCommand(commands, let cause) in faults { return KBeaconCause(rawValue: cause) }
        for case .refuseCommands(let cause) in faults { return KBeaconCause(rawValue: cause) }
        return nil
    }

    /// Whether this fault is due for the last counted command.
    func strikes(_ fault: (Int) -> KBeaconFault) -> Bool { faults.contains(fault(commands)) }

    /// Counts an acknowledgement that requests more; returns the offset to name in it.
    mutating func asked(_ offset: Int) -> Int {
        requests += 1
        for case .askWrongOffset(requests, let wrong) in faults { return Int(wrong) }
        return offset
    }

    /// Counts a value; returns the value to send instead.
    mutating func treat(_ value: [UInt8]) -> [UInt8] {
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

/// An injected fault of a KBeacon's session. All numbers count from 1 over its life.
public enum KBeaconFault: Hashable, Sendable {
    /// It sends nothing more on the link of this handshake after this step: 1 the client's number, 2 the response to
    /// it, 3 the client's digest, 4 the response to that.
    case silence(afterStep: Int, ofHandshake: Int)
    /// The link of this handshake ends after this step.
    case cut(afterStep: Int, ofHandshake: Int)
    /// It does not know the password: its digests are wrong.
    case impostor
    /// The digest of this handshake is refused with `F1` although it is correct.
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
    /// This value that it sends has inverted bits in this byte, counted from the end.
    case flipAnswer(Int, fromEnd: Int)
    /// This value that it sends is cut to this many bytes.
    case cutAnswer(Int, to: Int)
}
