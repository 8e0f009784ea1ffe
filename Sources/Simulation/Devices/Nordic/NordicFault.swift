/// An injected fault of a Nordic beacon. All numbers count from 1 over its life.
public enum NordicFault: Hashable, Sendable {
    /// The crc in this response `60 03 01` is wrong, whether requested or a PRN.
    case corruptChecksum(Int)
    /// This Control Point request is not carried out, but answered with these result bytes.
    case answerRequest(Int, with: [UInt8])
    /// This Execute is not carried out, but answered with these result bytes.
    case answerExecute(Int, with: [UInt8])
    /// This Control Point request is carried out, but its response is not sent.
    case loseAnswer(Int)
    /// When this byte of the image is due, six packets are lost, whatever their size.
    case loseBurst(atByte: Int)
    /// A short power loss when half of this data object has arrived; objects created again count too.
    case powerLossInObject(Int)
    /// The bond is lost while the bootloader runs.
    case loseBond
    /// Every image is verified, but the old application starts as if there had been no update.
    case keepOldApplication
    /// A new application does not start: nothing is heard of the beacon once it should run it.
    case deadApplication
    /// The application confirms this request to enter its bootloader, but continues to run.
    case ignoreEntry(Int)
}
