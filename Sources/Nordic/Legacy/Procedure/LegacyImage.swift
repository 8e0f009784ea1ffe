/// One part of a Legacy package, as the procedure sends it.
public struct LegacyImage: Equatable, Sendable {
    /// The part that the image replaces.
    public let role: FirmwareRole
    /// The image.
    public let bytes: [UInt8]
    /// The init packet; nil if the package has none, as before SDK 7.
    public let initPacket: LegacyInitPacket?
    /// Bytes of the SoftDevice, which comes first in the image.
    public let softDeviceSize: Int
    /// Bytes of the bootloader.
    public let bootloaderSize: Int

    /// A part with the given content. The sizes of a single image follow from its role.
    public init(
        role: FirmwareRole = .application, bytes: [UInt8], initPacket: LegacyInitPacket?,
        softDeviceSize: Int? = nil, bootloaderSize: Int? = nil
    ) {
        self.role = role
        self.bytes = bytes
        self.initPacket = initPacket
        self.softDeviceSize = softDeviceSize ?? (role == .softdevice ? bytes.count : 0)
        self.bootloaderSize = bootloaderSize ?? (role == .bootloader ? bytes.count : 0)
    }

    /// The image of a part of a package.
    public init(_ part: LegacyPart) {
        self.init(
            role: part.role, bytes: part.image, initPacket: part.initPacket,
            softDeviceSize: part.softDeviceSize, bootloaderSize: part.bootloaderSize)
    }

    /// Bytes of the application.
    public var applicationSize: Int { role == .application ? bytes.count : 0 }

    /// The three sizes that follow Start.
    var sizes: [Int] { [softDeviceSize, bootloaderSize, applicationSize] }

    /// Which images Start announces: bit 0 the SoftDevice, bit 1 the bootloader, bit 2 the application.
    var mode: UInt8 {
        switch role {
        case .softdevice: 1
        case .bootloader: 2
        case .softdeviceBootloader: 3
        case .application: 4
        }
    }
}
