import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A Legacy recipe` {
    private let image = [UInt8](repeating: 7, count: 64)

    /// The samples are written by another program.
    @Test(arguments: LegacyGeneration.allCases)
    func `builds the entries of the sample, byte for byte`(_ generation: LegacyGeneration) throws {
        let name = "legacy/generation-\(generation.rawValue.filter(\.isNumber)).zip"
        let sample = try LegacyPackage(parsing: try Samples.bytes(name)).parts[0]
        var recipe = LegacyRecipe()
        recipe.application = LegacyRecipe.Firmware(name: "blinker", bytes: sample.image)
        recipe.deviceType = 0x52
        recipe.deviceRevision = 1
        recipe.applicationVersion = 1
        recipe.softDeviceRequirements = [0x98]
        recipe.generation = generation
        var messages: [[UInt8]] = []
        let signature = sample.initPacket?.end.signature.map { signature in
            { (message: [UInt8]) -> [UInt8]? in
                messages.append(message)
                return signature
            }
        }
        let entries = try recipe.entries(signature: signature)
        #expect(entries.map(\.name) == ["blinker.bin", "blinker.dat", "manifest.json"])
        let archive = try ZipReader(try Samples.bytes(name))
        for entry in entries {
            #expect(try archive.contents(of: entry.name, atMost: 1 << 16) == entry.bytes, "\(entry.name)")
        }
        #expect(messages == [sample.initPacket?.signedBytes].compactMap(\.self))
    }

    @Test func `joins SoftDevice and bootloader, each padded, and puts the application last`() throws {
        var recipe = LegacyRecipe()
        recipe.softDevice = LegacyRecipe.Firmware(name: "s132", bytes: [1, 2, 3, 4, 5])
        recipe.bootloader = LegacyRecipe.Firmware(name: "boot", bytes: [6, 7])
        recipe.application = LegacyRecipe.Firmware(name: "app", bytes: [8])
        let entries = try recipe.entries()
        #expect(
            entries.map(\.name) == ["sd_bl.bin", "sd_bl.dat", "app.bin", "app.dat", "manifest.json"])
        #expect(entries[0].bytes == [1, 2, 3, 4, 5, 0xFF, 0xFF, 0xFF, 6, 7, 0xFF, 0xFF])
        #expect(entries[2].bytes == [8, 0xFF, 0xFF, 0xFF])
        let package = try LegacyPackage(parsing: try zipped(entries.map { ($0.name, $0.bytes) }))
        #expect([package.parts[0].softDeviceSize, package.parts[0].bootloaderSize] == [8, 4])
        #expect(!package.findings().contains { $0.level != .note }, "\(package.findings())")
    }

    @Test func `has the defaults of nrfutil`() throws {
        var recipe = LegacyRecipe()
        recipe.bootloader = LegacyRecipe.Firmware(name: "boot", bytes: image)
        let packet = try LegacyInitPacket(parsing: try recipe.entries()[1].bytes)
        #expect(packet.deviceType == 0xFFFF && packet.deviceRevision == 0xFFFF)
        #expect(packet.applicationVersion == 0xFFFF_FFFF)
        #expect(packet.softDeviceRequirements == [0xFFFE])
        #expect(packet.end.generation == .crc16)
    }

    @Test func `gives the same entries every time`() throws {
        var recipe = LegacyRecipe()
        recipe.softDevice = LegacyRecipe.Firmware(name: "sd", bytes: image)
        #expect(try recipe.entries() == (try recipe.entries()))
    }

    @Test func `is refused when it cannot be built`() {
        func refusal(
            signature: (([UInt8]) -> [UInt8]?)? = nil, _ change: (inout LegacyRecipe) -> Void
        ) -> LegacyRecipeError? {
            var recipe = LegacyRecipe()
            recipe.application = LegacyRecipe.Firmware(name: "app", bytes: image)
            change(&recipe)
            do throws(LegacyRecipeError) {
                _ = try recipe.entries(signature: signature)
                return nil
            } catch {
                #expect(!error.description.isEmpty)
                return error
            }
        }
        #expect(refusal { $0.application = nil } == .nothingToPack)
        #expect(refusal { $0.application = .init(name: "app", bytes: []) } == .emptyImage("app"))
        #expect(refusal { $0.bootloader = .init(name: "app", bytes: image) } == .nameTwice("app"))
        for name in ["", "a/b", "a\\b", "c:", "a\"b", "a\nb", "ä"] {
            #expect(
                refusal { $0.application = .init(name: name, bytes: image) } == .unusableName(name), "\(name)"
            )
        }
        #expect(
            refusal { $0.softDeviceRequirements = [UInt16](repeating: 1, count: 65536) }
                == .tooManySoftDevices)
        #expect(refusal { $0.generation = .signedHash } == .keyMissing)
        #expect(refusal(signature: { _ in [] }) { _ in } == .keyUnused(.crc16))
        #expect(refusal(signature: { _ in nil }) { $0.generation = .signedHash } == .notSigned)
        for count in [0, 63, 65] {
            let error = refusal(signature: { _ in [UInt8](repeating: 1, count: count) }) {
                $0.generation = .signedHash
            }
            guard case .unreadable = error else {
                Issue.record("\(count): \(String(describing: error))")
                continue
            }
        }
        #expect(refusal { _ in } == nil)
    }
}
