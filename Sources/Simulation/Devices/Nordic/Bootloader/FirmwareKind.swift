/// What an image replaces; the number is the init command's field `type` (docs/formats/init-packet.md).
public enum FirmwareKind: UInt64, Codable, Sendable {
    /// The application.
    case application = 0
    /// The SoftDevice alone.
    case softDevice = 1
    /// The bootloader alone.
    case bootloader = 2
    /// SoftDevice and bootloader, in sequence.
    case softDeviceAndBootloader = 3
    /// Firmware for another chip; stock bootloaders do not accept it.
    case externalApplication = 4
}
