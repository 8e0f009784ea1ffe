import Bytes
import Foundation
import Nordic
import TestSupport
import Testing
import UpdateModel

/// The same packages as another program writes and reads them.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(
        if: AdafruitNrfutil.isThere,
        "adafruit-nrfutil is not installed: scripts/python-tools installs it where PyPI can be reached"))
struct `Adafruit's nrfutil` {
    private let images = [
        "application": Self.ramp(4100, modulo: 251), "bootloader": Self.ramp(1022, modulo: 247),
        "softdevice": Self.ramp(2049, modulo: 249),
    ]

    private static func ramp(_ count: Int, modulo: Int) -> [UInt8] { (0..<count).map { UInt8($0 % modulo) } }

    /// Everything at once, and a part of each kind alone; not all of them in all generations, since each takes a
    /// process.
    static let combinations: [(LegacyGeneration, [String])] =
        LegacyGeneration.allCases.map { ($0, ["application", "softdevice", "bootloader"]) } + [
            (.crc16, ["application"]), (.extendedCRC16, ["bootloader"]), (.hash, ["softdevice"]),
            (.signedHash, ["softdevice", "bootloader"]),
        ]

    @Test(arguments: ["0.5", "0.6"])
    func `writes by its command line packages that are read without a finding`(_ version: String) throws {
        let package = try Tool.inFolder { path -> LegacyPackage in
            let image = try Tool.write(images["application"] ?? [], as: "application.bin", in: path)
            _ = try AdafruitNrfutil.command([
                "dfu", "genpkg", "--dev-type", "0x0052", "--dev-revision", "0xADAF", "--sd-req", "0xB6",
                "--application", image, "--dfu-ver", version, path + "/package.zip",
            ])
            return try LegacyPackage(parsing: try Samples.file(at: path + "/package.zip"))
        }
        let part = try #require(package.parts.first)
        let vector = try #require(LegacyInitPacketVector.all.first { $0.generation.rawValue == version })
        #expect(part.initPacket?.bytes == vector.bytes)
        #expect(part.image == images["application"])
        let ids = Set(package.findings().map(\.id))
        #expect(ids.subtracting(["extension-not-stock"]) == ["application-version-open"])
    }

    /// The ZIP files differ in times and order; their content does not.
    @Test(arguments: combinations)
    func `writes by its library packages that are read without an error and match ours byte for byte`(
        _ generation: LegacyGeneration, _ roles: [String]
    ) throws {
        let theirs = try theirs(generation, roles)
        let package = try LegacyPackage(parsing: theirs)
        let findings = package.findings(key: generation == .signedHash ? try testKey() : nil)
        #expect(!findings.contains { $0.level == .error || $0.id == "metadata-mismatch" }, "\(findings)")
        #expect(package.parts.allSatisfy { $0.initPacket?.end.generation == generation })
        #expect(package.ignoredEntries == [])

        var signatures = package.parts.compactMap { $0.initPacket?.end.signature }
        // Their signatures are random, so ours are taken from them.
        let ours = try recipe(generation, roles)
            .entries(signature: generation == .signedHash ? { _ in signatures.removeFirst() } : nil)
        let archive = try ZipReader(theirs)
        #expect(Set(ours.map(\.name)) == Set(archive.entries.map(\.name)))
        for entry in ours {
            #expect(try archive.contents(of: entry.name, atMost: 1 << 16) == entry.bytes, "\(entry.name)")
        }
    }

    @Test(arguments: combinations)
    func `reads our packages`(_ generation: LegacyGeneration, _ roles: [String]) throws {
        // The published key of RFC 6979, A.2.5.
        let scalar = [UInt8](hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
        let key = generation == .signedHash ? NordicPrivateKey(scalar: scalar) : nil
        let entries = try recipe(generation, roles).entries(signedBy: key)
        let file = try zipped(entries.map { ($0.name, $0.bytes) })
        let reading = try AdafruitNrfutil.reading(file)
        let package = try LegacyPackage(parsing: file)
        #expect(reading.dfuVersion == generation.dfuVersion)
        #expect(Set(reading.parts.keys) == Set(package.parts.map(\.role.rawValue)))
        for part in package.parts {
            let read = try #require(reading.parts[part.role.rawValue])
            #expect(read.binBytes == part.image.count)
            #expect(read.crc16 == part.imageCRC16)
            #expect(read.sha256 == HexText.encode(part.imageDigest))
            #expect(read.packetIsWhatIsNoted)
            #expect(read.signed == (generation == .signedHash))
            guard part.role == .softdeviceBootloader else { continue }
            #expect([read.sdSize, read.blSize] == [2052, 1024])
        }
    }

    @Test(arguments: ["generation-07", "generation-08", "adafruit"])
    func `reads the samples`(_ name: String) throws {
        let reading = try AdafruitNrfutil.reading(try Samples.bytes("legacy/\(name).zip"))
        #expect(!reading.parts.isEmpty)
        for part in reading.parts.values {
            #expect(part.packetIsWhatIsNoted)
            #expect(part.signed == (name == "generation-08"))
        }
    }

    private func recipe(_ generation: LegacyGeneration, _ roles: [String]) -> LegacyRecipe {
        func firmware(_ role: String) -> LegacyRecipe.Firmware? {
            roles.contains(role) ? LegacyRecipe.Firmware(name: role, bytes: images[role] ?? []) : nil
        }
        var recipe = LegacyRecipe()
        recipe.application = firmware("application")
        recipe.bootloader = firmware("bootloader")
        recipe.softDevice = firmware("softdevice")
        recipe.deviceType = 0x52
        recipe.deviceRevision = 52840
        recipe.applicationVersion = 7
        recipe.softDeviceRequirements = [0xB6, 0xFFFE]
        recipe.generation = generation
        return recipe
    }

    private func theirs(_ generation: LegacyGeneration, _ roles: [String]) throws -> [UInt8] {
        try Tool.inFolder { path in
            for role in roles {
                try Tool.write(images[role] ?? [], as: "\(role).bin", in: path)
            }
            let files = roles.map { "\($0)=\(path)/\($0).bin" }
            let package = path + "/package.zip"
            _ = try AdafruitNrfutil.library(["write", generation.rawValue, package] + files)
            return try Samples.file(at: package)
        }
    }
}
