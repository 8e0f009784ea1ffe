/// A fault to order of a Nordic beacon. All numbers count from 1 over its life.
public enum NordicFault: Hashable, Sendable {
    /// The crc in this answer `60 03 01` is wrong, whether asked for or a PRN.
    case corruptChecksum(Int)
    /// This Control Point request is not carried out but answered with these result bytes.
    case answerRequest(Int, with: [UInt8])
    /// This Execute is not carried out but answered with these result bytes.
    case answerExecute(Int, with: [UInt8])
    /// This Control Point request is carried out, and its answer is not sent.
    case loseAnswer(Int)
    /// Where this byte of the image is due, six packets are lost, however long they are.
    case loseBurst(atByte: Int)
    /// Power is gone for a moment when half of this data object has arrived, those created anew counted too.
    case powerLossInObject(Int)
    /// The central forgets its bond while the bootloader runs.
    case loseBond
    /// Every image is verified, and the old application comes up again as if there had been no update.
    case keepOldApplication
    /// A new application does not start: nothing is heard of the beacon once it was told to run one.
    case deadApplication
    /// The application confirms this request to start its bootloader, and runs on.
    case ignoreEntry(Int)
}
