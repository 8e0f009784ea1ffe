/// The injected faults of links, packets and power: counts events over a beacon's life, and reports which faults are
/// due.
struct FaultPlan: Sendable {
    /// What happens to a packet that arrives.
    enum PacketOutcome: Sendable { case process, ignore, fallSilent, cut }

    private let faults: [Fault]
    private(set) var packets = 0
    private(set) var commands = 0
    private var notifications = 0
    private var lastCommand: Duration?

    init(_ faults: [Fault]) { self.faults = faults.distinct }

    /// Whether any faults of the Attribute Protocol are injected.
    var hasAttributeFaults: Bool { faults.contains { if case .attributeFault = $0 { true } else { false } } }

    /// The faults of the Attribute Protocol that are active from the next packet on.
    var attributeFaults: Set<AttributeFault> {
        Set(
            faults.compactMap {
                if case .attributeFault(let attributeFault, let first) = $0, packets + 1 >= first {
                    attributeFault
                } else {
                    nil
                }
            })
    }

    /// Whether it is out of reach at this age.
    func isAway(at age: Duration) -> Bool {
        faults.contains {
            if case .away(let from, let until) = $0 {
                from <= age && until.map { age < $0 } ?? true
            } else {
                false
            }
        }
    }

    /// When it is next out of reach for at least `length`, as an age; nil for never.
    func nextAbsence(after age: Duration, of length: Duration) -> Duration? {
        faults.compactMap {
            guard case .away(let from, let until) = $0, from > age, until.map({ $0 - from >= length }) ?? true
            else { return nil }
            return from
        }.min()
    }

    /// The additional start time.
    var startDelay: Duration {
        faults.reduce(.zero) { if case .slowBootloader(let time) = $1 { $0 + time } else { $0 } }
    }

    /// Counts a packet as it arrives.
    mutating func arrival(of packet: [UInt8], at now: Duration) -> PacketOutcome {
        packets += 1
        let isCommand = packet.first == 0x52
        if isCommand { commands += 1 }
        if faults.contains(.cut(beforePacket: packets)) { return .cut }
        if faults.contains(.silence(fromPacket: packets)) { return .fallSilent }
        guard isCommand else { return .process }
        defer { lastCommand = now }
        return isLost(at: now) ? .ignore : .process
    }

    /// Whether the Write Command that has just arrived is lost.
    private func isLost(at now: Duration) -> Bool {
        faults.contains { fault in
            switch fault {
            case .losePacket(commands): true
            case .losePackets(let percent): Self.lot(of: commands) < percent
            case .loseQuickPackets(let length): lastCommand.map { now - $0 < length } ?? false
            default: false
            }
        }
    }

    /// A number below 100 for each number from 1 on, mixed as in SplitMix64.
    private static func lot(of number: Int) -> Int {
        var mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % 100)
    }

    /// Whether the link or the power ends after the last packet.
    var cutsNow: Bool { faults.contains(.cut(afterPacket: packets)) }
    var losesPowerNow: Bool { faults.contains(.powerLoss(afterPacket: packets)) }

    /// Counts a notification that is due at `due`: how often and when it is sent, and whether it waits for the next
    /// one.
    mutating func treat(_ due: Duration) -> (copies: Int, due: Duration, waitsForNext: Bool) {
        notifications += 1
        var due = due
        for case .delayNotification(notifications, let time) in faults { due += time }
        let copies =
            faults.contains(.loseNotification(notifications))
            ? 0 : faults.contains(.doubleNotification(notifications)) ? 2 : 1
        return (copies, due, faults.contains(.reorderNotification(notifications)))
    }

    /// Counts a channel packet, as a packet and as a command.
    mutating func channelArrival(at now: Duration) -> PacketOutcome { arrival(of: [0x52], at: now) }
}
