/// How a bootloader of SDK 15.3 or later checks an image at every start.
public enum BootCheck: UInt32, CaseIterable, Hashable, Sendable {
    /// No check.
    case nothing = 0
    /// By a CRC that the bootloader computes once it has the image.
    case crc = 1
    /// By a SHA-256 that the bootloader computes.
    case sha256 = 2
    /// By a signature over the image in the init packet, which is then too long for SDK 12 to 15.0.
    case signature = 3
}
