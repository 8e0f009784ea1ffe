struct SUOTAFaultPlan: Sendable {
    private let faults: [SUOTAFault]
    private var statuses = 0
    private var responses = 0
    private var midway = MidwayFaults()

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .suota(let fault) = $0 { fault } else { nil } }
    }

    func has(_ fault: SUOTAFault) -> Bool { faults.contains(fault) }

    var wrongPins: ReceiverStatus? {
        for case .wrongPins(let status) in faults { return status }
        return nil
    }

    var memoryInfo: UInt32? {
        for case .answerMemoryInfo(let count) in faults { return count }
        return nil
    }

    /// Whether the next notification is sent before the response to the write that causes it.
    var isNextEarly: Bool { has(.earlyNotification(statuses + 1)) }

    /// Counts a notification; returns the value to send instead of `value`.
    mutating func applyFaults(to value: [UInt8]) -> [UInt8] {
        statuses += 1
        for case .replaceStatus(statuses, let status) in faults { return [status] }
        return value
    }

    /// Counts a Write Response; returns its delay.
    mutating func responseDelay() -> Duration {
        responses += 1
        return faults.reduce(.zero) {
            if case .delayResponse(responses, let time) = $1 { $0 + time } else { $0 }
        }
    }

    /// The fault that occurs when half of the current block of `receiver` has arrived; nil if there is none.
    mutating func linkFault(_ receiver: some SUOTAReceiver) -> LinkFault? {
        let (block, isHalfway) = receiver.position
        guard isHalfway else { return nil }
        return midway.linkFault(losingPower: has(.powerLossInBlock(block)), cutting: has(.cutInBlock(block)))
    }
}

/// An injected fault of a SUOTA receiver. "This" event is the one with the given number, counted from 1 over the
/// device's life.
public enum SUOTAFault: Hashable, Sendable {
    /// This notification is sent before the response to the write that caused it.
    case earlyNotification(Int)
    /// This notification, and STATUS with it, has another value.
    case replaceStatus(Int, with: UInt8)
    /// MEM_INFO always has this value.
    case answerMemoryInfo(UInt32)
    /// This Write Response is delayed; the packets that follow it are not.
    case delayResponse(Int, by: Duration)
    /// The link ends when half of this block has arrived; repeated blocks count again.
    case cutInBlock(Int)
    /// A short power loss when half of this block has arrived.
    case powerLossInBlock(Int)
    /// The firmware resets neither after REBOOT nor after a lost link.
    case ignoreReboot
    /// 58x: the memory is not at the pins of GPIO_MAP; the receiver reports this status: 0x14, 0x16 or 0x06.
    case wrongPins(ReceiverStatus)
    case refuseChannel
}
