import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `A malformed package` {
    /// Samples with a broken structure, and the error of reading them.
    static let unreadable: [(String, PackageError)] = [
        ("no-manifest", .noManifest(elsewhere: nil)),
        ("manifest-in-folder", .noManifest(elsewhere: "update/manifest.json")),
        ("manifest-not-json", .manifestNotJSON),
        ("manifest-without-parts", .manifestWithoutParts),
        ("manifest-wrong-type", .manifestField("manifest.application.bin_file", .wrongType)),
        ("manifest-without-dat", .manifestField("manifest.application.dat_file", .missing)),
        ("missing-bin", .missingEntry("blinker.bin", role: .application)),
        ("missing-dat", .missingEntry("blinker.dat", role: .application)),
        ("empty-bin", .emptyEntry("blinker.bin", role: .application)),
        ("empty-dat", .emptyEntry("blinker.dat", role: .application)),
        ("two-system-parts", .conflictingParts([.softdevice, .bootloader])),
        ("mcuboot", .mcuboot),
        ("legacy-notes", .legacy(evidence: "the layout of blinker.dat")),
        ("legacy-truncated", .legacy(evidence: "manifest.application.init_packet_data")),
        (
            "init-truncated",
            initPacket(3, "Packet.signed_command", .bytes(.truncated(needed: 137, available: 97)))
        ),
        ("init-trailing-bytes", initPacket(140, "Packet", .bytes(.trailing(count: 3)))),
        ("init-not-last", initPacket(70, "Command", .afterInitCommand)),
        ("both-packet-kinds", initPacket(69, "Packet", .bothKinds)),
        ("no-packet-kind", initPacket(0, "Packet", .noKind)),
        ("legacy-image-as-packet", .imageAsInitPacket(entry: "blinker.bin")),
        ("manifest-encoding", .manifestEncoding("is in UTF-16 or UTF-32")),
        ("manifest-byte-order-mark", .manifestEncoding("begins with a byte order mark")),
        ("manifest-key-repeated", .manifestKeyRepeated("manifest", offset: 86)),
        ("truncated-zip", .archive(ArchiveError(.endMissing, offset: 735))),
        ("bad-entry-crc", .archive(ArchiveError(.checksumWrong, entry: "blinker.bin", offset: 0))),
        ("path-escapes", .archive(ArchiveError(.unsafeName, entry: "../evil.bin", offset: 875))),
        ("encrypted-entry", .archive(ArchiveError(.encrypted, entry: "blinker.bin", offset: 0))),
    ]

    @Test(arguments: unreadable)
    func `is refused for its one defect`(_ name: String, _ expected: PackageError) throws {
        #expect(refusal(of: try Samples.bytes("malformed/\(name).zip")) == expected)
    }

    /// Samples that can be shown, and the one finding that prevents flashing.
    static let refused: [(String, String, String)] = [
        ("hash-mismatch", "hash-mismatch", "Hash.hash"),
        ("hash-type-crc", "hash-type-unsupported", "Hash.hash_type"),
        ("size-mismatch", "size-mismatch", "InitCommand.app_size"),
        ("role-mismatch", "role-mismatch", "InitCommand.type"),
        ("signature-short", "signature-length-wrong", "SignedCommand.signature"),
        ("signature-wrong", "signature-invalid", "SignedCommand.signature"),
        ("sd-req-17-entries", "sd-req-too-long", "InitCommand.sd_req"),
    ]

    @Test(arguments: refused)
    func `can be shown, but is refused before flashing`(
        _ name: String, _ id: String, _ field: String
    ) throws {
        let package = try NordicPackage(parsing: try Samples.bytes("malformed/\(name).zip"))
        let findings = package.findings(key: try testKey())
        #expect(findings.map(\.id) == [id])
        #expect(findings.map(\.level) == [.error])
        #expect(findings.map(\.place.field) == [field])
        #expect(findings.map(\.place.entry) == ["blinker.dat"])
        let (finding, key) = (try #require(findings.first), try testKey())
        #expect(throws: PlanRefusal.file(finding)) { try package.planned(key: key) }
    }

    @Test func `always has an error with one line of text and a stable code`() throws {
        let key = try testKey()
        let mild = try Samples.forRules()
        for name in try Samples.names(in: "malformed") where !mild.contains(name) {
            let (code, words): (String, String)
            let file = try Samples.bytes(name)
            do throws(PackageError) {
                let finding = try NordicPackage(parsing: file).findings(key: key).firstError
                (code, words) = (finding?.id ?? "", finding?.message ?? "")
            } catch { (code, words) = (error.code.rawValue, error.description) }
            #expect(!words.isEmpty && !words.contains("\n"), "\(name)")
            #expect(code.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(name)")
        }
    }

    private static func initPacket(
        _ offset: Int, _ field: String, _ reason: InitPacketError.Reason
    ) -> PackageError {
        .initPacket(InitPacketError(offset: offset, field: field, reason: reason), entry: "blinker.dat")
    }

    private func refusal(of file: [UInt8]) -> PackageError? {
        do throws(PackageError) {
            _ = try NordicPackage(parsing: file)
            return nil
        } catch { return error }
    }
}
