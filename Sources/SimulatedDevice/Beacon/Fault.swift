/// A fault to order. All numbers count from 1 over the beacon's life, except where a case says otherwise.
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
}
