/// A fault to order of a receiver of SUOTA. All numbers count from 1 over its life.
public enum SUOTAFault: Hashable, Sendable {
    /// This notification goes out before the response to the write that caused it.
    case earlyNotification(Int)
    /// This notification, and STATUS with it, says something else.
    case replaceStatus(Int, with: UInt8)
    /// MEM_INFO says this, whatever there is.
    case answerMemoryInfo(UInt32)
    /// This Write Response comes later; what it is after does not wait for it.
    case delayResponse(Int, by: Duration)
    /// The link ends when half of this block has arrived, those of earlier tries counted too.
    case cutInBlock(Int)
    /// Power is gone for a moment when half of this block has arrived.
    case powerLossInBlock(Int)
    /// The firmware forgets to reset, after REBOOT and after a lost link.
    case ignoreReboot
    /// 58x: the memory is not at the pins that it is told, with what it answers then: 14, 16 or 06.
    case wrongPins(ReceiverStatus)
    /// No channel is taken.
    case refuseChannel
}
