/// An init packet (`.dat`): the metadata that a bootloader checks before it takes an image.
///
/// A value of this type is well-formed; ``NordicPart/findings(key:)`` checks whether a bootloader would accept it.
/// Signed bytes are never encoded again: ``signedBytes`` is a slice of the original packet.
///
///     Packet         1 command | 2 signed_command         exactly one
///     SignedCommand  1 command, 2 signature_type, 3 signature
///     Command        1 op_code, 2 init                    init is the last field
///     InitCommand    1 fw_version … 10 boot_validation    what the signature covers
///
/// Field meanings follow the public schema `dfu-cc.proto` of nRF5 SDK 17.1.
public struct InitPacket: Hashable, Sendable {
    /// The whole packet, as sent.
    public let bytes: [UInt8]
    /// The `Command` message, without tag and length.
    public let commandBytes: [UInt8]
    /// The bytes that the signature covers: `InitCommand`, to the end of the enclosing command.
    public let signedBytes: [UInt8]
    /// The signature; nil in an unsigned packet.
    public let signature: InitSignature?
    /// 1 means init; devices ignore it.
    public let operation: UInt32?
    /// The image's version; most bootloaders refuse a lower one than they have.
    public let firmwareVersion: UInt32?
    /// The hardware version that the image is for; 52 for a stock nRF52, 51 for an nRF51.
    public let hardwareVersion: UInt32?
    /// SoftDevice ids (FWIDs), one of which must be installed; a leading 0 means that none is needed.
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
    /// Whether debug bootloaders skip the version checks.
    public let isDebug: Bool
    /// How the bootloader checks the image at every start.
    public let bootValidations: [BootValidation]
    /// Fields that are not in the public schema, from every layer.
    public let unknownFields: [UnknownField]

    /// Whether the packet has a signature, valid or not.
    public var isSigned: Bool { signature != nil }

    /// The image's size in bytes by the size fields that count for its type; nil if the type is missing or unknown.
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
