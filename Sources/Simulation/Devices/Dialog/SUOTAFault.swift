/// An injected fault of a SUOTA receiver. All numbers count from 1 over its life.
public enum SUOTAFault: Hashable, Sendable {
    /// This notification is sent before the response to the write that caused it.
    case earlyNotification(Int)
    /// This notification, and STATUS with it, has another value.
    case replaceStatus(Int, with: UInt8)
    /// MEM_INFO always has this value.
    case answerMemoryInfo(UInt32)
    /// This Write Response is delayed; what follows it is not.
    case delayResponse(Int, by: Duration)
    /// The link ends when half of this block has arrived; repeated blocks count again.
    case cutInBlock(Int)
    /// A short power loss when half of this block has arrived.
    case powerLossInBlock(Int)
    /// The firmware does not reset, either after REBOOT or after a lost link.
    case ignoreReboot
    /// 58x: the memory is not at the given pins, and this is the resulting status: 14, 16 or 06.
    case wrongPins(ReceiverStatus)
    /// No channel is accepted.
    case refuseChannel
}
