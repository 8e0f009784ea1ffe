/// What an init packet is to say; ``packet(signedBy:)`` makes the bytes of the `.dat` file.
///
/// The wire form is nrfutil's, byte for byte: every field is written, zeros included, in the order of field numbers;
/// `sd_req` is packed, and unlike nrfutil's in the order that was given; the bytes of a boot validation are written
/// even when there are none (init-packet.md, Layout).
public struct InitCommandRecipe: Hashable, Sendable {
    /// The image's version.
    public var firmwareVersion: UInt32
    /// The hardware that the image is for.
    public var hardwareVersion: UInt32
    /// The SoftDevices (FWIDs) of which one has to be installed.
    public var softDeviceRequirements: [UInt32]
    /// What the image is.
    public var type: FirmwareType
    /// Bytes of the SoftDevice in the image.
    public var softDeviceSize: UInt32 = 0
    /// Bytes of the bootloader in the image.
    public var bootloaderSize: UInt32 = 0
    /// Bytes of the application in the image.
    public var applicationSize: UInt32 = 0
    /// SHA-256 of the image, in the order in which SHA-256 writes it.
    public var digest: [UInt8]
    /// Whether debug bootloaders are to skip the version checks.
    public var isDebug = false
    /// How the bootloader is to check the image at every start.
    public var bootValidations: [BootValidation] = []

    /// A recipe without sizes and boot validations.
    public init(
        _ type: FirmwareType, version: UInt32, hardware: UInt32, softDevices: [UInt32], digest: [UInt8]
    ) {
        self.type = type
        firmwareVersion = version
        hardwareVersion = hardware
        softDeviceRequirements = softDevices
        self.digest = digest
    }
}
