/// The content of the settings page: the state of a bootloader that survives a reset (nordic-secure.md, Resume).
public struct BootloaderSettings: Codable, Hashable, Sendable {
    /// A verified image that the next start installs.
    public struct Activation: Codable, Hashable, Sendable {
        /// What it replaces.
        public var kind: FirmwareKind
        /// The address of the image.
        public var address: Int
        /// The size of the image in bytes.
        public var size: Int
        /// The size of the bootloader at its end, after a SoftDevice; nil without one.
        public var bootloaderSize: Int?
    }

    /// The application's version; 0 before the first update.
    public var applicationVersion: UInt32 = 0
    /// The bootloader's version; 0 before the first update.
    public var bootloaderVersion: UInt32 = 0
    /// The size of the valid application in bytes; 0 if there is none.
    public var applicationSize = 0
    /// The FWID of the installed SoftDevice.
    public var softDevice: UInt16?
    /// The last executed init packet; empty if there is none or its image is complete.
    public var initPacket: [UInt8] = []
    /// The address at which that packet's image is stored.
    public var updateAddress = 0
    /// The size of the executed objects in bytes, if progress is kept in flash.
    public var executedOffset = 0
    /// The CRC-32 of those bytes.
    public var executedChecksum: UInt32 = 0
    /// The crc that Select reports at offset 0: it shares memory with the address of the last update.
    public var staleChecksum: UInt32 = 0
    /// The bootloader's name until an application has started; empty for its own name.
    public var advertisedName: [UInt8] = []
    /// The version of the running application, if it differs from the stored one: that is stored when an image is
    /// verified, before it is installed and runs.
    public var runningVersion: UInt32?
    /// The device's bonds, if any.
    public var bonds: BondKeys?
    /// The image to install; set between its verification and the next start.
    public var activation: Activation?

    /// The settings of a device without application and SoftDevice.
    public init() {}
}
