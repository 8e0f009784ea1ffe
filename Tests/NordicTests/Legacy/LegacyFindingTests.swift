import Bytes
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite struct `The finding in a Legacy package` {
    @Test func `recommends format 0.5 if stock bootloaders refuse the extension`() {
        let parts = FailureCode.nordicFinding.extensionNotStock.nextStep.parts
        #expect(parts.contains(.setting(.initPacketFormat, "0.5")))
    }

    /// Each sample has one defect: the finding, its level, the entry and the field.
    static let samples: [(String, String, FindingLevel, String, String?)] = [
        ("crc16", "crc16-mismatch", .error, "blinker.dat", "firmware_crc16"),
        ("extended-crc16", "crc16-mismatch", .error, "blinker.dat", "firmware_crc16"),
        ("length", "size-mismatch", .error, "blinker.dat", "firmware_length"),
        ("hash", "hash-mismatch", .error, "blinker.dat", "firmware_hash"),
        ("without-checksum", "checksum-missing", .error, "blinker.dat", nil),
        ("without-softdevices", "sd-req-missing", .error, "blinker.dat", "softdevice_req"),
        ("odd-size", "image-size-refused", .error, "blinker.bin", nil),
        (
            "odd-softdevice", "image-size-refused", .error, "manifest.json",
            "manifest.softdevice_bootloader.sd_size"
        ),
        (
            "sizes", "part-sizes-mismatch", .error, "manifest.json",
            "manifest.softdevice_bootloader.sd_size + bl_size"
        ),
        ("long", "init-packet-long", .warning, "blinker.dat", nil),
        (
            "notes", "metadata-mismatch", .warning, "manifest.json",
            "manifest.application.init_packet_data.device_revision"
        ),
        ("dfu-version", "metadata-mismatch", .warning, "manifest.json", "manifest.dfu_version"),
        ("adafruit-revision", "adafruit-revision-unknown", .warning, "blinker.dat", "device_revision"),
        ("crc-alone", "init-packet-crc-alone", .warning, "blinker.dat", nil),
        ("padding", "init-packet-padded", .note, "blinker.dat", nil),
        ("any-device", "device-type-open", .note, "blinker.dat", "device_type"),
        ("any-version", "application-version-open", .note, "blinker.dat", "application_version"),
    ]

    @Test(arguments: samples)
    func `is one for one defect, at its place`(
        _ name: String, _ id: String, _ level: FindingLevel, _ entry: String, _ field: String?
    ) throws {
        let package = try LegacyPackage(parsing: try Samples.bytes("malformed/legacy-\(name).zip"))
        // Later generations are not defects of these samples.
        let findings = package.findings().filter { $0.id != "extension-not-stock" }
        #expect(findings.map(\.id) == [id])
        #expect(findings.map(\.level) == [level])
        #expect(findings.map(\.place.entry) == [entry])
        #expect(findings.map(\.place.field) == [field])
        guard level == .error, let finding = findings.first else {
            _ = try package.planned()
            return
        }
        #expect(throws: PlanRefusal.file(finding)) { try package.planned() }
    }

    @Test func `names both sizes when the manifest has neither`() throws {
        let package = try LegacyPackage(
            parsing: try Samples.bytes("malformed/legacy-without-sizes.zip"))
        #expect(package.findings().map(\.id) == ["part-sizes-missing", "part-sizes-missing"])
        #expect(package.findings().map { $0.place.field?.suffix(7) } == ["sd_size", "bl_size"])
    }

    @Test func `names an image without an init packet`() throws {
        let package = try LegacyPackage(
            parsing: try Samples.bytes("malformed/legacy-without-packet.zip"))
        #expect(package.findings().map(\.id) == ["init-packet-missing", "parts-sent-apart"])
        #expect(package.findings().map(\.place.entry) == ["application.bin", "application.bin"])
    }

    @Test func `needs a key to concern signatures`() throws {
        func ids(_ name: String, _ key: NordicPublicKey?) throws -> [String] {
            try LegacyPackage(parsing: try Samples.bytes(name)).findings(key: key).filter {
                $0.level == .error
            }.map(\.id)
        }
        let (good, wrong) = ("legacy/generation-08.zip", "malformed/legacy-signature-wrong.zip")
        #expect(try ids(good, nil) == [] && ids(wrong, nil) == [])
        #expect(try ids(good, testKey()) == [])
        #expect(try ids(good, OtherKey.key()) == ["signature-invalid"])
        #expect(try ids(wrong, testKey()) == ["signature-invalid"])
        #expect(try ids("legacy/generation-07.zip", testKey()) == ["signature-missing"])
    }

    static let notes: [(String, [String])] = [
        (#""device_type": 82, "softdevice_req": [152], "comment": "by hand", "more": {}"#, []),
        (#""device_type": 83"#, ["device_type"]), (#""device_type": "0x52""#, ["device_type"]),
        (#""device_type": 82.5"#, ["device_type"]), (#""device_type": null"#, []),
        (#""device_type": true"#, ["device_type"]), (#""softdevice_req": [152, 153]"#, ["softdevice_req"]),
        (#""softdevice_req": []"#, ["softdevice_req"]), (#""softdevice_req": 152"#, ["softdevice_req"]),
        (#""ext_packet_id": 0, "firmware_length": 64"#, ["ext_packet_id", "firmware_length"]),
        (#""firmware_hash": "00", "init_packet_ecds": "00""#, ["firmware_hash", "init_packet_ecds"]),
        (#""application_version": 2, "firmware_crc16": 0"#, ["application_version", "firmware_crc16"]),
    ]

    @Test(arguments: notes)
    func `is where the manifest differs from the init packet`(
        _ notes: String, _ fields: [String]
    ) throws {
        #expect(try mismatches(with: notes) == fields)
    }

    @Test(arguments: ["1e400", "-1e400", "1e308", "-0", "[[[[1]]]]"])
    func `never traps, whatever the number`(_ value: String) throws {
        // Not every JSON parser accepts all of them.
        _ = try? mismatches(with: "\"device_revision\": \(value)")
    }

    /// Sizes of a Secure package, which count if there are no others, have no limit.
    @Test(arguments: ["9223372036854774784", "-9223372036854775808"])
    func `is there for sizes whose sum overflows`(_ size: String) throws {
        let part = try LegacyPackage(parsing: try Samples.bytes("legacy/tiny.zip")).parts[0]
        let manifest = """
            {"manifest": {"softdevice_bootloader": {"bin_file": "a.bin", "dat_file": "a.dat",
              "info_read_only_metadata": {"sd_size": \(size), "bl_size": \(size)}}}}
            """
        let file = try zipped([
            ("a.bin", part.image), ("a.dat", part.initPacket?.bytes ?? []),
            ("manifest.json", Array(manifest.utf8)),
        ])
        #expect(try LegacyPackage(parsing: file).findings().contains { $0.id == "part-sizes-mismatch" })
    }

    private func mismatches(with notes: String) throws -> [String] {
        let part = try LegacyPackage(parsing: try Samples.bytes("legacy/tiny.zip")).parts[0]
        let manifest = """
            {"manifest": {"application": {"bin_file": "a.bin", "dat_file": "a.dat",
              "init_packet_data": {\(notes)}}}}
            """
        let file = try zipped([
            ("a.bin", part.image), ("a.dat", part.initPacket?.bytes ?? []),
            ("manifest.json", Array(manifest.utf8)),
        ])
        let findings = try LegacyPackage(parsing: file).findings()
        #expect(findings.allSatisfy { $0.id == "metadata-mismatch" })
        return findings.compactMap { $0.place.field?.split(separator: ".").last.map(String.init) }
    }
}
