import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A Legacy package` {
    @Test func `has an image, its init packet, and the manifest's notes`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/generation-05.zip"))
        let part = try #require(package.parts.first)
        #expect(package.parts.count == 1)
        #expect(package.manifest?.dfuVersion == 0.5)
        #expect(package.summary.bytes == 256)
        #expect(package.ignoredEntries == [])
        #expect(part.role == .application)
        #expect(part.binFiles == ["blinker.bin"])
        #expect(part.datFile == "blinker.dat")
        #expect([part.softDeviceSize, part.bootloaderSize, part.applicationSize] == [0, 0, 256])
        #expect(part.crcMatches == true)
        #expect(part.lengthMatches == nil && part.hashMatches == nil)
        #expect(part.manifest?.legacy.initPacketData?["device_type"] == .number(82))
        #expect(package.findings() == [])
    }

    @Test(arguments: LegacyGeneration.allCases)
    func `is read in each generation`(_ generation: LegacyGeneration) throws {
        let name = "legacy/generation-\(generation.rawValue.filter(\.isNumber)).zip"
        let package = try LegacyPackage(parsing: try Samples.bytes(name))
        let part = try #require(package.parts.first)
        #expect(part.initPacket?.end.generation == generation)
        #expect(part.crcMatches != false && part.lengthMatches != false && part.hashMatches != false)
        let key = generation == .signedHash ? try testKey() : nil
        let expected: [String] =
            switch generation {
            case .crc16: []
            case .extendedCRC16, .hash: ["extension-not-stock"]
            case .signedHash: ["extension-not-stock", "init-packet-long"]
            }
        #expect(package.findings(key: key).map(\.id) == expected)
        _ = try package.planned(key: key)
    }

    @Test func `contains the golden vector unchanged`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/vector.zip"))
        let part = try #require(package.parts.first)
        #expect(part.initPacket?.bytes == LegacyInitPacketVector.all[0].bytes)
        #expect(part.image == (0..<4100).map { UInt8($0 % 251) })
        #expect(part.imageCRC16 == 0x297F)
    }

    @Test func `lists the system part first, with the sizes that are sent to the device`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/adafruit.zip"))
        #expect(package.parts.map(\.role) == [.softdeviceBootloader, .application])
        let sizes = package.parts.map { [$0.softDeviceSize, $0.bootloaderSize, $0.applicationSize] }
        #expect(sizes == [[2048, 1024, 0], [0, 0, 1024]])
        #expect(package.findings().map(\.id) == ["application-version-open", "parts-sent-apart"])
        #expect(package.findings().map(\.level) == [.note, .note])
    }

    @Test func `may hold a SoftDevice alone`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/softdevice.zip"))
        let part = try #require(package.parts.first)
        #expect([part.softDeviceSize, part.bootloaderSize, part.applicationSize] == [256, 0, 0])
        #expect(package.findings() == [])
    }

    @Test(arguments: ["without-data", "by-layout"])
    func `needs nothing in its manifest but the names of files`(_ name: String) throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/\(name).zip"))
        #expect(package.parts.map(\.image.count) == [256])
        #expect(package.findings() == [])
    }

    @Test func `without a manifest is read by the names of its files`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/without-manifest.zip"))
        #expect(package.manifest == nil)
        #expect(package.parts.map(\.role) == [.bootloader, .application])
        #expect(package.parts.map(\.binFiles) == [["bootloader.bin"], ["application.hex"]])
        #expect(package.parts.map(\.datFile) == ["system.dat", "application.dat"])
        #expect(package.parts.map(\.crcMatches) == [true, true])
        #expect(package.parts.map { [$0.softDeviceSize, $0.bootloaderSize] } == [[0, 128], [0, 0]])
        #expect(package.findings().map(\.id) == ["parts-sent-apart"])
        #expect(package.ignoredEntries == [])
    }

    @Test func `without a manifest has SoftDevice and bootloader under one init packet`() throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("legacy/without-manifest-system.zip"))
        let part = try #require(package.parts.first)
        #expect(part.role == .softdeviceBootloader)
        #expect(part.binFiles == ["softdevice.bin", "bootloader.bin"])
        #expect([part.softDeviceSize, part.bootloaderSize] == [96, 160])
        #expect(part.crcMatches == true)
        #expect(package.findings() == [])
    }

    @Test func `is distinguished from a secure one by the init packet`() throws {
        for name in try Samples.names(in: "legacy") where !name.contains("without-manifest") {
            let file = try Samples.bytes(name)
            do throws(PackageError) {
                _ = try NordicPackage(parsing: file)
                Issue.record("\(name)")
            } catch {
                #expect(error.code == "legacy-package", "\(name): \(error)")
            }
        }
        for name in ["nordic/tiny.zip", "nordic/vector-a.zip"] {
            let file = try Samples.bytes(name)
            #expect(throws: PackageError.self) { try LegacyPackage(parsing: file) }
        }
    }

    @Test func `with Legacy notes stays a secure one if it is secure`() throws {
        let secure = try NordicPackage(parsing: try Samples.bytes("nordic/tiny.zip")).parts[0]
        let manifest = """
            {"manifest": {"application": {"bin_file": "a.bin", "dat_file": "a.dat",
              "init_packet_data": {"device_type": 82}}, "dfu_version": 0.5}}
            """
        let file = try zipped([
            ("a.bin", secure.image), ("a.dat", secure.initPacket.bytes),
            ("manifest.json", Array(manifest.utf8)),
        ])
        #expect(try NordicPackage(parsing: file).parts[0].initPacket == secure.initPacket)
    }

    /// A CRC16 alone may look like a secure init packet without a command: then the image decides.
    @Test func `with a CRC16 alone is distinguished from a secure one by the image, or by the manifest`()
        throws
    {
        let image = Array("CRC16 alone".utf8)
        let crc = CRC16.checksum(image, from: 0xFFFF)
        let bare = #"{"manifest": {"application": {"bin_file": "a.bin", "dat_file": "a.dat"}}}"#
        let noted = bare.replacing("}}}", with: "}, \"dfu_version\": 0.5}}")
        func code(_ packet: [UInt8], _ manifest: String) throws -> FailureCode? {
            let file = try zipped([
                ("a.bin", image), ("a.dat", packet), ("manifest.json", Array(manifest.utf8)),
            ])
            return #expect(throws: PackageError.self) { try NordicPackage(parsing: file) }?.code
        }
        let right = [UInt8(crc & 0xFF), UInt8(crc >> 8)]
        for manifest in [bare, noted] { #expect(try code(right, manifest) == "legacy-package") }
        #expect(try code([0x48, 0x01], bare) == "init-packet-malformed")
        #expect(try code([0x48, 0x01], noted) == "legacy-package")
    }

    @Test(arguments: [1024, 70 << 10])
    func `whose init packet is the image itself is refused for that, however long it is`(_ count: Int) throws
    {
        let image = [UInt8](repeating: 0x5A, count: count)
        let manifest = #"{"manifest": {"application": {"bin_file": "a.bin", "dat_file": "a.dat"}}}"#
        for entries in [
            [("a.bin", image), ("a.dat", image), ("manifest.json", Array(manifest.utf8))],
            [("application.bin", image), ("application.dat", image)],
        ] {
            let file = try zipped(entries)
            let error = #expect(throws: PackageError.self) { try LegacyPackage(parsing: file) }
            #expect(error == .imageAsInitPacket(entry: entries[1].0))
            #expect(error?.code == "init-packet-malformed")
        }
    }

    @Test func `without a manifest uses the Intel HEX if there is a binary too`() throws {
        let sample = try LegacyPackage(parsing: try Samples.bytes("legacy/without-manifest.zip"))
        let archive = try ZipReader(try Samples.bytes("legacy/without-manifest.zip"))
        let names = ["application.hex", "application.dat"]
        let file = try zipped(
            try names.map { ($0, try archive.contents(of: $0, atMost: 1 << 16)) } + [("application.bin", [1])]
        )
        let package = try LegacyPackage(parsing: file)
        #expect(package.parts == [sample.parts[1]])
        #expect(package.ignoredEntries == ["application.bin"])
    }

    @Test func `without a manifest is recognised only with an init packet`() throws {
        for names in [["application.bin"], ["application.dat"], ["softdevice.bin", "application.dat2"]] {
            let file = try zipped(names.map { ($0, [1, 2, 3, 4]) })
            #expect(throws: PackageError.noManifest(elsewhere: nil)) { try LegacyPackage(parsing: file) }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A damaged Legacy package` {
    @Test(arguments: ["tiny", "without-manifest", "without-manifest-system"])
    func `is refused at every length`(_ name: String) throws {
        for prefix in Corruption.prefixes(of: try Samples.bytes("legacy/\(name).zip")) {
            #expect(throws: PackageError.self, "\(prefix.count) bytes") {
                try LegacyPackage(parsing: prefix)
            }
        }
    }

    @Test func `with any byte changed is read or refused in one line`() throws {
        for (index, changed) in Corruption.flips(of: try Samples.bytes("legacy/tiny.zip")) {
            do throws(PackageError) {
                for finding in try LegacyPackage(parsing: changed).findings() {
                    #expect(!finding.description.contains("\n"), "byte \(index)")
                }
            } catch {
                #expect(!error.description.isEmpty && !error.description.contains("\n"), "byte \(index)")
            }
        }
    }

    /// The manifest and the image protect every byte of the init packet.
    @Test(arguments: LegacyGeneration.allCases)
    func `with any byte of its init packet changed does not pass`(_ generation: LegacyGeneration) throws {
        let whole = try LegacyPackage(
            parsing: try Samples.bytes("legacy/generation-\(generation.rawValue.filter(\.isNumber)).zip"))
        let archive = try ZipReader(
            try Samples.bytes("legacy/generation-\(generation.rawValue.filter(\.isNumber)).zip"))
        let manifest = try archive.contents(of: "manifest.json", atMost: 1 << 16)
        let part = try #require(whole.parts.first)
        for (index, changed) in Corruption.flips(of: try #require(part.initPacket).bytes) {
            let file = try zipped([
                ("blinker.bin", part.image), ("blinker.dat", changed), ("manifest.json", manifest),
            ])
            do throws(PackageError) {
                let findings = try LegacyPackage(parsing: file).findings()
                let ids = Set(findings.filter { $0.level != .note }.map(\.id))
                #expect(
                    !ids.subtracting(["extension-not-stock", "init-packet-long"]).isEmpty, "byte \(index)")
            } catch {
                #expect(error.code == "init-packet-malformed", "byte \(index): \(error)")
            }
        }
    }

    static let unreadable: [(String, PackageError)] = [
        ("truncated", at(20, "firmware_hash", .bytes(.truncated(needed: 32, available: 30)))),
        ("trailing-bytes", at(18, "init packet", .bytes(.trailing(count: 6)))),
        ("extension-3", at(12, "ext_packet_id", .unknownExtension(3))),
        ("size-negative", .manifestField("manifest.softdevice_bootloader.sd_size", .wrongType)),
    ]

    @Test(arguments: unreadable)
    func `is refused for its one defect`(_ name: String, _ expected: PackageError) throws {
        let file = try Samples.bytes("malformed/legacy-\(name).zip")
        #expect(throws: expected) { try LegacyPackage(parsing: file) }
    }

    @Test func `names the wrong line of its Intel HEX`() throws {
        let file = try Samples.bytes("malformed/legacy-damaged-hex.zip")
        do throws(PackageError) {
            _ = try LegacyPackage(parsing: file)
            Issue.record("was read")
        } catch {
            #expect(error.code == "hex-invalid")
            #expect(error.description.hasPrefix("application.hex: line 3, column 42: the record's checksum"))
        }
    }

    private static func at(
        _ offset: Int, _ field: String, _ reason: InitPacketError.Reason
    ) -> PackageError {
        .initPacket(InitPacketError(offset: offset, field: field, reason: reason), entry: "blinker.dat")
    }
}

/// A ZIP file of these entries.
func zipped(_ entries: [(String, [UInt8])]) throws -> [UInt8] {
    var archive = ZipWriter()
    for (name, bytes) in entries { try archive.add(name, bytes) }
    return try archive.file()
}
