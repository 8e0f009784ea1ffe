import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program flashing a simulated device with SUOTA` {
    private static let image = Samples.root + "/firmware-samples/dialog/58x.img"
    private static let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
    private static let beacon = "  - {address: 'F0:00:00:00:00:00', kind: suota, flash: instant}"

    /// Chunks of one byte take a while.
    private static let slowly = ["--chunk-size", "1", "--block-size", "64"]

    @Test(arguments: [
        ("da14585", "58x"), ("da14531", "58x"), ("da14683", "68x"), ("da14683-channel", "68x"),
        ("da14695", "69x"),
        ("da14695-channel", "69x"),
    ])
    func `updates every family with an image of its own`(kind: String, header: String) throws {
        let tray = try Tray(Self.beacon.dropLast() + ", personality: \(kind)}")
        let code = try tray.write(
            (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }, as: "app.bin")
        let file = tray.folder + "/app.img"
        let build = try Program.run([
            "build", "suota", code, file, "--header", header, "--version", "2.0.0", "--timestamp",
            "2026-01-31T12:00:00Z",
        ])
        #expect(build.status == 0, "\(build.talk)")
        let run = try tray.flash(file, "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
        #expect(run.last["firmware_revision"] as? String == "2.0.0")
        #expect(run.last["version_from"] as? String == "1.0.0")
    }

    /// The samples, built by a script in another language.
    @Test(arguments: [
        ("da14580", "58x-27000.img"), ("da14585", "58x.img"), ("da14531", "531.img"), ("da14683", "68x.img"),
        ("da14683-channel", "68x-filled.img"), ("da14695-channel", "69x.img"),
    ])
    func `updates every family with an independently built image`(kind: String, file: String) throws {
        let tray = try Tray(Self.beacon.dropLast() + ", personality: \(kind), pins: any}")
        let run = try tray.flash(Samples.root + "/firmware-samples/dialog/" + file, "F0:00:00:00:00:00")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], ["da14585", "da14531"])
    func `does not promise to resume when the device keeps nothing`(
        _ signal: Int32, kind: String
    ) throws {
        let tray = try Tray(Self.beacon.dropLast() + ", personality: \(kind)}", link: "{interval_ms: 15}")
        let run = try tray.flash(
            Self.image, "F0:00:00:00:00:00", Self.slowly, signal: (signal, "block", 2))
        #expect(run.status == 130)
        #expect(run.last["code"] as? String == "interrupted")
        #expect(run.last["during"] as? String == "transferring")
        let advice = try #require(run.last["next_step"] as? String)
        #expect(advice.contains("starts at the first byte"))
        #expect(!advice.contains("goes on there"))
        let again = try tray.flash(Self.image, "F0:00:00:00:00:00")
        #expect(again.last["verified"] as? String == "version", "\(again.talk)")
        #expect(!again.names.contains("resumed"))
    }

    @Test func `survives the loss of its terminal if it was started so`() throws {
        let tray = try Tray(Self.beacon)
        let words = [
            "flash", Self.image, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:00", "--json",
        ]
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // As nohup does; the signal comes while the run is under way.
        process.arguments =
            [
                "-c", "trap '' HUP; \"$0\" \"$@\" & sleep 0.5; kill -HUP $!; wait $!", Program.path,
            ] + words + ["--chunk-size", "1", "--block-size", "64"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `names the characteristics of a device's service`() throws {
        let tray = try Tray(Self.beacon)
        let run = try Program.run([
            "info", "--adapter", tray.scenario, "--device", "F0:00:00:00:00:00", "--scan-for", "0.5",
        ])
        for name in [
            "Memory Device", "GPIO Map", "Memory Information", "Patch Length", "Patch Data", "Status",
            "Version",
            "Patch Data Size", "MTU",
        ] { #expect(run.output.contains("SUOTA \(name)"), "\(name)") }
    }

    @Test func `explains a code in any spelling, and warns with one`() throws {
        #expect(
            try Program.run(["explain", "WRONG-PINS"]).output
                == Program.run(["explain", "wrong-pins"]).output)
        let tray = try Tray("  - {address: 'F0:00:00:00:00:00', name: One, flash: instant}")
        let unsigned = Samples.root + "/firmware-samples/nordic/blinker-unsigned.zip"
        let run = try Program.run([
            "flash", unsigned, "--adapter", tray.scenario, "--device", "F0:00:00:00:00:01", "--dry-run",
        ])
        #expect(run.talk.contains("warning unsigned: "))
    }

    @Test func `refuses a file for beacons of another kind, without connecting`() throws {
        let run = try Tray(Self.beacon).flash(Self.package, "F0:00:00:00:00:00")
        #expect(run.status == 1)
        #expect(run.last["code"] as? String == "wrong-device")
        #expect((run.last["message"] as? String)?.contains("takes suota, but") ?? false)
        #expect(!run.names.contains("connected"))
    }

    @Test(arguments: [
        (["--bank", "1"], "running-bank-risk"), (["--block-size", "63"], "block-size-invalid"),
        (["--transport", "l2cap"], "channel-missing"),
    ])
    func `refuses without the radio what needs no device`(_ options: [String], code: String) throws {
        let arguments = options + ["--dry-run"]
        let run = try Program.run(
            ["flash", Self.image, "--adapter", "hci77", "--device", "F0:00:00:00:00:00", "--json"] + arguments
        )
        #expect(run.last["code"] as? String == code)
        #expect(run.names == ["failed"])
    }

    @Test func `sends blocks of the requested size`() throws {
        let run = try Tray(Self.beacon).flash(Self.image, "F0:00:00:00:00:00", ["--block-size", "100"])
        #expect(run.last["verified"] as? String == "version")
        #expect(run.first("block")?["blocks"] as? Int == 11)
    }

    @Test func `reports that a device is in range under the other kind of address`() throws {
        let run = try Tray(Self.beacon).flash(Self.image, "F0:00:00:00:00:00/public", ["--scan-for", "0.5"])
        #expect(run.status == 3)
        #expect((run.last["next_step"] as? String)?.contains("F0:00:00:00:00:00/random") ?? false)
    }

    @Test func `uses the device's reported chip only to rule out another family`() throws {
        let tray = try Tray(Self.beacon.dropLast() + ", personality: da14683}")
        var run = try tray.flash(Self.image, "F0:00:00:00:00:00")
        #expect(run.last["code"] as? String == "wrong-family")
        run = try tray.flash(Self.image, "F0:00:00:00:00:00", ["--force", "wrong-family"])
        #expect(run.last["code"] as? String == "invalid-image-header")
    }

    @Test(arguments: [true, false])
    func `waits for a device that checks a signature, if requested`(_ holds: Bool) throws {
        let tray = try Tray(
            Self.beacon.dropLast() + ", signature_check_ms: 1500, refuses_signature: \(!holds)}")
        let run = try tray.flash(Self.image, "F0:00:00:00:00:00", ["--await-signature"])
        #expect(run.status == (holds ? 0 : 1))
        #expect(run.last["code"] as? String == (holds ? nil : "image-refused"))
    }

    @Test func `refuses contradictory options`() throws {
        for options in [["--transport", "l2cap", "--block-size", "240"], ["--expect-version", ""]] {
            #expect(try Tray(Self.beacon).flash(Self.image, "F0:00:00:00:00:00", options).status == 64)
        }
    }

    @Test func `logs every event for troubleshooting`() throws {
        let tray = try Tray(Self.beacon)
        let log = tray.folder + "/log.txt"
        let run = try tray.flash(
            Self.image, "F0:00:00:00:00:00", ["--log-level", "debug", "--log-file", log])
        #expect(run.status == 0)
        let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
        #expect(text.contains("connected") && text.contains("reboot sent"))
        #expect(!text.contains("UpdateCore."))
    }
}
