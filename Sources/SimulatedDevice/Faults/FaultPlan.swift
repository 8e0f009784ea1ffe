/// Which of the ordered faults of links, packets and power are due: counts what happens over a beacon's life.
struct FaultPlan: Sendable {
    /// What becomes of a packet that arrives.
    enum Fate: Sendable { case process, ignore, fallSilent, cut }

    private let faults: [Fault]
    private(set) var packets = 0
    private(set) var commands = 0
    private var notifications = 0

    init(_ faults: [Fault]) { self.faults = faults.distinct }

    /// Whether lies are told at all.
    var hasLies: Bool { faults.contains { if case .lie = $0 { true } else { false } } }

    /// What is told from the next packet on.
    var lies: Set<AttributeLie> {
        Set(
            faults.compactMap {
                if case .lie(let lie, let first) = $0, packets + 1 >= first { lie } else { nil }
            })
    }

    /// What a start takes longer.
    var startDelay: Duration {
        faults.reduce(.zero) { if case .slowBootloader(let time) = $1 { $0 + time } else { $0 } }
    }

    /// Counts a packet as it arrives.
    mutating func arrival(of packet: [UInt8]) -> Fate {
        packets += 1
        let isCommand = packet.first == 0x52
        if isCommand { commands += 1 }
        if faults.contains(.cut(beforePacket: packets)) { return .cut }
        if faults.contains(.silence(fromPacket: packets)) { return .fallSilent }
        return isCommand && faults.contains(.losePacket(commands)) ? .ignore : .process
    }

    /// Whether the link, or the power, ends with the packet that arrived last.
    var cutsNow: Bool { faults.contains(.cut(afterPacket: packets)) }
    var losesPowerNow: Bool { faults.contains(.powerLoss(afterPacket: packets)) }

    /// Counts a notification that is due at `due`: how often and when it is sent, and whether it waits for the next one.
    mutating func treat(_ due: Duration) -> (copies: Int, due: Duration, waitsForNext: Bool) {
        notifications += 1
        var due = due
        for case .delayNotification(notifications, let time) in faults { due += time }
        let copies =
            faults.contains(.loseNotification(notifications))
            ? 0 : faults.contains(.doubleNotification(notifications)) ? 2 : 1
        return (copies, due, faults.contains(.reorderNotification(notifications)))
    }

    /// Counts a packet of the channel, which is a packet and a command.
    mutating func channelArrival() -> Fate { arrival(of: [0x52]) }
}
