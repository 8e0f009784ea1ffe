/// The injected faults of links, packets and power: counts events over the beacon's life, and reports which are due.
struct FaultPlan: Sendable {
    enum PacketOutcome: Sendable { case process, ignore, fallSilent, cut }

    private let faults: [Fault]
    private(set) var packets = 0
    private(set) var commands = 0
    private var notifications = 0
    private var lastCommand: Duration?

    init(_ faults: [Fault]) { self.faults = faults.distinct }
    var hasAttributeFaults: Bool { faults.contains { if case .attributeFault = $0 { true } else { false } } }

    var attributeFaults: Set<AttributeFault> {
        var active: Set<AttributeFault> = []
        for case .attributeFault(let fault, let first) in faults where packets + 1 >= first {
            active.insert(fault)
        }
        return active
    }

    func isAway(at age: Duration) -> Bool {
        for case .away(let from, let until) in faults where from <= age {
            if until.map({ age < $0 }) ?? true { return true }
        }
        return false
    }

    /// When the beacon is next out of reach for at least `length`, as an age of the beacon; nil for never.
    func nextAbsence(after age: Duration, of length: Duration) -> Duration? {
        faults.compactMap {
            guard case .away(let from, let until) = $0, from > age, until.map({ $0 - from >= length }) ?? true
            else { return nil }
            return from
        }.min()
    }

    var startDelay: Duration {
        faults.reduce(.zero) { if case .slowBootloader(let time) = $1 { $0 + time } else { $0 } }
    }

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

    private func isLost(at now: Duration) -> Bool {
        faults.contains { fault in
            switch fault {
            case .losePacket(commands): true
            case .losePackets(let percent): Self.randomPercent(of: commands) < percent
            case .loseQuickPackets(let length): lastCommand.map { now - $0 < length } ?? false
            default: false
            }
        }
    }

    /// The `number`th output of SplitMix64 from seed 0, counted from 1, modulo 100.
    private static func randomPercent(of number: Int) -> Int {
        var numbers = SplitMix64(seed: UInt64(truncatingIfNeeded: number - 1) &* SplitMix64.step)
        return Int(numbers.next() % 100)
    }

    var cutsNow: Bool { faults.contains(.cut(afterPacket: packets)) }
    var losesPowerNow: Bool { faults.contains(.powerLoss(afterPacket: packets)) }

    /// Counts a notification that is due at `due`; returns how often and when it is sent, and if it waits for the next.
    mutating func applyFaults(toNotificationDue due: Duration) -> (
        copies: Int, due: Duration, waitsForNext: Bool
    ) {
        notifications += 1
        var due = due
        for case .delayNotification(notifications, let time) in faults { due += time }
        let copies =
            faults.contains(.loseNotification(notifications))
            ? 0 : faults.contains(.doubleNotification(notifications)) ? 2 : 1
        return (copies, due, faults.contains(.reorderNotification(notifications)))
    }
}

/// Faults that occur when half of a block or packet has arrived, each kind once in a beacon's life.
struct MidwayFaults: Sendable {
    private var hasLostPower = false
    private var hasCut = false

    mutating func linkFault(losingPower losesPower: Bool, cutting cuts: Bool) -> LinkFault? {
        if losesPower, !hasLostPower {
            hasLostPower = true
            return .powerLoss
        }
        guard cuts, !hasCut else { return nil }
        hasCut = true
        return .cut
    }
}

/// An injected fault. "This" event is the one with the given number, counted from 1 over the beacon's life.
///
/// Packets are those of the Attribute Protocol and, with SUOTA, those of the channel too.
public enum Fault: Hashable, Sendable {
    /// The link ends when this packet, of any kind, arrives; the packet is not processed.
    case cut(beforePacket: Int)
    /// The link ends after this packet is processed; its responses are lost.
    case cut(afterPacket: Int)
    /// This Write Command never arrives.
    case losePacket(Int)
    /// This percentage of Write Commands never arrives: without a pattern, but the same ones in every run.
    case losePackets(percent: Int)
    /// A Write Command that follows the previous one within this time never arrives.
    case loseQuickPackets(within: Duration)
    /// This notification is not sent.
    case loseNotification(Int)
    /// This notification is sent twice.
    case doubleNotification(Int)
    /// This notification is delayed.
    case delayNotification(Int, by: Duration)
    /// This notification is sent after the next one.
    case reorderNotification(Int)
    /// A short power loss after this packet is processed; the RAM is lost.
    case powerLoss(afterPacket: Int)
    /// This flash write of image bytes silently fails.
    case loseFlashWrite(Int)
    /// The program that accepts updates takes longer to start every time.
    case slowBootloader(Duration)
    /// The beacon is out of reach from one age to another, or without end if `until` is nil: it receives nothing and
    /// is not heard. A link ends after 6 s without packets.
    case away(from: Duration, until: Duration?)
    /// From this packet on, nothing is processed or sent until the link ends.
    case silence(fromPacket: Int)
    /// From this packet on, this fault of the Attribute Protocol is active.
    case attributeFault(AttributeFault, fromPacket: Int)
    case nordic(NordicFault)
    case suota(SUOTAFault)
    case kbeacon(KBeaconFault)
    case fbeacon(FBeaconFault)
    case mcuboot(MCUbootFault)
    case orange(OrangeTagFault)
}

extension [Fault] {
    /// Each fault once, in order: of two for the same moment, the first one applies.
    var distinct: [Fault] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    var lostFlashWrites: Set<Int> {
        Set(compactMap { if case .loseFlashWrite(let number) = $0 { number } else { nil } })
    }
}
