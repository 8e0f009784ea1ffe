import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A Nordic package` {
    @Test func `has an image and its init packet`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("nordic/blinker-1.1.0.zip"))
        let part = try #require(package.parts.first)
        #expect(package.parts.count == 1)
        #expect(part.role == .application)
        #expect([part.binFile, part.datFile] == ["blinker.bin", "blinker.dat"])
        #expect(part.image.count == 30720)
        #expect(package.summary.bytes == 30720)
        #expect(part.initPacket.firmwareVersion == 2)
        #expect(part.initPacket.hardwareVersion == 52)
        #expect(part.initPacket.softDeviceRequirements == [0x98])
        #expect(part.hashMatches && part.roleMatches)
        #expect(package.ignoredEntries == [])
        #expect(package.findings(key: try testKey()) == [])
    }

    @Test func `lists the system part first, whatever the order in the file`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("nordic/system-and-application.zip"))
        #expect(package.parts.map(\.role) == [.softdeviceBootloader, .application])
        #expect(package.parts[0].initPacket.expectedImageBytes == 9216)
        #expect(package.parts[0].manifest.bootloaderSize == 4608)
        #expect(package.findings(key: try testKey()) == [])
    }

    @Test func `is the same when it is compressed again`() throws {
        let stored = try NordicPackage(parsing: try Samples.bytes("nordic/blinker-1.0.0.zip"))
        let deflated = try NordicPackage(parsing: try Samples.bytes("nordic/deflated.zip"))
        #expect(deflated.parts == stored.parts)
        #expect(deflated.ignoredEntries == ["__MACOSX/", "__MACOSX/._blinker.bin", ".DS_Store"])
    }

    @Test(arguments: zip(["nordic/vector-a.zip", "nordic/vector-b.zip"], InitPacketVector.all))
    func `contains the golden vectors unchanged`(_ name: String, _ vector: InitPacketVector) throws {
        let package = try NordicPackage(parsing: try Samples.bytes(name))
        #expect(package.parts.map(\.image) == [InitPacketVector.image])
        #expect(package.parts.map { CRC32.checksum($0.initPacket.bytes) } == [vector.crc])
        #expect(CRC32.checksum(package.parts[0].image) == 0x432E_5268)
        #expect(package.findings(key: try testKey()) == [])
    }

    @Test func `without a signature is readable, and refused once a key is given`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("nordic/blinker-unsigned.zip"))
        #expect(package.findings().map(\.id) == ["unsigned"])
        _ = try package.planned()
        #expect(package.findings(key: try testKey()).map(\.id) == ["signature-missing"])
    }

    @Test func `with a wrong hash can be shown, but not flashed`() throws {
        let package = try NordicPackage(parsing: try Samples.bytes("malformed/hash-mismatch.zip"))
        #expect(package.parts.map(\.hashMatches) == [false])
        #expect(throws: PlanRefusal.self) { try package.planned() }
    }

    @Test func `with any byte changed or missing is read or refused, without a crash`() throws {
        let file = try Samples.bytes("nordic/tiny.zip")
        let whole = try NordicPackage(parsing: file)
        for prefix in Corruption.prefixes(of: file) {
            #expect(throws: PackageError.self) { try NordicPackage(parsing: prefix) }
        }
        for (index, changed) in Corruption.flips(of: file) {
            do throws(PackageError) {
                // Every entry has a CRC, so the content read is the one that was written.
                let package = try NordicPackage(parsing: changed)
                #expect(package.parts == whole.parts, "byte \(index)")
            } catch {
                #expect(!error.description.isEmpty && !error.description.contains("\n"))
            }
        }
    }

    @Test(arguments: ["nordic/tiny.zip", "malformed/unsigned.zip"])
    func `is refused with a key that is not P-256, never left unchecked`(name: String) throws {
        let package = try NordicPackage(parsing: try Samples.bytes(name))
        var options = UpdateOptions()
        options[NordicOptions.self].unsupportedKeyKind = .rsa(bits: 2048)
        let found = package.findings(options).filter { $0.id == "signature-invalid" }
        #expect(found.count == package.parts.count)
        #expect(found.allSatisfy { $0.level == .error && "\($0)".contains("a key of RSA-2048") })
        #expect(!package.releaseFindings(options, for: nil).contains { $0.id == "key-not-given" })
        #expect(throws: PlanRefusal.self) { try package.plan(options) }
    }

    @Test(.enabled(if: !Samples.genuine.isEmpty, "there are no genuine packages next to the repository"))
    func `from the vendor's tool is read, and every hash matches`() throws {
        for path in Samples.genuine {
            let package = try NordicPackage(parsing: try Samples.file(at: path))
            #expect(package.parts.count == 1)
            #expect(package.parts.allSatisfy { $0.hashMatches && $0.roleMatches }, "\(path)")
            #expect(!package.findings().contains { $0.level == .error }, "\(path)")
            _ = try package.planned()
        }
    }
}

/// The published key of RFC 6979 that signed the samples.
func testKey() throws -> NordicPublicKey {
    try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
}

extension VendorFile {
    /// The procedure that installs it; refuses what no bootloader with `key` would accept.
    func planned(key: NordicPublicKey? = nil) throws(PlanRefusal) -> UpdatePlan {
        var options = UpdateOptions()
        options[NordicOptions.self].key = key
        return try plan(options)
    }
}

@Suite struct `The samples` {
    @Test func `are the files of SHA256SUMS, no more and no less`() throws {
        let sums = String(decoding: try Samples.bytes("SHA256SUMS"), as: UTF8.self)
        var names: [String] = []
        for line in sums.split(separator: "\n") {
            let name = String(line.dropFirst(66))
            let digest = SHA256Digest.digest(try Samples.bytes(name))
            #expect(HexText.encode(digest) == line.prefix(64), "\(name)")
            names.append(name)
        }
        let folders = ["dialog", "feasycom", "hex", "legacy", "malformed", "mcuboot", "nordic"]
        #expect(names == (try folders.flatMap { try Samples.names(in: $0) }))
    }
}
