import Foundation
import Nordic
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program that builds` {
    private static let application = Samples.root + "/firmware-samples/hex/application.hex"
    private static let softDevice = Samples.root + "/firmware-samples/hex/softdevice.hex"
    private static let sampleKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIMmvqdhFunUWa1whV2ex1pNOUMPbNuibEnuKYisSD2choAoGCCqGSM49
        AwEHoUQDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Z5A/4QCLi8
        maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END EC PRIVATE KEY-----

        """

    /// Runs `build nordic … out.zip` in a folder with the key of the samples.
    private func build(
        _ arguments: [String], keyMode: Int = 0o600, _ check: (Program.Run, String, String) throws -> Void
    ) throws {
        try Tool.inFolder { folder in
            let key = try Tool.write(Array(Self.sampleKey.utf8), as: "key.pem", in: folder)
            try FileManager.default.setAttributes([.posixPermissions: keyMode], ofItemAtPath: key)
            let output = "\(folder)/out.zip"
            let run = try Program.run(["build", "nordic", output] + arguments.map { $0 == "KEY" ? key : $0 })
            try check(run, output, folder)
        }
    }

    @Test func `warns of distant parts in Intel HEX, and of a bootloader's settings`() throws {
        try Tool.inFolder { folder in
            let text = [
                ":020000040002F8", ":0460000001020304" + "92", ":020000040007F3", ":04F0000001020304" + "02",
                ":00000001FF",
            ].joined(separator: "\n")
            let hex = try Tool.write(Array(text.utf8), as: "merged.hex", in: folder)
            for kind in [
                [
                    "nordic", "--application-version", "1", "--hw-version", "52", "--sd-req", "0x98",
                    "--debug-mode",
                ],
                ["nordic-legacy"],
            ] {
                let run = try Program.run(
                    ["build", kind[0], folder + "/out.zip", "--application", hex, "--json", "--overwrite"]
                        + kind.dropFirst())
                let warning = try #require(run.events.first { $0["event"] as? String == "warning" })
                #expect(warning["code"] as? String == "image-gap")
                let words = try #require(warning["message"] as? String)
                #expect(
                    words.contains("4 bytes at 0x26000 and 4 bytes at 0x7f000, and the 364540 bytes between"))
                #expect(words.contains("at 0x7f000 bootloaders have their settings"))
            }
        }
    }

    @Test func `builds golden packet A from its image, byte for byte`() throws {
        try Tool.inFolder { folder in
            let key = try Tool.write(Array(Self.sampleKey.utf8), as: "key.pem", in: folder)
            let image = try Tool.write((0..<4100).map { UInt8($0 % 251) }, as: "vector.bin", in: folder)
            let output = "\(folder)/a.zip"
            let run = try Program.run([
                "build", "nordic", output, "--application", image, "--application-version", "1",
                "--hw-version",
                "52", "--sd-req", "0x0100", "--key-file", key,
            ])
            #expect(run.status == 0, "\(run.talk)")
            let made = try NordicPackage(parsing: try Samples.file(at: output))
            let sample = try NordicPackage(parsing: try Samples.bytes("nordic/vector-a.zip"))
            #expect(made.parts[0].initPacket.bytes == sample.parts[0].initPacket.bytes)
            #expect(made.parts[0].image == sample.parts[0].image)
        }
    }

    @Test func `builds a package that inspect and flash accept`() throws {
        let arguments = [
            "--application", Self.application, "--application-version-string", "2.7.31", "--hw-version",
            "0x34",
            "--sd-req", "s132_4.0.2,0xB6", "--key-file", "KEY",
        ]
        try build(arguments) { run, output, folder in
            #expect(run.status == 0, "\(run.talk)")
            #expect(run.output.contains("  version     20731\n"))
            #expect(run.output.contains("  SoftDevices 0x98 (S132 4.0.2), 0xB6 (S140 6.1.1)\n"))
            #expect(!run.output.contains("findings"))
            #expect(run.talk.isEmpty)
            let first = try Samples.file(at: output)
            let again = try Program.run(
                ["build", "nordic", output, "--json"]
                    + arguments.map { $0 == "KEY" ? folder + "/key.pem" : $0 })
            #expect(again.last["event"] as? String == "built")
            #expect(again.last["kind"] as? String == "nordic-secure")
            #expect(try Samples.file(at: output) == first)
            let flash = try Program.run([
                "flash", output, "--adapter", "sim", "--device", "F0:0D:BE:AC:01:01", "--json",
            ])
            #expect(flash.last["event"] as? String == "finished", "\(flash.output)")
        }
    }

    @Test func `builds the same package in every time zone, and on every date`() throws {
        let arguments = [
            "--application", Self.application, "--application-version", "1", "--hw-version", "52", "--sd-req",
            "0x98", "--key-file", "KEY",
        ]
        try build(arguments) { run, output, folder in
            #expect(run.status == 0, "\(run.talk)")
            let first = try Samples.file(at: output)
            for (index, zone) in ["Asia/Kathmandu", "America/St_Johns", "XXX+23:59:59"].enumerated() {
                let other = "\(folder)/\(index).zip"
                let again = try Program.run(
                    ["build", "nordic", other] + arguments.map { $0 == "KEY" ? folder + "/key.pem" : $0 },
                    environment: ["TZ": zone, "SOURCE_DATE_EPOCH": "1700000000"])
                #expect(again.status == 0, "\(again.talk)")
                #expect(try Samples.file(at: other) == first, "\(zone)")
            }
        }
    }

    @Test func `takes the SoftDevice's id from its file, for the application after it`() throws {
        let arguments = [
            "--softdevice", Self.softDevice, "--bootloader", Self.application, "--bootloader-version", "3",
            "--application", Self.application, "--application-version", "7", "--hw-version", "52", "--sd-req",
            "0x91", "--key-file", "KEY",
        ]
        try build(arguments) { run, output, _ in
            #expect(run.status == 0, "\(run.talk)")
            let parts = try NordicPackage(parsing: try Samples.file(at: output)).parts
            #expect(parts.map(\.role) == [.softdeviceBootloader, .application])
            #expect(parts.map(\.initPacket.softDeviceRequirements) == [[0x91, 0x98], [0x98]])
        }
        try build(arguments + ["--sd-id", "0xB6"]) { run, output, _ in
            #expect(run.status == 65)
            #expect(run.talk.contains("has the id 0x98 (S132 4.0.2), which --sd-id does not list"))
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func `warns of an unsigned package, and of a key that others can read`() throws {
        let arguments = [
            "--application", Self.application, "--application-version", "1", "--hw-version", "52", "--sd-req",
            "0x98",
        ]
        try build(arguments) { run, _, _ in
            #expect(run.status == 0)
            #expect(run.output.contains("warning unsigned:"))
        }
        try build(arguments + ["--key-file", "KEY"], keyMode: 0o640) { run, _, _ in
            #expect(run.status == 0)
            #expect(run.talk.contains("can be read by other users"))
        }
    }

    @Test func `has nrfutil's defaults in debug mode, and warns that release bootloaders refuse them`() throws
    {
        try build(["--application", Self.application, "--debug-mode"]) { run, output, _ in
            #expect(run.status == 0)
            let packet = try NordicPackage(parsing: try Samples.file(at: output)).parts[0].initPacket
            #expect(packet.isDebug)
            #expect(packet.firmwareVersion == .max)
            #expect(packet.hardwareVersion == .max)
            #expect(packet.softDeviceRequirements == [0xFFFE])
            #expect(run.output.contains("warning sd-req-wildcard:"))
        }
    }

    @Test func `packs an application for another chip`() throws {
        let arguments = [
            "--application", Self.application, "--application-version", "5", "--hw-version", "52",
            "--external-app", "--key-file", "KEY",
        ]
        try build(arguments) { run, output, _ in
            #expect(run.status == 0)
            let packet = try NordicPackage(parsing: try Samples.file(at: output)).parts[0].initPacket
            #expect(packet.type == .externalApplication)
            #expect(packet.softDeviceRequirements == [0xFFFE])
            #expect(!run.output.contains("findings"))
        }
    }

    @Test func `refuses contradictory options, and writes nothing`() throws {
        let arguments = ["--application", Self.application, "--bootloader", Self.application]
        try build(arguments + ["--application-version", "1"]) { run, output, _ in
            #expect(run.status == 64, "\(run.talk)")
            #expect(run.talk.contains("two packages"), "\(run.talk)")
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func `accepts a SoftDevice only as a SoftDevice, and nothing else as one`() throws {
        let end = ["--hw-version", "52", "--sd-req", "0x98"]
        try build(["--application", Self.softDevice, "--application-version", "1"] + end) { run, _, _ in
            #expect(run.status == 65)
            #expect(run.talk.contains("begins with a SoftDevice"))
        }
        try build(["--softdevice", Self.application] + end) { run, _, _ in
            #expect(run.status == 65)
            #expect(run.talk.contains("is not a SoftDevice"))
        }
    }
}
