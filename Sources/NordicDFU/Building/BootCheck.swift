/// How a bootloader of SDK 15.3 or later is to check an image at every start.
public enum BootCheck: UInt32, CaseIterable, Hashable, Sendable {
    /// Not at all.
    case nothing = 0
    /// By a CRC that the device makes itself, once it has the image.
    case crc = 1
    /// By a SHA-256 that the device makes itself.
    case sha256 = 2
    /// By a signature over the image, which is in the init packet; that is then too long for SDK 12 to 15.0.
    case signature = 3
}
