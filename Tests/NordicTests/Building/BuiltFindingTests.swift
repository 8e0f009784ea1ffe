import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

/// Packages that no tool should build, and their findings.
@Suite struct `A finding about disagreement among bootloaders` {
    private static let image = [UInt8](repeating: 0x5A, count: 256)

    private static func recipe(_ type: FirmwareType = .application) -> InitCommandRecipe {
        var recipe = InitCommandRecipe(
            type, version: 1, hardware: 52, softDevices: [0x98], digest: SHA256Digest.digest(image))
        switch type {
        case .softdevice: recipe.softDeviceSize = 256
        case .bootloader: recipe.bootloaderSize = 256
        case .softdeviceBootloader: (recipe.softDeviceSize, recipe.bootloaderSize) = (192, 64)
        default: recipe.applicationSize = 256
        }
        recipe.bootValidations = [BootValidation(type: 1)]
        return recipe
    }

    private func findings(
        _ packet: [UInt8], as role: FirmwareRole = .application, key: NordicPublicKey? = nil,
        image: [UInt8] = image
    ) throws -> [Finding] {
        var archive = ZipWriter()
        try archive.add("a.bin", image)
        try archive.add("a.dat", packet)
        let manifest = #"{"manifest":{"\#(role.rawValue)":{"bin_file":"a.bin","dat_file":"a.dat"}}}"#
        try archive.add("manifest.json", Array(manifest.utf8))
        return try NordicPackage(parsing: try archive.file()).findings(key: key)
    }

    private func words(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.level.rawValue) \($0.id)" }
    }

    @Test(
        arguments: [
            ([0x98], .application, []), ([0x98, 0], .application, []),
            ([0], .application, ["note sd-req-none"]),
            ([0, 0x98], .application, ["warning sd-req-leading-zero"]),
            ([0], .softdevice, ["warning sd-req-leading-zero"]),
            ([0, 0x98], .softdevice, ["warning sd-req-leading-zero"]), ([0], .bootloader, []),
            ([0], .softdeviceBootloader, []), ([0xFFFE], .application, ["warning sd-req-wildcard"]),
            ([0xFFFE], .bootloader, ["warning sd-req-wildcard"]), ([0xFFFE], .externalApplication, []),
            ([0x10098], .application, ["warning sd-req-too-large", "note sd-req-unknown"]),
        ] as [([UInt32], FirmwareType, [String])])
    func `is reported for SoftDevice lists`(_ list: [UInt32], _ type: FirmwareType, _ expected: [String])
        throws
    {
        var recipe = Self.recipe(type)
        recipe.softDeviceRequirements = list
        let role = FirmwareRole(rawValue: type.name) ?? .application
        let key = try SampleKey.privateKey()
        let found = words(try findings(recipe.packet(signedBy: key), as: role))
        #expect(found.filter { $0 != Self.noise } == expected)
    }

    /// The images of these tests are not SoftDevices, which is reported correctly.
    private static let noise = "warning softdevice-unrecognised"

    @Test(
        arguments: [
            ([(0, 0)], .application, []), ([(2, 0)], .application, []),
            ([(1, 4)], .application, ["note boot-validation-bytes"]),
            ([(4, 0)], .application, ["error boot-validation-unknown"]),
            ([(3, 63)], .application, ["error boot-validation-length-wrong"]),
            ([(3, 64), (1, 0)], .softdeviceBootloader, ["warning boot-validation-misplaced"]),
            ([(1, 0), (3, 64)], .softdeviceBootloader, []), ([(3, 64)], .softdevice, []),
        ] as [([(UInt32, Int)], FirmwareType, [String])])
    func `is reported for boot validations`(
        _ checks: [(UInt32, Int)], _ type: FirmwareType, _ expected: [String]
    ) throws {
        var recipe = Self.recipe(type)
        recipe.bootValidations = checks.map {
            BootValidation(type: $0, bytes: [UInt8](repeating: 1, count: $1))
        }
        let role = FirmwareRole(rawValue: type.name) ?? .application
        let found = words(try findings(recipe.packet(signedBy: try SampleKey.privateKey()), as: role))
        #expect(found.filter { $0 != "note init-command-long" && $0 != Self.noise } == expected)
    }

    @Test func `is reported for a boot validation with another key, if a key is given`() throws {
        let key = try SampleKey.privateKey()
        var recipe = Self.recipe(.softdeviceBootloader)
        func found(_ bytes: [UInt8]) throws -> [String] {
            recipe.bootValidations = [BootValidation(type: 3, bytes: bytes), BootValidation(type: 1)]
            let packet = try recipe.packet(signedBy: key)
            return words(try findings(packet, as: .softdeviceBootloader, key: key.publicKey)).filter {
                $0.hasPrefix("error")
            }
        }
        #expect(try found(key.sign(Array(Self.image.prefix(192)))) == [])
        #expect(try found(key.sign(Self.image)) == ["error boot-validation-invalid"])
    }

    @Test func `is reported for an unusual operation or hash`() throws {
        let initCommand = try initCommand()
        let key = try SampleKey.privateKey()
        func found(_ command: [UInt8]) throws -> [String] {
            words(try findings(signed(command, try key.sign(initCommand))))
        }
        let body = block(2, initCommand)
        #expect(try found([8, 1] + body) == [])
        #expect(try found([8, 0] + body) == ["note op-code-unusual"])
        #expect(try found(body) == ["note op-code-unusual"])
        var recipe = Self.recipe()
        recipe.digest = Array(recipe.digest.prefix(31))
        #expect(words(try findings(recipe.packet(signedBy: key))) == ["error hash-length-wrong"])
    }

    @Test func `is reported for a wrongly made signature, with the way it was made`() throws {
        let initCommand = try initCommand()
        let key = try SampleKey.privateKey()
        let command = [8, 1] + block(2, initCommand)
        func turned(_ wire: [UInt8]) -> [UInt8] { wire[..<32].reversed() + wire[32...].reversed() }
        func message(_ signature: [UInt8]) throws -> String? {
            let found = try findings(signed(command, signature), key: key.publicKey)
            #expect(words(found).allSatisfy { $0 == "error signature-invalid" })
            return found.first?.message
        }
        let right = try key.sign(initCommand)
        #expect(try message(right) == nil)
        #expect(try message(turned(right))?.contains("both halves reversed") == true)
        for signature in [try key.sign(command), turned(try key.sign(command))] {
            #expect(try message(signature)?.contains("the command around the init command") == true)
        }
        #expect(try message(key.sign(Self.image))?.contains("covers the image") == true)
        #expect(try message([UInt8](repeating: 1, count: 64)) == "was not made with this key")
    }

    /// The signature of nrfutil's own key over the init command of golden packet A; the key itself is not included.
    @Test func `is reported for the publicly known key`() throws {
        let signature = """
            ef0de9ad49a7488146fb825afa5e36c4ddc21ad9be8fceba39ae24f1ca735cc7\
            86fd402c866f4a38986fa7486c746f84b00e9c6c515763f70bde8624b40e5e17
            """
        let initCommand = [UInt8](hex: InitPacketVector.all[0].initCommand)
        let packet = signed([8, 1] + block(2, initCommand), [UInt8](hex: signature))
        let found = try findings(packet, image: InitPacketVector.image)
        #expect(words(found) == ["warning signed-with-default-key"])
        let own = try findings(
            packet, key: NordicPublicKey.defaultKey, image: InitPacketVector.image)
        #expect(words(own) == ["warning signed-with-default-key"])
    }

    private func initCommand() throws -> [UInt8] {
        try InitPacket(parsing: try Self.recipe().packet()).signedBytes
    }

    private func signed(_ command: [UInt8], _ signature: [UInt8]) -> [UInt8] {
        block(2, block(1, command) + [0x10, 0] + block(3, signature))
    }

    /// A protobuf field of bytes, up to 255 of them.
    private func block(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        let size = UInt8(content.count)
        return [number << 3 | 2] + (size < 0x80 ? [size] : [size, 1]) + content
    }
}
