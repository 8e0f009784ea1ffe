import Bytes

/// An init packet (`.dat`): the metadata that a bootloader checks before it accepts an image.
///
/// A value of this type is well-formed; ``NordicPart/findings(key:)`` checks whether a bootloader would accept it.
/// Signed bytes are never encoded again: ``signedBytes`` is a slice of the original packet. Messages and fields:
///
///     Packet         1 command | 2 signed_command         exactly one
///     SignedCommand  1 command, 2 signature_type, 3 signature
///     Command        1 op_code, 2 init                    init is the last field
///     InitCommand    1 fw_version … 10 boot_validation    what the signature covers
///
/// Field meanings follow the public schema `dfu-cc.proto` of nRF5 SDK 17.1.
package struct InitPacket: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The `Command` message, without tag and length.
    package let commandBytes: [UInt8]
    /// The bytes that the signature covers: the `InitCommand` message, without tag and length.
    package let signedBytes: [UInt8]
    package let signature: InitSignature?
    /// The command's opcode: 1 means init; devices ignore it.
    package let operation: UInt32?
    /// The image's version; most bootloaders refuse a version below the installed one.
    package let firmwareVersion: UInt32?
    /// The hardware version that the image is for; 52 for a stock nRF52, 51 for an nRF51.
    package let hardwareVersion: UInt32?
    /// SoftDevice ids (FWIDs), one of which must be installed; a leading 0 means that no SoftDevice is needed.
    package let softDeviceRequirements: [UInt32]
    package let type: FirmwareType?
    package let softDeviceSize: UInt32?
    package let bootloaderSize: UInt32?
    package let applicationSize: UInt32?
    package let hash: ImageHash?
    package let isDebug: Bool
    package let bootValidations: [BootValidation]
    /// The fields of all messages that are not in the public schema.
    package let unknownFields: [UnknownField]

    package var isSigned: Bool { signature != nil }

    /// The image's size in bytes by the size fields for its type; nil if the type is missing or unknown.
    package var expectedImageBytes: Int? {
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

    package func isSigned(by key: NordicPublicKey) -> Bool {
        guard let signature, signature.type == 0 else { return false }
        return key.verifies(signature.bytes, of: signedBytes)
    }
}

extension InitPacket {
    package init(parsing bytes: [UInt8]) throws(InitPacketError) {
        guard !bytes.isEmpty else { throw InitPacketError("Packet", at: 0, .empty) }
        let packet = try WireScanner(.packet, in: ByteReader(bytes))
        var unknown = packet.unknown
        let command: WireScanner.Found
        let signature: InitSignature?
        switch (packet.last(1), packet.last(2)) {
        case (let plain?, nil):
            command = plain
            signature = nil
        case (nil, let signed?):
            let layer = try WireScanner(.signedCommand, in: signed.content)
            unknown += layer.unknown
            command = try layer.required(1, at: signed)
            signature = InitSignature(
                type: try layer.required(valueOf: 2, at: signed),
                bytes: try layer.required(3, at: signed).content.rest)
        case (_?, let second?): throw InitPacketError("Packet", at: second.tagOffset, .bothKinds)
        case (nil, nil): throw InitPacketError("Packet", at: 0, .noKind)
        }

        let layer = try WireScanner(.command, in: command.content)
        let start = try layer.required(2, at: command)
        // A bootloader verifies from the start of the init command to the end of the enclosing message.
        guard start.content.end == command.content.end else {
            throw InitPacketError("Command", at: start.content.end, .afterInitCommand)
        }
        let body = try WireScanner(.initCommand, in: start.content)

        self.bytes = bytes
        self.signature = signature
        commandBytes = command.content.rest
        signedBytes = start.content.rest
        operation = layer.value(1)
        firmwareVersion = body.value(1)
        hardwareVersion = body.value(2)
        softDeviceRequirements = body.found.filter { $0.number == 3 }.flatMap(\.numbers)
        type = body.value(4).map(FirmwareType.init(rawValue:))
        softDeviceSize = body.value(5)
        bootloaderSize = body.value(6)
        applicationSize = body.value(7)
        isDebug = body.value(9) ?? 0 != 0
        unknown += layer.unknown + body.unknown
        if let field = body.last(8) {
            let (type, bytes) = try Self.content(of: field, .hash, &unknown)
            hash = ImageHash(type: type, bytes: bytes)
        } else {
            hash = nil
        }
        var validations: [BootValidation] = []
        for field in body.found where field.number == 10 {
            let (type, bytes) = try Self.content(of: field, .bootValidation, &unknown)
            validations.append(BootValidation(type: type, bytes: bytes))
        }
        bootValidations = validations
        unknownFields = unknown
    }

    /// The content of a message with a type in field 1 and bytes in field 2.
    private static func content(
        of field: WireScanner.Found, _ layout: WireLayer, _ unknown: inout [UnknownField]
    ) throws(InitPacketError) -> (type: UInt32, bytes: [UInt8]) {
        let layer = try WireScanner(layout, in: field.content)
        unknown += layer.unknown
        return (try layer.required(valueOf: 1, at: field), try layer.required(2, at: field).content.rest)
    }
}

package struct ImageHash: Hashable, Sendable {
    package let type: UInt32
    /// The bytes as sent: the hash in reverse byte order.
    package let bytes: [UInt8]

    /// SHA-256, the only type that bootloaders accept.
    package static let sha256: UInt32 = 3

    /// The hash in the usual byte order.
    package var digest: [UInt8] { bytes.reversed() }
    package var typeName: String { type.name(in: ["none", "crc", "sha128", "sha256", "sha512"]) }
}

/// A field of an init packet that is not in the public schema; kept, because it is signed too.
package struct UnknownField: Hashable, Sendable {
    package let message: String
    package let number: Int
    /// Offset of the field from the start of the packet, in bytes.
    package let offset: Int
    /// The bytes of its value, without tag and length.
    package let bytes: [UInt8]
}

package struct InitSignature: Hashable, Sendable {
    /// 0 is ECDSA P-256 over SHA-256, the only type that bootloaders accept; 1 is Ed25519.
    package let type: UInt32
    /// r then s, 32 bytes each, each with its least significant byte first.
    package let bytes: [UInt8]

    package var typeName: String { type.name(in: ["ecdsa-p256-sha256", "ed25519"]) }
}

/// How the bootloader checks an image at every start (SDK 15.3 and later).
package struct BootValidation: Hashable, Sendable {
    /// 0: none, 1: a CRC, 2: a SHA-256 (both computed by the bootloader), 3: an ECDSA P-256 signature.
    package let type: UInt32
    /// For type 3 the signature over the image, each half with its least significant byte first; otherwise empty.
    package let bytes: [UInt8]

    package init(type: UInt32, bytes: [UInt8] = []) {
        self.type = type
        self.bytes = bytes
    }

    package var name: String { type.name(in: ["none", "crc", "sha256", "ecdsa-p256-sha256"]) }
}
