import Bytes
import FoundationEssentials
import SwiftProtobuf

extension InitPacket {
    /// Reads the content of a `.dat` file.
    public init(parsing bytes: [UInt8]) throws(InitPacketError) {
        guard !bytes.isEmpty else { throw InitPacketError(offset: 0, field: "Packet", reason: .empty) }
        let packet = try WireScanner(.packet, in: ByteReader(bytes))
        var unknown = packet.unknown
        let command: WireScanner.Found
        let signature: InitSignature?
        switch (packet.first(1), packet.first(2)) {
        case (let plain?, nil):
            command = plain
            signature = nil
        case (nil, let signed?):
            let layer = try WireScanner(.signedCommand, in: signed.content)
            unknown += layer.unknown
            command = try layer.required(1, at: signed)
            _ = (try layer.required(2, at: signed), try layer.required(3, at: signed))
            let message: SignedLayer = try signed.decoded()
            signature = InitSignature(type: message.signatureType, bytes: Array(message.signature))
        case (_?, let second?):
            throw InitPacketError(offset: second.tagOffset, field: "Packet", reason: .bothKinds)
        case (nil, nil):
            throw InitPacketError(offset: 0, field: "Packet", reason: .noKind)
        }

        let layer = try WireScanner(.command, in: command.content)
        let start = try layer.required(2, at: command)
        // A bootloader verifies from the start of the init command to the end of the enclosing message.
        guard start.content.end == command.content.end else {
            throw InitPacketError(offset: start.content.end, field: "Command", reason: .afterInitCommand)
        }
        let body = try WireScanner(.initCommand, in: start.content)
        let message: InitMessage = try start.decoded()

        self.bytes = bytes
        self.signature = signature
        commandBytes = command.content.rest
        signedBytes = start.content.rest
        operation = (try command.decoded() as CommandLayer).opCodeIfPresent
        firmwareVersion = message.hasFwVersion ? message.fwVersion : nil
        hardwareVersion = message.hasHwVersion ? message.hwVersion : nil
        softDeviceRequirements = message.sdReq
        type = message.hasType ? FirmwareType(rawValue: message.type) : nil
        softDeviceSize = message.hasSdSize ? message.sdSize : nil
        bootloaderSize = message.hasBlSize ? message.blSize : nil
        applicationSize = message.hasAppSize ? message.appSize : nil
        isDebug = message.isDebug
        unknown += layer.unknown + body.unknown
        hash = try body.first(8).map { (field) throws(InitPacketError) in try Self.hash(field, &unknown) }
        var validations: [BootValidation] = []
        for field in body.found where field.number == 10 {
            validations.append(try Self.bootValidation(field, &unknown))
        }
        bootValidations = validations
        unknownFields = unknown
    }

    private static func hash(
        _ field: WireScanner.Found, _ unknown: inout [UnknownField]
    ) throws(InitPacketError) -> ImageHash {
        let layer = try WireScanner(.hash, in: field.content)
        _ = (try layer.required(1, at: field), try layer.required(2, at: field))
        unknown += layer.unknown
        let message: HashMessage = try field.decoded()
        return ImageHash(type: HashType(rawValue: message.hashType), bytes: Array(message.hash))
    }

    private static func bootValidation(
        _ field: WireScanner.Found, _ unknown: inout [UnknownField]
    ) throws(InitPacketError) -> BootValidation {
        let layer = try WireScanner(.bootValidation, in: field.content)
        _ = (try layer.required(1, at: field), try layer.required(2, at: field))
        unknown += layer.unknown
        let message: BootValidationMessage = try field.decoded()
        return BootValidation(type: message.type, bytes: Array(message.content))
    }
}

extension CommandLayer {
    fileprivate var opCodeIfPresent: UInt32? { hasOpCode ? opCode : nil }
}

extension WireScanner.Found {
    /// The value as SwiftProtobuf reads it.
    fileprivate func decoded<Layer: Message>() throws(InitPacketError) -> Layer {
        do { return try Layer(serializedBytes: content.rest) } catch {
            throw InitPacketError(
                offset: content.offset, field: Layer.protoMessageName, reason: .undecodable)
        }
    }
}
