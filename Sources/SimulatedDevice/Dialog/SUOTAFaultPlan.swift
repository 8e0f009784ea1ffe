/// Which of a receiver's own faults are due: counts what happens over its life.
struct SUOTAFaultPlan: Sendable {
    private let faults: [SUOTAFault]
    private var statuses = 0
    private var responses = 0
    private var hasLostPower = false
    private var hasCutInBlock = false

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .suota(let fault) = $0 { fault } else { nil } }
    }

    var ignoresReboot: Bool { faults.contains(.ignoreReboot) }
    var refusesChannel: Bool { faults.contains(.refuseChannel) }

    var wrongPins: ReceiverStatus? {
        for case .wrongPins(let status) in faults { return status }
        return nil
    }

    /// What MEM_INFO says in place of what it should; nil to let it be.
    var memoryInfo: UInt32? {
        for case .answerMemoryInfo(let count) in faults { return count }
        return nil
    }

    /// Whether the next notification overtakes the response to the write that causes it.
    var isNextEarly: Bool { faults.contains(.earlyNotification(statuses + 1)) }

    /// Counts a notification; what it says in place of `value`.
    mutating func treat(_ value: [UInt8]) -> [UInt8] {
        statuses += 1
        for case .replaceStatus(statuses, let status) in faults { return [status] }
        return value
    }

    /// Counts a Write Response; how much later it comes.
    mutating func responseDelay() -> Duration {
        responses += 1
        return faults.reduce(.zero) {
            if case .delayResponse(responses, let time) = $1 { $0 + time } else { $0 }
        }
    }

    /// What happens in the middle of the block that `receiver` is at.
    mutating func linkFault(_ receiver: some SUOTAReceiver) -> LinkFault? {
        let (block, isHalfway) = receiver.position
        guard isHalfway else { return nil }
        if !hasLostPower, faults.contains(.powerLossInBlock(block)) {
            hasLostPower = true
            return .powerLoss
        }
        guard !hasCutInBlock, faults.contains(.cutInBlock(block)) else { return nil }
        hasCutInBlock = true
        return .cut
    }
}
