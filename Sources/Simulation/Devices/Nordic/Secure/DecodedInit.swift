/// The fields of an init packet as decoded by the device (docs/formats/init-packet.md), before any checks.
public struct DecodedInit: Equatable, Sendable {
    /// A signature and its type.
    public struct Signature: Equatable, Sendable {
        /// 0 is ECDSA over P-256 with SHA-256.
        public var type: UInt64
        /// r and s, each least significant byte first.
        public var bytes: [UInt8]
    }

    /// How the device must validate an image at boot.
    public struct BootValidation: Equatable, Sendable {
        /// 0 none, 1 CRC, 2 SHA-256, 3 ECDSA.
        public var type: UInt64
        /// The signature for type 3.
        public var bytes: [UInt8]
    }

    /// The firmware's version.
    public var firmwareVersion: UInt32?
    /// The hardware that it is for.
    public var hardwareVersion: UInt32?
    /// The SoftDevices that it runs on.
    public var softDevices: [UInt32] = []
    /// The encoded type of image that it replaces.
    public var type: UInt64?
    /// The size of the SoftDevice in bytes.
    public var softDeviceSize: UInt32 = 0
    /// The size of the bootloader in bytes.
    public var bootloaderSize: UInt32 = 0
    /// The size of the application in bytes.
    public var applicationSize: UInt32 = 0
    /// 3 is SHA-256.
    public var hashType: UInt64?
    /// The digest, last byte first.
    public var hash: [UInt8] = []
    /// Whether it was made in debug mode; release bootloaders of SDK 15 and later ignore it.
    public var isDebug = false
    /// In the order of the packet, at most 3 entries.
    public var bootValidation: [BootValidation] = []
    /// Nil in an unsigned packet.
    public var signature: Signature?
    /// The signed bytes: from after init's length to the end of the command.
    public var signed: [UInt8] = []

    /// The kind of image that it replaces; nil if the field is missing or its number unknown.
    public var kind: FirmwareKind? { type.flatMap(FirmwareKind.init) }

    /// The size of the image that follows in bytes, from the size fields of its kind.
    public var imageSize: Int {
        switch kind {
        case .application, .externalApplication: Int(applicationSize)
        case .softDevice: Int(softDeviceSize)
        case .bootloader: Int(bootloaderSize)
        case .softDeviceAndBootloader: Int(softDeviceSize) + Int(bootloaderSize)
        case nil: 0
        }
    }
}
