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

    func isDue(_ fault: (Int) -> KBeaconFault) -> Bool { faults.contains(fault(commands)) }

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
