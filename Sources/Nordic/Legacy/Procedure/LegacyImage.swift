package struct LegacyImage: Equatable, Sendable {
    package let role: FirmwareRole
    package let bytes: [UInt8]
    /// The init packet; nil if the package has none, as before SDK 7.
    package let initPacket: LegacyInitPacket?
    /// Bytes of the SoftDevice, which comes first in the image.
    package let softDeviceSize: Int
    package let bootloaderSize: Int

    /// Sizes in bytes; nil for a size that follows from the role, because the image is only one program.
    package init(
        role: FirmwareRole = .application, bytes: [UInt8], initPacket: LegacyInitPacket?,
        softDeviceSize: Int? = nil, bootloaderSize: Int? = nil
    ) {
        (self.role, self.bytes, self.initPacket) = (role, bytes, initPacket)
        self.softDeviceSize = softDeviceSize ?? (role == .softdevice ? bytes.count : 0)
        self.bootloaderSize = bootloaderSize ?? (role == .bootloader ? bytes.count : 0)
    }

    package init(_ part: LegacyPart) {
        self.init(
            role: part.role, bytes: part.image, initPacket: part.initPacket,
            softDeviceSize: part.softDeviceSize, bootloaderSize: part.bootloaderSize)
    }

    package var applicationSize: Int { role == .application ? bytes.count : 0 }

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

extension LegacyImage {
    /// The application's version in the init packet; nil if it has none or the wildcard (0xFFFFFFFF).
    var countedVersion: UInt32? {
        guard role == .application, let version = initPacket?.applicationVersion else { return nil }
        return version == .max ? nil : version
    }
}
