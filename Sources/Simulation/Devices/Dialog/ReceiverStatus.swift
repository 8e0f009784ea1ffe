/// What a SUOTA receiver reports on STATUS (dialog-suota.md, Codes).
public enum ReceiverStatus: UInt8, Hashable, Sendable {
    /// A block was accepted, or the end verified.
    case ok = 0x02
    /// The service was closed, or cannot be used now.
    case exit = 0x03
    /// The checksum of everything received is wrong.
    case checksum = 0x04
    /// A length of 0, data without a length, or a block longer than announced.
    case length = 0x05
    /// Flash could not be written or erased, or more bytes arrived than the image has.
    case memoryWrite = 0x06
    /// More bytes than the block buffer holds.
    case buffer = 0x07
    /// An unknown memory type, or a write at the wrong time.
    case memoryType = 0x08
    /// The header could not be finished.
    case application = 0x09
    /// Ready for a new image.
    case started = 0x10
    /// The bank does not exist.
    case bank = 0x11
    /// The image header is missing.
    case imageHeader = 0x12
    /// The image is empty, or larger than its bank.
    case imageSize = 0x13
    /// There is no product header where the firmware expects it.
    case productHeader = 0x14
    /// The bank holds the same image.
    case sameImage = 0x15
    /// Flash could not be read.
    case memoryRead = 0x16
}
