import Bytes
import FoundationEssentials
import SwiftProtobuf

extension InitCommandRecipe {
    /// The init packet, signed if `key` is given. `InitCommand` is encoded once: these bytes are signed and then
    /// wrapped unchanged.
    public func packet(signedBy key: NordicPrivateKey? = nil) throws(PackageBuildError) -> [UInt8] {
        let initCommand = try Self.encoded(try message())
        let command = try Self.encoded(
            CommandLayer.with {
                $0.opCode = 1
                $0.initCommand = Data(initCommand)
            })
        guard let key else {
            return try Self.encoded(PacketLayer.with { $0.command = Data(command) })
        }
        let signature = try PackageBuildError.signing { () throws(SignatureError) in
            try key.sign(initCommand)
        }
        let signed = try Self.encoded(
            SignedLayer.with {
                $0.command = Data(command)
                $0.signatureType = 0
                $0.signature = Data(signature)
            })
        return try Self.encoded(PacketLayer.with { $0.signedCommand = Data(signed) })
    }

    private func message() throws(PackageBuildError) -> InitMessage {
        let hash = try Self.encoded(
            HashMessage.with {
                $0.hashType = HashType.sha256.rawValue
                $0.hash = Data(digest.reversed())
            })
        var validations: [Data] = []
        for validation in bootValidations {
            validations.append(
                Data(
                    try Self.encoded(
                        BootValidationMessage.with {
                            $0.type = validation.type
                            $0.content = Data(validation.bytes)
                        })))
        }
        return InitMessage.with {
            $0.fwVersion = firmwareVersion
            $0.hwVersion = hardwareVersion
            $0.sdReq = softDeviceRequirements
            $0.type = type.rawValue
            $0.sdSize = softDeviceSize
            $0.blSize = bootloaderSize
            $0.appSize = applicationSize
            $0.hash = Data(hash)
            $0.isDebug = isDebug
            $0.bootValidation = validations
        }
    }

    private static func encoded(_ message: some Message) throws(PackageBuildError) -> [UInt8] {
        // SwiftProtobuf writes fields in the order of their numbers, including fields set to their default value.
        do { return try message.serializedBytes() } catch { throw .encoding("\(error)") }
    }
}
