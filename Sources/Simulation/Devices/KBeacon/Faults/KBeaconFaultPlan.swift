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
