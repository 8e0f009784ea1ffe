import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A recipe for a package` {
    private static func image(_ bytes: Int, _ seed: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* seed) }
    }

    private static let softDevice = FirmwareInput(name: "s140.hex", bytes: image(9000, 3), version: 0)
    private static let bootloader = FirmwareInput(name: "boot.bin", bytes: image(800, 5), version: 4)
    private static let application = FirmwareInput(name: "app.hex", bytes: image(1200, 7), version: 9)

    private static func recipe(
        _ softDevice: FirmwareInput? = nil, _ bootloader: FirmwareInput? = nil,
        _ application: FirmwareInput? = nil
    ) -> NordicPackageRecipe {
        var recipe = NordicPackageRecipe(hardware: 52, softDevices: [0xB6, 0x100])
        recipe.newSoftDevices = softDevice == nil ? [] : [0x123, 0x100]
        recipe.softDevice = softDevice
        recipe.bootloader = bootloader
        recipe.application = application
        return recipe
    }

    @Test func `packs every combination that nrfutil packs`() throws {
        let key = try SampleKey.privateKey()
        let (sd, bl, app) = (Self.softDevice, Self.bootloader, Self.application)
        let combinations: [(NordicPackageRecipe, [FirmwareRole], [[UInt32]], [String])] = [
            (Self.recipe(nil, nil, app), [.application], [[0xB6, 0x100]], ["app"]),
            (Self.recipe(nil, bl), [.bootloader], [[0xB6, 0x100]], ["boot"]),
            (Self.recipe(sd), [.softdevice], [[0xB6, 0x100, 0x123]], ["s140"]),
            (Self.recipe(sd, bl), [.softdeviceBootloader], [[0xB6, 0x100, 0x123]], ["sd_bl"]),
            (
                Self.recipe(sd, nil, app), [.softdevice, .application],
                [[0xB6, 0x100, 0x123], [0x123, 0x100]],
                ["s140", "app"]
            ),
            (
                Self.recipe(sd, bl, app), [.softdeviceBootloader, .application],
                [[0xB6, 0x100, 0x123], [0x123, 0x100]], ["sd_bl", "app"]
            ),
        ]
        for (recipe, roles, lists, names) in combinations {
            let package = try NordicPackage(parsing: try recipe.file(signedBy: key))
            #expect(package.parts.map(\.role) == roles)
            #expect(package.parts.map(\.initPacket.softDeviceRequirements) == lists)
            #expect(package.parts.map(\.binFile) == names.map { $0 + ".bin" })
            #expect(package.parts.map(\.datFile) == names.map { $0 + ".dat" })
            #expect(package.findings(key: key.publicKey).filter { $0.level != .note && !isNoise($0) } == [])
            #expect(package.ignoredEntries == [])
        }
    }

    @Test func `gives each part its image, sizes and version`() throws {
        let file = try Self.recipe(Self.softDevice, Self.bootloader, Self.application).file()
        let parts = try NordicPackage(parsing: file).parts
        #expect(
            parts.map(\.image) == [
                Self.softDevice.bytes + Self.bootloader.bytes, Self.application.bytes,
            ])
        #expect(parts.map(\.initPacket.softDeviceSize) == [9000, 0])
        #expect(parts.map(\.initPacket.bootloaderSize) == [800, 0])
        #expect(parts.map(\.initPacket.applicationSize) == [0, 1200])
        #expect(parts.map(\.initPacket.firmwareVersion) == [4, 9])
        #expect(
            parts.map(\.initPacket.bootValidations) == [
                [BootValidation(type: 1), BootValidation(type: 1)], [BootValidation(type: 1)],
            ])
        #expect(parts[0].manifest.softdeviceSize == 9000)
        #expect(parts[0].manifest.bootloaderSize == 800)
        let alone = try NordicPackage(parsing: try Self.recipe(Self.softDevice).file()).parts[0]
        #expect(alone.initPacket.firmwareVersion == .max)
        #expect(alone.initPacket.softDeviceSize == 9000)
    }

    @Test func `installs the version of its application, and a bootloader alone installs none`() throws {
        let whole = try NordicPackage(
            parsing: try Self.recipe(Self.softDevice, Self.bootloader, Self.application).file())
        #expect(whole.summary.version?.text == "9")
        #expect(whole.summary.version?.place.entry == whole.parts[1].datFile)
        #expect(whole.summary.hasApplication)
        let system = try NordicPackage(parsing: try Self.recipe(nil, Self.bootloader).file())
        #expect(system.summary.version == nil)
        #expect(system.summary.parts.map(\.version?.text) == ["4"])
        #expect(!system.summary.hasApplication)
    }

    @Test func `signs the image for boot validation, and only the SoftDevice of two`() throws {
        let key = try SampleKey.privateKey()
        var recipe = Self.recipe(Self.softDevice, Self.bootloader, Self.application)
        recipe.softDevice?.bootCheck = .signature
        recipe.application?.bootCheck = .signature
        let package = try NordicPackage(parsing: try recipe.file(signedBy: key))
        let checks = package.parts.map(\.initPacket.bootValidations)
        #expect(checks.map { $0.map(\.type) } == [[3, 1], [3]])
        #expect(key.publicKey.verifies(checks[0][0].bytes, of: Self.softDevice.bytes))
        #expect(key.publicKey.verifies(checks[1][0].bytes, of: Self.application.bytes))
        #expect(package.findings(key: key.publicKey).allSatisfy { $0.level != .error })
        do throws(PackageBuildError) {
            _ = try recipe.file()
            Issue.record("made without a key")
        } catch { #expect(error == .keyMissing) }
    }

    @Test func `packs an image for another chip alone`() throws {
        var recipe = Self.recipe(nil, nil, Self.application)
        recipe.isExternal = true
        let part = try NordicPackage(parsing: try recipe.file()).parts[0]
        #expect(part.role == .application)
        #expect(part.initPacket.type == .externalApplication)
        recipe.softDevice = Self.softDevice
        #expect(refusal(of: recipe) == .externalWithSystem)
    }

    @Test func `refuses what no bootloader accepts`() {
        #expect(refusal(of: Self.recipe()) == .nothingToPack)
        #expect(
            refusal(of: Self.recipe(nil, Self.bootloader, Self.application)) == .bootloaderWithApplication)
    }

    @Test func `gives the same bytes for the same input`() throws {
        let recipe = Self.recipe(Self.softDevice, Self.bootloader, Self.application)
        let key = try SampleKey.privateKey()
        #expect(try recipe.file(signedBy: key) == recipe.file(signedBy: key))
    }

    @Test func `keeps two files of one name apart`() throws {
        var recipe = Self.recipe(Self.softDevice, nil, Self.application)
        recipe.application?.name = "s140.bin"
        let package = try NordicPackage(parsing: try recipe.file())
        #expect(package.parts.map(\.binFile) == ["s140.bin", "s140_application.bin"])
        #expect(package.parts.map(\.datFile) == ["s140.dat", "s140_application.dat"])
        #expect(package.parts[1].image == Self.application.bytes)
    }

    @Test func `writes the manifest as Python does`() throws {
        var recipe = Self.recipe(Self.softDevice, Self.bootloader, Self.application)
        recipe.application?.name = "tür \"1\"\u{7F}\t😀.hex"
        let archive = try ZipReader(try recipe.file())
        let manifest = try archive.contents(of: "manifest.json", atMost: 4096)
        let script = """
            import json, sys
            text = sys.stdin.buffer.read().decode()
            again = json.dumps(json.loads(text), sort_keys=True, indent=4, separators=(",", ": "))
            sys.exit(0 if text == again else 1)
            """
        #expect(try Tool.run(["python3", "-c", script], input: manifest).status == 0)
        #expect(archive.entries.map(\.name).last == "manifest.json")
    }

    @Test func `keeps an entry's name inside of the archive`() {
        var recipe = Self.recipe(nil, nil, Self.application)
        recipe.application?.name = "..\\app.hex"
        #expect(refusal(of: recipe)?.code == "entry-name-unsafe")
    }

    private func refusal(of recipe: NordicPackageRecipe) -> PackageBuildError? {
        do throws(PackageBuildError) {
            _ = try recipe.file()
            return nil
        } catch { return error }
    }
}

@Suite struct `A SoftDevice's image` {
    @Test(arguments: [1, 2, 6]) func `has its id on any of the first pages`(_ page: Int) {
        var image = [UInt8](repeating: 0xFF, count: page * 0x1000 + 14)
        image.replaceSubrange((page * 0x1000 + 4)..., with: [0xDB, 0xE5, 0xB1, 0x51, 0, 0, 0, 0, 0x23, 0x01])
        #expect(SoftDeviceInformation(in: image)?.id == 0x123)
        #expect(SoftDeviceInformation(in: Array(image.dropLast())) == nil)
        for prefix in Corruption.prefixes(of: Array(image.suffix(20))) {
            _ = SoftDeviceInformation(in: prefix)
        }
    }

    @Test func `is recognised by its mark only`() {
        #expect(SoftDeviceInformation(in: []) == nil)
        #expect(SoftDeviceInformation(in: [UInt8](repeating: 0, count: 0x8000)) == nil)
    }

    @Test func `has an id by name`() {
        #expect(SoftDeviceNames.id(of: "s132_7.2.0") == 0x101)
        #expect(SoftDeviceNames.id(of: "S140_nrf52_7.3.0") == 0x123)
        #expect(SoftDeviceNames.id(of: "S130 2.0.1") == 0x87)
        #expect(SoftDeviceNames.id(of: "s132") == nil)
        #expect(SoftDeviceNames.id(of: "") == nil)
    }
}

/// The SoftDevices of these tests are random bytes, which is reported correctly.
private func isNoise(_ finding: Finding) -> Bool { finding.id == "softdevice-unrecognised" }

/// The published key of RFC 6979, appendix A.2.5, that signs the samples.
enum SampleKey {
    static func privateKey() throws -> NordicPrivateKey {
        let scalar = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
        return try #require(NordicPrivateKey(scalar: [UInt8](hex: scalar)))
    }
}
