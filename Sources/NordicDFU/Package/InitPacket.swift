/// An init packet (`.dat`): what a bootloader is told about an image before it takes it.
///
/// A value of this type is well-formed; whether a bootloader would accept it is for
/// ``NordicPart/findings(key:)`` to judge. Bytes that were signed are never encoded again:
/// ``signedBytes`` is cut out of the packet as it came.
///
///     Packet         1 command | 2 signed_command         exactly one
///     SignedCommand  1 command, 2 signature_type, 3 signature
///     Command        1 op_code, 2 init                    init is the last field
///     InitCommand    1 fw_version … 10 boot_validation    what the signature covers
///
/// Field meanings follow the public schema `dfu-cc.proto` of nRF5 SDK 17.1.
public struct InitPacket: Hashable, Sendable {
    /// The whole packet, as it is sent.
    public let bytes: [UInt8]
    /// The `Command` message, without tag and length.
    public let commandBytes: [UInt8]
    /// What the device takes as the signed message: `InitCommand`, to the end of the command around it.
    public let signedBytes: [UInt8]
    /// The signature, nil in an unsigned packet.
    public let signature: InitSignature?
    /// 1 means init; devices do not look at it.
    public let operation: UInt32?
    /// The image's version, which most bootloaders refuse to lower.
    public let firmwareVersion: UInt32?
    /// The hardware that the image is for; 52 for a stock nRF52, 51 for an nRF51.
    public let hardwareVersion: UInt32?
    /// The SoftDevices (FWIDs) of which one has to be installed; a leading 0 means that none is needed.
    public let softDeviceRequirements: [UInt32]
    /// What the image is.
    public let type: FirmwareType?
    /// Bytes of the SoftDevice in the image.
    public let softDeviceSize: UInt32?
    /// Bytes of the bootloader in the image.
    public let bootloaderSize: UInt32?
    /// Bytes of the application in the image.
    public let applicationSize: UInt32?
    /// The image's hash.
    public let hash: ImageHash?
    /// Whether debug bootloaders are to skip the version checks.
    public let isDebug: Bool
    /// How the bootloader is to check the image at every start.
    public let bootValidations: [BootValidation]
    /// Fields that the public schema does not have, from every layer.
    public let unknownFields: [UnknownField]

    /// Whether the packet carries a signature; not whether it is a good one.
    public var isSigned: Bool { signature != nil }

    /// Bytes that the image has to have: the sum of the size fields that count for its type.
    ///
    /// Nil when the type is missing or not known.
    public var expectedImageBytes: Int? {
        let softDevice = Int(softDeviceSize ?? 0)
        let bootloader = Int(bootloaderSize ?? 0)
        return switch type {
        case .application, .externalApplication: Int(applicationSize ?? 0)
        case .softdevice: softDevice
        case .bootloader: bootloader
        case .softdeviceBootloader: softDevice + bootloader
        default: nil
        }
    }

    /// Whether `key` made the signature over ``signedBytes``.
    public func isSigned(by key: NordicPublicKey) -> Bool {
        guard let signature, signature.type == 0 else { return false }
        return key.verifies(signature.bytes, of: signedBytes)
    }
}
