/// Which of the ordered faults are due: counts what happens over a beacon's life.
struct FaultPlan: Sendable {
    /// What becomes of a packet that arrives.
    enum Fate: Sendable { case process, ignore, fallSilent, cut }

    /// In the order in which they were given: of two for the same moment the first is the one that counts.
    private let faults: [Fault]
    private(set) var packets = 0
    private(set) var commands = 0
    private(set) var notifications = 0
    private var responses = 0
    private var checksums = 0
    private var requests = 0
    private var executes = 0
    private var hasLostPower = false
    private var hasCutInBlock = false

    init(_ faults: [Fault]) {
        self.faults = faults.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether lies are told at all.
    var hasLies: Bool { faults.contains { if case .lie = $0 { true } else { false } } }

    /// What is told from the next packet on.
    var lies: Set<AttributeLie> {
        Set(
            faults.compactMap {
                if case .lie(let lie, let first) = $0, packets + 1 >= first { lie } else { nil }
            })
    }

    var lostFlashWrites: Set<Int> {
        Set(faults.compactMap { if case .loseFlashWrite(let number) = $0 { number } else { nil } })
    }

    var bootloaderDelay: Duration {
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

    var losesBond: Bool { faults.contains(.loseBond) }
    var keepsOldApplication: Bool { faults.contains(.keepOldApplication) }

    /// Whether the power ends in the middle of the object that `bootloader` is at.
    mutating func losesPower(_ bootloader: some Bootloader) -> Bool {
        let progress = bootloader.memory.progress
        guard !hasLostPower, progress.objectSize > 0, progress.received * 2 >= progress.objectSize else {
            return false
        }
        hasLostPower = faults.contains(.powerLossInObject(bootloader.statistics.objectsCreated))
        return hasLostPower
    }

    /// Counts a Control Point request; the result bytes to answer instead of carrying it out.
    mutating func result(insteadOf request: [UInt8]) -> [UInt8]? {
        requests += 1
        let isExecute = request.first == 0x04
        if isExecute { executes += 1 }
        for case .answerRequest(requests, let result) in faults { return result }
        for case .answerExecute(executes, let result) in faults where isExecute { return result }
        return nil
    }

    /// Counts a notification: what is sent in its place, and whether it waits for the next one.
    mutating func treat(
        _ value: [UInt8], at due: Duration
    ) -> (copies: Int, value: [UInt8], due: Duration, waitsForNext: Bool) {
        notifications += 1
        var value = value
        if value.starts(with: [0x60, 0x03, 0x01]), value.count == 11 {
            checksums += 1
            if faults.contains(.corruptChecksum(checksums)) { value[7] ^= 0xFF }
        }
        var due = due
        for case .delayNotification(notifications, let time) in faults { due += time }
        let copies =
            faults.contains(.loseNotification(notifications))
            ? 0 : faults.contains(.doubleNotification(notifications)) ? 2 : 1
        return (copies, value, due, faults.contains(.reorderNotification(notifications)))
    }

    // MARK: SUOTA

    var ignoresReboot: Bool { faults.contains(.ignoreReboot) }
    var refusesChannel: Bool { faults.contains(.refuseChannel) }

    var wrongPins: ReceiverStatus? {
        for case .wrongPins(let status) in faults { return status }
        return nil
    }

    /// Whether the next notification overtakes the response to the write that causes it.
    var isNextEarly: Bool { faults.contains(.earlyNotification(notifications + 1)) }

    /// What the next notification says in place of what it should; nil to let it be.
    var nextStatus: UInt8? {
        for case .replaceStatus(notifications + 1, let status) in faults { return status }
        return nil
    }

    /// What MEM_INFO says in place of what it should; nil to let it be.
    var memoryInfo: UInt32? {
        for case .answerMemoryInfo(let count) in faults { return count }
        return nil
    }

    /// Counts a Write Response; how much later it comes.
    mutating func responseDelay() -> Duration {
        responses += 1
        return faults.reduce(.zero) {
            if case .delayResponse(responses, let time) = $1 { $0 + time } else { $0 }
        }
    }

    /// Whether power, or the link, ends in the middle of the block that `receiver` is at.
    mutating func losesPower(_ receiver: some SUOTAReceiver) -> Bool {
        let (block, isHalfway) = receiver.position
        guard !hasLostPower, isHalfway else { return false }
        hasLostPower = faults.contains(.powerLossInBlock(block))
        return hasLostPower
    }

    mutating func cuts(_ receiver: some SUOTAReceiver) -> Bool {
        let (block, isHalfway) = receiver.position
        guard !hasCutInBlock, isHalfway else { return false }
        hasCutInBlock = faults.contains(.cutInBlock(block))
        return hasCutInBlock
    }

    /// Counts a packet of the channel, which is a packet and a command.
    mutating func channelArrival() -> Fate { arrival(of: [0x52]) }
}
