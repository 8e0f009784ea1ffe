/// The content of the settings page: what a bootloader knows after a reset (nordic-secure.md, Resume).
public struct BootloaderSettings: Codable, Hashable, Sendable {
    /// A verified image that waits to be put in its place at the next start.
    public struct Activation: Codable, Hashable, Sendable {
        /// What it replaces.
        public var kind: FirmwareKind
        /// Where it is.
        public var address: Int
        /// How long it is, in bytes.
        public var size: Int
        /// How much of that is a bootloader after a SoftDevice.
        public var bootloaderSize: Int?
    }

    /// The application's version; 0 before the first update.
    public var applicationVersion: UInt32 = 0
    /// The bootloader's version; 0 before the first update.
    public var bootloaderVersion: UInt32 = 0
    /// Bytes of the valid application; 0 when there is none.
    public var applicationSize = 0
    /// FWID of the installed SoftDevice.
    public var softDevice: UInt16?
    /// The init packet executed last; empty when there is none or its image is done with.
    public var initPacket: [UInt8] = []
    /// Where that packet's image goes.
    public var updateAddress = 0
    /// Bytes of executed objects, where progress is kept in flash.
    public var executedOffset = 0
    /// The CRC-32 of those bytes.
    public var executedChecksum: UInt32 = 0
    /// What Select answers as crc at offset 0: it shares memory with the address of the last update.
    public var staleChecksum: UInt32 = 0
    /// What the bootloader calls itself until an application has started; empty for its own name.
    public var advertisedName: [UInt8] = []
    /// The version of the application that runs, where it is not the stored one: that is stored with the
    /// verification of an image, which runs when it has been put in its place.
    public var runningVersion: UInt32?
    /// The device's bonds, where it has any.
    public var bonds: BondKeys?
    /// Set between a verified image and the next start.
    public var activation: Activation?

    /// The settings of a device without application and SoftDevice.
    public init() {}
}
