/// One part of a package as sent: init packet first, then the image.
public struct SecureImage: Equatable, Sendable {
    /// The init packet, exactly as signed.
    public let initPacket: [UInt8]
    /// The image.
    public let bytes: [UInt8]
    /// The part that the image replaces.
    public let role: FirmwareRole
    /// Whether the init packet has a signature.
    public let isSigned: Bool
    /// The version in the init packet, for error messages.
    public let firmwareVersion: UInt32?
    /// The hardware version that it is for.
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
