import Bytes
import Foundation
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program given a Legacy package` {
    @Test func `prints everything in it, in 80 columns`() throws {
        let path = Samples.root + "/firmware-samples/legacy/adafruit.zip"
        let run = try Program.run(["inspect", path])
        #expect(run.status == 0)
        let text = run.output.replacingOccurrences(of: path, with: "adafruit.zip")
        #expect(
            text.hasPrefix(
                """
                adafruit.zip: Nordic Legacy DFU package, 5.6 kB

                softdevice_bootloader
                  image       sd_bl.bin, 3072 bytes
                  sizes       SoftDevice 2048, bootloader 1024
                  init packet sd_bl.dat, 16 bytes
                  generation  0.5
                  device      type 0x52, revision 0xCE68 (Adafruit, nRF52840)
                  version     not given
                  SoftDevices 0xB6 (S140 6.1.1), any
                  CRC16       d575, matches the image
                  signature   none

                application
                  image       blinker.bin, 1024 bytes

                """))
        for name in ["adafruit", "generation-07", "generation-08", "without-manifest-system"] {
            let path = Samples.root + "/firmware-samples/legacy/\(name).zip"
            let lines = try Program.run(["inspect", path]).output.split(separator: "\n").dropFirst()
            #expect(lines.prefix { $0 != "findings" }.allSatisfy { $0.count <= 80 }, "\(name)")
        }
    }

    @Test func `prints the members that scripts rely on`() throws {
        let path = Samples.root + "/firmware-samples/legacy/generation-08.zip"
        let event = try Program.run(["inspect", path, "--json"]).last
        #expect(event["kind"] as? String == "nordic-legacy")
        #expect(event["dfu_version"] as? Double == 0.8)
        #expect(event["manifest"] as? Bool == true)
        let part = try #require((event["parts"] as? [[String: Any]])?.first)
        #expect(
            Set(part.keys) == [
                "role", "bin_file", "bin_files", "bin_bytes", "bin_sha256", "bin_crc16", "dat_file",
                "dat_bytes",
                "sd_size", "bl_size", "app_size", "init",
            ])
        #expect(part["bin_file"] as? String == "blinker.bin")
        #expect(part["bin_bytes"] as? Int == 256)
        #expect(part["app_size"] as? Int == 256)
        let content = try #require(part["init"] as? [String: Any])
        #expect(
            Set(content.keys) == [
                "device_type", "device_revision", "application_version", "sd_req", "generation",
                "padding_bytes",
                "ext_packet_id",
                "crc16", "crc_matches", "firmware_length", "length_matches", "firmware_hash", "hash_matches",
                "signed", "signature",
            ])
        #expect(content["device_type"] as? Int == 82)
        #expect(content["sd_req"] as? [Int] == [152])
        #expect(content["ext_packet_id"] as? Int == 2)
        #expect(content["crc16"] is NSNull && content["crc_matches"] is NSNull)
        #expect(content["hash_matches"] as? Bool == true)
        #expect((content["signature"] as? String)?.count == 128)
        let first = try Program.run([
            "inspect", Samples.root + "/firmware-samples/legacy/vector.zip", "--json",
        ]).last
        let vector = (first["parts"] as? [[String: Any]])?.first?["init"] as? [String: Any]
        #expect(vector?["crc16"] as? String == "297f")
        #expect(vector?["crc_matches"] as? Bool == true)
        #expect(vector?["ext_packet_id"] is NSNull)
    }

    @Test(arguments: [
        ("malformed/legacy-crc16.zip", "crc16-mismatch"),
        ("malformed/legacy-truncated.zip", "init-packet-malformed"),
    ])
    func `does not send it, and says why before using the radio`(_ name: String, _ code: String) throws {
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/" + name, "--adapter", "sim", "--device",
            "F0:00:00:00:00:01", "--json",
        ])
        #expect(run.status == 65)
        #expect(run.names == ["failed"])
        #expect(run.last["code"] as? String == code)
    }

    @Test(arguments: [
        ("legacy/generation-05.zip", [String]()), ("malformed/legacy-crc16.zip", ["crc16-mismatch"]),
        ("malformed/legacy-without-sizes.zip", ["part-sizes-missing", "part-sizes-missing"]),
    ])
    func `checks it at the release gate`(_ name: String, _ ids: [String]) throws {
        let run = try Program.run([
            "validate", Samples.root + "/firmware-samples/" + name, "--format", "json",
        ])
        #expect(run.status == (ids.isEmpty ? 0 : 1))
        for id in ids { #expect(run.output.contains("\"\(id)\"")) }
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program building a Legacy package` {
    @Test func `builds what it can read, the same bytes each time`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        let image = try tray.write([1, 2, 3, 4, 5], as: "blinker.bin")
        let paths = [tray.folder + "/one.zip", tray.folder + "/two.zip"]
        let runs = try paths.map {
            try Program.run([
                "build", "nordic-legacy", $0, "--application", image, "--application-version", "0x10",
                "--dev-type", "0x0052", "--dev-revision", "52840", "--sd-req", "0xB6,s140_6.1.1", "--json",
            ])
        }
        #expect(runs.map(\.status) == [0, 0], "\(runs[0].output) \(runs[0].talk)")
        #expect(runs[0].last["event"] as? String == "built")
        #expect(runs[0].last["kind"] as? String == "nordic-legacy")
        #expect(try Samples.file(at: paths[0]) == (try Samples.file(at: paths[1])))
        let part = try #require(try LegacyPackage(parsing: try Samples.file(at: paths[0])).parts.first)
        #expect(part.binFiles == ["blinker.bin"])
        #expect(part.image == [1, 2, 3, 4, 5, 0xFF, 0xFF, 0xFF])
        let packet = try #require(part.initPacket)
        #expect(packet.deviceType == 0x52 && packet.deviceRevision == 52840)
        #expect(packet.applicationVersion == 16)
        #expect(packet.softDeviceRequirements == [0xB6, 0xB6])
    }

    @Test func `signs with a key, the same bytes each time`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        let image = try tray.write([1, 2, 3, 4], as: "blinker.bin")
        let key = tray.folder + "/key.pem"
        #expect(try Program.run(["keys", "generate", key]).status == 0)
        let paths = [tray.folder + "/one.zip", tray.folder + "/two.zip"]
        for path in paths {
            let run = try Program.run([
                "build", "nordic-legacy", path, "--application", image, "--key-file", key,
            ])
            #expect(run.status == 0, "\(run.talk)")
        }
        #expect(try Samples.file(at: paths[0]) == (try Samples.file(at: paths[1])))
        let package = try LegacyPackage(parsing: try Samples.file(at: paths[0]))
        #expect(package.manifest?.dfuVersion == 0.8)
        let text = String(decoding: try Samples.file(at: key), as: UTF8.self)
        let own = try NordicPrivateKey(text: text).publicKey
        #expect(package.findings(key: own).allSatisfy { $0.level != .error })
        #expect(package.findings(key: try NordicPrivateKey().publicKey).first?.id == "signature-invalid")
    }

    @Test func `reads Intel HEX, and joins SoftDevice and bootloader`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        let path = tray.folder + "/package.zip"
        let run = try Program.run([
            "build", "nordic-legacy", path, "--softdevice",
            Samples.root + "/firmware-samples/hex/softdevice.hex",
            "--bootloader", Samples.root + "/firmware-samples/hex/application.hex", "--dfu-ver", "0.7",
        ])
        #expect(run.status == 0, "\(run.talk)")
        let part = try #require(try LegacyPackage(parsing: try Samples.file(at: path)).parts.first)
        #expect(part.role == .softdeviceBootloader)
        #expect(part.bootloaderSize == 1024)
        #expect(part.hashMatches == true && part.lengthMatches == true)
    }

    @Test func `writes nothing if two files would have one name`() throws {
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        let image = try tray.write([1, 2, 3, 4], as: "blinker.bin")
        let other = try tray.write(try Samples.bytes("hex/application.hex"), as: "blinker.hex")
        let path = tray.folder + "/package.zip"
        let run = try Program.run([
            "build", "nordic-legacy", path, "--application", image, "--bootloader", other, "--json",
        ])
        #expect(run.status == 65)
        #expect(run.last["code"] as? String == "build-refused")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    private static let application = Samples.root + "/firmware-samples/hex/application.hex"
    private static let softDevice = Samples.root + "/firmware-samples/hex/softdevice.hex"

    /// Runs `build nordic-legacy … out.zip --json`; also returns whether the package exists.
    private func build(_ options: [String]) throws -> (run: Program.Run, isWritten: Bool) {
        try Tool.inFolder { folder in
            let path = folder + "/out.zip"
            let run = try Program.run(["build", "nordic-legacy", path, "--json"] + options)
            return (run, FileManager.default.fileExists(atPath: path))
        }
    }

    @Test(arguments: ["--application", "--bootloader"])
    func `accepts a SoftDevice only as a SoftDevice`(_ option: String) throws {
        let (run, isWritten) = try build([option, Self.softDevice])
        #expect(run.status == 65)
        #expect(run.last["code"] as? String == "build-refused")
        let words =
            "softdevice.hex begins with a SoftDevice: give \(option) the file that has the \(option.dropFirst(2)) alone"
        #expect((run.last["message"] as? String)?.hasPrefix(words) == true, "\(run.output)")
        #expect(!isWritten)
    }

    @Test func `warns of a SoftDevice without the mark of one, as very old ones are`() throws {
        let (run, isWritten) = try build(["--softdevice", Self.application])
        #expect(run.status == 0)
        #expect(isWritten)
        #expect(run.names == ["warning", "built"])
        #expect(run.first("warning")?["code"] as? String == "softdevice-unrecognised")
        #expect(try Program.run(["explain", "softdevice-unrecognised"]).status == 0)
        #expect(try build(["--softdevice", Self.softDevice]).run.names == ["built"])
        let words = "make sure that --sd-req lists its id"
        for (list, isTold) in [("0x67", true), ("0xFFFE", false)] {
            let image = try Samples.bytes("hex/application.hex")
            let tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
            let other = try tray.write(image, as: "other.hex")
            let run = try build(["--softdevice", Self.application, "--application", other, "--sd-req", list])
                .run
            #expect(run.first("warning")?["message"].map { "\($0)".contains(words) } == isTold)
        }
    }

    @Test(arguments: [
        (["--sd-req", "0x67"], false), (["--sd-req", "0x67,0x98"], true),
        (["--sd-req", "0x67,0xFFFE"], true),
        ([], true),
    ])
    func `refuses a SoftDevice that would prevent the application from installing`(
        _ list: [String], _ isFine: Bool
    ) throws {
        let both = ["--softdevice", Self.softDevice, "--application", Self.application]
        let (run, isWritten) = try build(both + list)
        #expect(run.status == (isFine ? 0 : 65), "\(run.output)")
        #expect(isWritten == isFine)
        if !isFine {
            #expect(run.last["code"] as? String == "build-refused")
            let words = "softdevice.hex has the id 0x98 (S132 4.0.2), which --sd-req does not list"
            #expect(run.last["message"] as? String == words)
        }
        // No application has to be installed after it.
        #expect(try build(["--softdevice", Self.softDevice] + list).run.status == 0)
    }
}
