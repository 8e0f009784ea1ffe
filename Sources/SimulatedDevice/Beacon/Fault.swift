/// A fault to order. All numbers count from 1 over the beacon's life, except where a case says otherwise.
///
/// Packets are those of the Attribute Protocol and, with SUOTA, those of the channel too.
public enum Fault: Hashable, Sendable {
    /// The link ends when this packet, of any kind, arrives; it is not processed.
    case cut(beforePacket: Int)
    /// The link ends when this packet has been processed; its answers are lost.
    case cut(afterPacket: Int)
    /// This Write Command never arrives.
    case losePacket(Int)
    /// This notification is not sent.
    case loseNotification(Int)
    /// This notification is sent twice.
    case doubleNotification(Int)
    /// This notification comes later.
    case delayNotification(Int, by: Duration)
    /// This notification comes behind the next one.
    case reorderNotification(Int)
    /// The crc in this answer `60 03 01` is wrong, whether asked for or a PRN.
    case corruptChecksum(Int)
    /// This Control Point request is not carried out but answered with these result bytes.
    case answerRequest(Int, with: [UInt8])
    /// This Execute is not carried out but answered with these result bytes.
    case answerExecute(Int, with: [UInt8])
    /// Power is gone for a moment when this packet has been processed, and the RAM with it.
    case powerLoss(afterPacket: Int)
    /// Power is gone for a moment when half of this data object has arrived, those created anew counted too.
    case powerLossInObject(Int)
    /// The central forgets its bond while the bootloader runs.
    case loseBond
    /// Every image is verified, and the old application comes up again as if there had been no update.
    case keepOldApplication
    /// This write of image bytes to flash is given up silently.
    case loseFlashWrite(Int)
    /// The bootloader takes longer to appear whenever it starts.
    case slowBootloader(Duration)
    /// From this packet on nothing is processed or sent until the link ends.
    case silence(fromPacket: Int)
    /// SUOTA: this notification goes out before the response to the write that caused it.
    case earlyNotification(Int)
    /// SUOTA: this notification, and STATUS with it, says something else.
    case replaceStatus(Int, with: UInt8)
    /// SUOTA: MEM_INFO says this, whatever there is.
    case answerMemoryInfo(UInt32)
    /// SUOTA: this Write Response comes later; what it is behind does not wait for it.
    case delayResponse(Int, by: Duration)
    /// SUOTA: the link ends when half of this block has arrived, those of earlier tries counted too.
    case cutInBlock(Int)
    /// SUOTA: power is gone for a moment when half of this block has arrived.
    case powerLossInBlock(Int)
    /// SUOTA: the firmware forgets to reset, after REBOOT and after a lost link.
    case ignoreReboot
    /// SUOTA, 58x: the memory is not at the pins that it is told, with what it answers then: 14, 16 or 06.
    case wrongPins(ReceiverStatus)
    /// SUOTA: no channel is taken.
    case refuseChannel
    /// From this packet on this lie is told.
    case lie(AttributeLie, fromPacket: Int)
}
