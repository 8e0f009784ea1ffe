/// What a SUOTA receiver says on STATUS (dialog-suota.md, Codes).
public enum ReceiverStatus: UInt8, Hashable, Sendable {
    /// A block was taken, or the end verified.
    case ok = 0x02
    /// The service was left, or cannot be used now.
    case exit = 0x03
    /// The check over everything that was received failed.
    case checksum = 0x04
    /// A length of 0, data without a length, or a block that is longer than announced.
    case length = 0x05
    /// Flash could not be written or erased, or more came than the image has.
    case memoryWrite = 0x06
    /// More than the block buffer holds.
    case buffer = 0x07
    /// A memory type that is none, or a write at the wrong time.
    case memoryType = 0x08
    /// The header could not be finished.
    case application = 0x09
    /// A new image may come.
    case started = 0x10
    /// There is no such bank.
    case bank = 0x11
    /// No image header.
    case imageHeader = 0x12
    /// An empty image, or one that is larger than its bank.
    case imageSize = 0x13
    /// No product header where the firmware looks for it.
    case productHeader = 0x14
    /// The bank holds this very image.
    case sameImage = 0x15
    /// Flash could not be read.
    case memoryRead = 0x16
}
