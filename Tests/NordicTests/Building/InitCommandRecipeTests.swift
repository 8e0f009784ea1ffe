import Bytes
import Nordic
import TestSupport
import Testing

@Suite struct `A recipe for an init packet` {
    private func recipe(_ vector: InitPacketVector) -> InitCommandRecipe {
        var recipe = InitCommandRecipe(
            .application, version: 1, hardware: 52, softDevices: [0x100],
            digest: [UInt8](hex: InitPacketVector.imageDigest))
        recipe.applicationSize = 4100
        recipe.bootValidations = vector.bootValidations.map { BootValidation(type: $0) }
        return recipe
    }

    @Test(arguments: InitPacketVector.all)
    func `builds the golden vectors, byte for byte`(_ vector: InitPacketVector) throws {
        let recipe = recipe(vector)
        #expect(HexText.encode(try recipe.packet()) == vector.unsignedPacket)
        #expect(HexText.encode(try recipe.packet(signedBy: try SampleKey.privateKey())) == vector.packet)
    }

    @Test func `keeps the order of the SoftDevices, and every number`() throws {
        var recipe = InitCommandRecipe(
            .softdeviceBootloader, version: .max, hardware: 0, softDevices: [0xCAFE, 0, 0x98],
            digest: Array(0..<32))
        recipe.softDeviceSize = .max
        recipe.bootloaderSize = 0x8000_0000
        recipe.isDebug = true
        recipe.bootValidations = [
            BootValidation(type: 3, bytes: [UInt8](repeating: 7, count: 64)), BootValidation(type: 1),
        ]
        let packet = try InitPacket(parsing: try recipe.packet(signedBy: try SampleKey.privateKey()))
        #expect(packet.softDeviceRequirements == [0xCAFE, 0, 0x98])
        #expect(packet.type == .softdeviceBootloader)
        #expect(packet.firmwareVersion == .max)
        #expect(packet.hardwareVersion == 0)
        #expect(packet.softDeviceSize == .max)
        #expect(packet.bootloaderSize == 0x8000_0000)
        #expect(packet.applicationSize == 0)
        #expect(packet.isDebug)
        #expect(packet.hash?.digest == Array(0..<32))
        #expect(packet.bootValidations == recipe.bootValidations)
        #expect(packet.operation == 1)
        #expect(packet.isSigned(by: try SampleKey.privateKey().publicKey))
        #expect(packet.unknownFields.isEmpty)
    }

    @Test func `is read by protoc with the public schema, field for field`() throws {
        var recipe = recipe(InitPacketVector.all[0])
        recipe.softDeviceRequirements = [0xCAFE, 0x98]
        let packet = try recipe.packet(signedBy: try SampleKey.privateKey())
        let run = try Tool.inFolder { folder in
            try Tool.write(Array(PublicSchema.text.utf8), as: "dfu.proto", in: folder)
            return try Tool.run(
                ["protoc", "-I", folder, "--decode", "dfu.Packet", "dfu.proto"], input: packet)
        }
        #expect(run.status == 0, "protoc (protobuf-compiler) is missing or refuses the packet")
        let lines = run.text.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
        #expect(
            lines.filter { !$0.hasPrefix("hash: ") && !$0.hasPrefix("signature: ") } == [
                "signed_command {", "command {", "op_code: INIT", "init {", "fw_version: 1", "hw_version: 52",
                "sd_req: 51966", "sd_req: 152", "type: APPLICATION", "sd_size: 0", "bl_size: 0",
                "app_size: 4100", "hash {", "hash_type: SHA256", "}", "is_debug: false", "boot_validation {",
                "type: VALIDATE_GENERATED_CRC", "bytes: \"\"", "}", "}", "}",
                "signature_type: ECDSA_P256_SHA256", "}",
            ])
        // protoc encodes that text to the same packet: nothing was lost and nothing is out of order.
        let again = try Tool.inFolder { folder in
            try Tool.write(Array(PublicSchema.text.utf8), as: "dfu.proto", in: folder)
            return try Tool.run(
                ["protoc", "-I", folder, "--encode", "dfu.Packet", "dfu.proto"], input: run.output)
        }
        #expect(again.output == packet)
    }

    @Test func `has a signature that OpenSSL accepts`() throws {
        let key = try SampleKey.privateKey()
        let recipe = recipe(InitPacketVector.all[0])
        let packet = try InitPacket(parsing: try recipe.packet(signedBy: key))
        let wire = try #require(packet.signature?.bytes)
        let verdicts = try Tool.inFolder { folder in
            let pem = try Tool.write(Array(key.publicKey.pem.utf8), as: "key.pem", in: folder)
            let message = try Tool.write(packet.signedBytes, as: "message", in: folder)
            return try [wire[..<32].reversed() + wire[32...].reversed(), wire].map { halves in
                let der = try Tool.write(Self.der(halves), as: "signature", in: folder)
                return try Tool.run(
                    ["openssl", "dgst", "-sha256", "-verify", pem, "-signature", der, message]
                ).status
            }
        }
        #expect(verdicts == [0, 1])
    }

    /// r and s as OpenSSL expects them: two signed integers in a sequence.
    private static func der(_ halves: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let short = Array(bytes.drop { $0 == 0 })
            let signed = (short.first ?? 0x80) & 0x80 == 0 ? short : [0] + short
            return [2, UInt8(signed.count)] + signed
        }
        let body = integer(halves[..<32]) + integer(halves[32...])
        return [0x30, UInt8(body.count)] + body
    }
}
