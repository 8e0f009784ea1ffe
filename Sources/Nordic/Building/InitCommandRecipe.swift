/// The contents of an init packet; ``packet(signedBy:)`` makes the bytes of the `.dat` file.
///
/// The encoding matches nrfutil byte for byte: every field is written, zeros included, in the order of field numbers;
/// `sd_req` is packed; the bytes of a boot validation are written even if empty (init-packet.md, Layout). Unlike
/// nrfutil, `sd_req` keeps the order given.
public struct InitCommandRecipe: Hashable, Sendable {
    /// The image's version.
    public var firmwareVersion: UInt32
    /// The hardware version that the image is for.
    public var hardwareVersion: UInt32
    /// SoftDevice ids (FWIDs), one of which must be installed.
    public var softDeviceRequirements: [UInt32]
    /// What the image is.
    public var type: FirmwareType
    /// Bytes of the SoftDevice in the image.
    public var softDeviceSize: UInt32 = 0
    /// Bytes of the bootloader in the image.
    public var bootloaderSize: UInt32 = 0
    /// Bytes of the application in the image.
    public var applicationSize: UInt32 = 0
    /// SHA-256 of the image, in the usual byte order.
    public var digest: [UInt8]
    /// Whether debug bootloaders skip the version checks.
    public var isDebug = false
    /// How the bootloader checks the image at every start.
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
