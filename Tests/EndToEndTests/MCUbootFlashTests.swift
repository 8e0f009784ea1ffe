import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program updating beacons with MCUboot` {
    private static let samples = Samples.root + "/firmware-samples/mcuboot/"
    private static let image = samples + "lantern-1.1.0.bin"
    private static let device = "F0:00:00:00:03:00"
    private static let beacon = beacon("")

    private static func beacon(_ more: String, at address: String = device) -> String {
        "  - {address: '\(address)', kind: mcuboot, flash: instant, swap_ms: 3000\(more)}"
    }

    @Test(arguments: [
        "lantern-1.1.0.bin", "lantern-1.1.0.hex", "lantern-1.1.0.zip", "lantern-1.1.0-format-0.zip",
    ])
    func `verifies the image by its hash`(file: String) throws {
        let tray = try Tray(Self.beacon)
        let run = try tray.flash(Self.samples + file, Self.device)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
        #expect(run.last["firmware_revision"] as? String == "1.1.0")
        #expect(run.last["version_from"] as? String == "1.0.0")
        let again = try tray.flash(Self.samples + file, Self.device)
        #expect(again.last["code"] as? String == "same-version", "\(again.output)")
    }

    @Test(arguments: [
        (", applications: [{version: 1.1.0, crashes: true}]", "image-reverted"),
        (", key_hash: '\(String(repeating: "00", count: 32))'", "refused-at-boot"),
        (", prevents_downgrade: true, version: 2.0.0", "downgrade-prevented"),
        (", faults: [{refuse_confirm: 1}]", "confirm-refused"),
        (", mtu: 23", "packets-too-small"),
    ])
    func `names why an image does not run`(more: String, code: String) throws {
        let run = try Tray(Self.beacon(more)).flash(Self.image, Self.device)
        #expect(run.status == 1, "\(run.output)")
        #expect(run.last["code"] as? String == code, "\(run.output)")
        #expect(run.last["next_step"] is String)
    }

    @Test func `prints warnings of an update with --quiet too`() throws {
        let tray = try Tray(Self.beacon)
        let run = try Program.run([
            "flash", Self.image, "--device", Self.device, "--adapter", tray.scenario, "--confirm", "test",
            "--quiet",
        ])
        #expect(run.status == 0 && run.talk.contains("image-in-test"), "\(run.talk)")
        #expect(!run.talk.contains("connected to"), "\(run.talk)")
    }

    @Test func `goes on after it was killed, and does not send again what is there`() throws {
        let tray = try Tray(Self.beacon(", reassembles: true"), link: "{interval_ms: 50}")
        let killed = try tray.flash(Self.image, Self.device, signal: (SIGKILL, "progress", 2))
        #expect(killed.status != 0)
        let run = try tray.flash(Self.image, Self.device)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
    }

    /// The first run leaves the image in test, and the second only confirms it.
    @Test func `says that nothing was sent if the image is there already`() throws {
        let tray = try Tray(Self.beacon)
        let journal = tray.folder + "/journal.sqlite"
        let first = try tray.flash(Self.image, Self.device, ["--confirm", "test", "--journal", journal])
        #expect(first.status == 0 && first.last["limited_by"] is String, "\(first.output)")
        let row = try Program.run(["history", "--journal", journal, "--json"]).first("attempt")
        #expect((row?["warnings"] as? String)?.hasPrefix("image-in-test: ") == true, "\(row ?? [:])")
        let second = try tray.flash(Self.image, Self.device)
        #expect(second.status == 0 && second.last["verified"] as? String == "version", "\(second.output)")
        #expect(second.last["limited_by"] is NSNull && second.last["hint"] is NSNull, "\(second.output)")
    }

    /// Its version comes from the list of images, and the one after it needs the one before it.
    @Test func `installs what a catalogue selects, step by step`() throws {
        let tray = try Tray(Self.beacon(", name: Lantern 7, version: 0.9.0"))
        try FileManager.default.createDirectory(
            atPath: tray.folder + "/catalogue", withIntermediateDirectories: false)
        let sums = String(decoding: try Samples.bytes("SHA256SUMS"), as: UTF8.self).split(separator: "\n")
        var releases = ""
        for (version, more) in [("1.0.0", ""), ("1.1.0", ", through: 1.0.0")] {
            let file = "lantern-\(version).bin"
            _ = try tray.write(try Samples.bytes("mcuboot/" + file), as: "catalogue/" + file)
            let sum = try #require(sums.first { $0.hasSuffix("mcuboot/\(file)") }).prefix(64)
            releases += "      - {version: \(version), file: \(file), sha256: \(sum)\(more)}\n"
        }
        _ = try tray.write(
            Array(
                """
                catalogue: 1
                models:
                  - model: Lantern
                    kind: mcuboot
                    recognised_by: {name: 'Lantern*'}
                    versions: dotted
                    version_from: firmware-revision
                    firmware:
                \(releases)
                """.utf8), as: "catalogue/lantern.yml")
        func flash() throws -> Program.Run {
            try Program.run([
                "flash", "--from-catalogue", "--catalogue", tray.folder + "/catalogue", "--adapter",
                tray.scenario, "--device", Self.device, "--scan-for", "3", "--json",
            ])
        }
        for (from, to) in [("0.9.0", "1.0.0"), ("1.0.0", "1.1.0")] {
            let run = try flash()
            #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.output)")
            #expect(run.first("match")?["version"] as? String == to)
            #expect(run.first("started")?["version_from"] as? String == from)
        }
        #expect(try flash().last["code"] as? String == "up-to-date")
    }

    @Test func `shows slots, bootloader and buffers`() throws {
        let tray = try Tray(Self.beacon)
        let run = try Program.run(["info", "--adapter", tray.scenario, "--device", Self.device, "--json"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.output.contains("swap-move"), "\(run.output)")
        #expect(run.output.contains("1.0.0"))
    }

    /// The tray of the issue: eight beacons, of which two revert and one loses its power in the exchange of images.
    @Test func `updates a tray, and names the units that went back`() throws {
        let addresses = (0..<8).map { "F0:00:00:00:03:0\($0)" }
        let reverts = ", applications: [{version: 1.1.0, crashes: true}]"
        let air = try Tray(
            addresses.enumerated().map { index, address in
                let more =
                    [2, 5].contains(index) ? reverts : index == 3 ? ", faults: [{power_loss_in_swap: 1}]" : ""
                return Self.beacon(more, at: address)
            }.joined(separator: "\n"))
        let units = addresses.enumerated().map { "  - {slot: A\($0 + 1), device: '\($1)'}" }
        let tray = "tray: 1\nfirmware: \(Self.image)\nslots:\n" + units.joined(separator: "\n") + "\n"
        let file = try air.write(Array(tray.utf8), as: "units.yaml")
        let arguments = [
            "batch", file, "--adapter", air.scenario, "--journal", air.folder + "/journal.sqlite", "--json",
            "--no-golden",
        ]
        let run = try Program.run(arguments)
        let outcomes = BatchBench.outcomes(run)
        for index in 0..<8 {
            #expect(
                outcomes["A\(index + 1)"] == ([2, 5].contains(index) ? "failed" : "passed"),
                "A\(index + 1): \(run.output)")
        }
        let codes = run.events.compactMap { $0["code"] as? String }
        #expect(codes.contains("image-reverted"))
    }

    /// A kill at any phase leaves a unit that the resumed run verifies. The link is slow, so that the run is not over
    /// before the kill.
    @Test(arguments: ["transferring", "activating", "rebooting", "verifying"])
    func `passes a unit when a killed tray is resumed`(phase: String) throws {
        let air = try Tray(Self.beacon, link: "{interval_ms: 50, event_ms: 40}")
        let tray = "tray: 1\nfirmware: \(Self.image)\nslots: [{slot: A1, device: '\(Self.device)'}]\n"
        let file = try air.write(Array(tray.utf8), as: "units.yaml")
        let arguments = [
            "batch", file, "--adapter", air.scenario, "--journal", air.folder + "/j.sqlite", "--json",
            "--no-golden",
        ]
        let killed = try Program.run(arguments, signal: (SIGKILL, #"phase","name":"\#(phase)"#, 1))
        #expect(killed.status != 0 && killed.first("batch-finished") == nil, "\(killed.output)")
        let resumed = try Program.run(arguments + ["--resume"])
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.talk)")
        #expect(BatchBench.outcomes(resumed) == ["A1": "passed"], "\(resumed.output)")
    }
}
