/// One part of a package, as the procedure sends it: init packet first, then the image.
public struct SecureImage: Equatable, Sendable {
    /// The init packet, exactly as it was signed.
    public let initPacket: [UInt8]
    /// The image.
    public let bytes: [UInt8]
    /// What the image replaces.
    public let role: FirmwareRole
    /// Whether the init packet carries a signature.
    public let isSigned: Bool
    /// What the init packet says, for the words of a refusal.
    public let firmwareVersion: UInt32?
    /// The hardware it is for.
    public let hardwareVersion: UInt32?
    /// The SoftDevices it accepts, as FWIDs.
    public let softDevices: [UInt32]

    /// A part with the given content.
    public init(
        initPacket: [UInt8], bytes: [UInt8], role: FirmwareRole = .application, isSigned: Bool,
        firmwareVersion: UInt32?, hardwareVersion: UInt32?, softDevices: [UInt32]
    ) {
        self.initPacket = initPacket
        self.bytes = bytes
        self.role = role
        self.isSigned = isSigned
        self.firmwareVersion = firmwareVersion
        self.hardwareVersion = hardwareVersion
        self.softDevices = softDevices
    }
}
