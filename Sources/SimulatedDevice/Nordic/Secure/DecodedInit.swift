/// What an init packet says to the device (docs/formats/init-packet.md): the wire's values, not yet judged.
public struct DecodedInit: Equatable, Sendable {
    /// A signature and its kind.
    public struct Signature: Equatable, Sendable {
        /// 0 is ECDSA over P-256 with SHA-256.
        public var type: UInt64
        /// r and s, each with its least significant byte first.
        public var bytes: [UInt8]
    }

    /// How the device is to validate an image at boot.
    public struct BootValidation: Equatable, Sendable {
        /// 0 none, 1 CRC, 2 SHA-256, 3 ECDSA.
        public var type: UInt64
        /// The signature for type 3.
        public var bytes: [UInt8]
    }

    /// The firmware's version.
    public var firmwareVersion: UInt32?
    /// The hardware it is for.
    public var hardwareVersion: UInt32?
    /// The SoftDevices it runs on.
    public var softDevices: [UInt32] = []
    /// What it replaces, as the wire has it.
    public var type: UInt64?
    /// Bytes of SoftDevice.
    public var softDeviceSize: UInt32 = 0
    /// Bytes of bootloader.
    public var bootloaderSize: UInt32 = 0
    /// Bytes of application.
    public var applicationSize: UInt32 = 0
    /// 3 is SHA-256.
    public var hashType: UInt64?
    /// The digest with its last byte first.
    public var hash: [UInt8] = []
    /// Whether it was made in debug mode; release bootloaders of SDK 15 and later do not care.
    public var isDebug = false
    /// In the order of the packet, at most 3.
    public var bootValidation: [BootValidation] = []
    /// Nil in an unsigned packet.
    public var signature: Signature?
    /// The bytes that the signature covers: from after init's length to the end of the command.
    public var signed: [UInt8] = []

    /// What it replaces; nil when the field is missing or its number unknown.
    public var kind: FirmwareKind? { type.flatMap(FirmwareKind.init) }

    /// Bytes of the image that follows, by the size fields that count for its kind.
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
