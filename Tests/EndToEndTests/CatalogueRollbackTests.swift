import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A catalogue that was signed before another one` {
    private static let unit = "F0:00:00:00:00:00"

    /// A beacon, and a catalogue whose releases are signed one after the other.
    private struct Bench {
        let tray: Tray
        var folder: String { tray.folder + "/c" }
        var key: String { tray.folder + "/key.pem" }
        var journal: String { tray.folder + "/journal.sqlite" }

        init() throws {
            tray = try Tray(
                "  - {address: '\(unit)', name: Lamp 7, mode: application, key: test, flash: instant}")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(try Program.run(["keys", "generate", key]).status == 0)
            let package = try Samples.bytes("nordic/blinker-1.0.0.zip")
            try Data(package).write(to: URL(filePath: folder + "/lamp.zip"))
        }

        /// The content of the catalogue: the first release, and with `isWithdrawn` that it is withdrawn.
        func write(withdrawn isWithdrawn: Bool) throws {
            let sum = "9e4d820aab7f5debe1802da1902d9fbb40a542fcb566f99d05a5467d69aef4e7"
            let text = """
                catalogue: 1
                models:
                  - model: Lamp
                    kind: nordic-secure
                    recognised_by: {name: 'Lamp*'}
                    versions: number
                    firmware:
                      - {version: 1, file: lamp.zip, sha256: \(sum)\(isWithdrawn ? ", withdrawn: it burns" : "")}

                """
            try Data(text.utf8).write(to: URL(filePath: folder + "/lamp.yaml"))
        }

        @discardableResult func sign(_ more: [String] = []) throws -> Program.Run {
            let run = try Program.run(
                [
                    "catalogue", "sign", folder, "--key", key, "--expires", "2100-01-01T00:00:00Z", "--json",
                ] + more)
            #expect(run.status == 0, "\(run.output)\(run.talk)")
            return run
        }

        func flash(_ more: [String] = []) throws -> Program.Run {
            try Program.run(
                [
                    "flash", "--from-catalogue", "--catalogue", folder, "--require-signed-catalogue", key,
                    "--adapter", tray.scenario, "--device", unit, "--scan-for", "0.5", "--json",
                ] + (more.contains("--no-journal") ? [] : ["--journal", journal]) + more)
        }

        func batch(_ more: [String] = []) throws -> Program.Run {
            try Program.run(
                [
                    "batch", "--rule", "name=Lamp*", "--scan-for", "0.5", "--catalogue", folder,
                    "--require-signed-catalogue", key, "--adapter", tray.scenario, "--journal", journal,
                    "--json",
                ] + more)
        }
    }

    @Test func `is refused if the later one was seen, unless the user accepts the risk by its name`() throws {
        let bench = try Bench()
        try bench.write(withdrawn: false)
        #expect(try bench.sign().last["counter"] as? Int == 1)
        let old = try Samples.file(at: bench.folder + "/catalogue.seal")
        try bench.write(withdrawn: true)
        #expect(try bench.sign().last["counter"] as? Int == 2)
        #expect(try bench.flash().last["code"] as? String == "no-firmware")

        try bench.write(withdrawn: false)
        try Data(old).write(to: URL(filePath: bench.folder + "/catalogue.seal"))
        for run in [try bench.flash(), try bench.flash(["--dry-run"]), try bench.batch()] {
            #expect(
                run.status == 65 && run.last["code"] as? String == "catalogue-rolled-back", "\(run.output)")
        }
        let taken = try bench.flash(["--force", "older-catalogue"])
        #expect(taken.status == 0, "\(taken.output)\(taken.talk)")
        // The later one stays remembered.
        #expect(try bench.flash().last["code"] as? String == "catalogue-rolled-back")
    }

    @Test func `counts as another catalogue if it has the number of one that was seen`() throws {
        let bench = try Bench()
        try bench.write(withdrawn: true)
        try bench.sign()
        #expect(try bench.batch().last["code"] as? String != "catalogue-number-reused")
        try bench.write(withdrawn: false)
        let run = try bench.sign(["--counter", "1"])
        #expect(run.first("warning")?["code"] as? String == "catalogue-rolled-back")
        #expect(try bench.flash().last["code"] as? String == "catalogue-number-reused")
        try bench.sign(["--counter", "7"])
        #expect(try bench.flash().status == 0)
    }

    @Test func `is not detected without a record of the later one`() throws {
        let bench = try Bench()
        try bench.write(withdrawn: true)
        try bench.sign(["--counter", "5"])
        #expect(try bench.flash(["--no-journal"]).last["code"] as? String == "no-firmware")
        try bench.write(withdrawn: false)
        try bench.sign(["--counter", "4"])
        #expect(try bench.flash(["--no-journal"]).status == 0)
    }

    @Test func `is refused by read-only commands too`() throws {
        let bench = try Bench()
        let state = ["XDG_STATE_HOME": bench.tray.folder + "/state"]
        try bench.write(withdrawn: true)
        try bench.sign(["--counter", "5"])
        // Simulated beacons have a journal of their own; this test is about the regular one.
        let seen = try Program.run(
            [
                "batch", "--rule", "name=Lamp*", "--scan-for", "0.5", "--catalogue", bench.folder,
                "--require-signed-catalogue", bench.key, "--adapter", bench.tray.scenario, "--journal",
                bench.tray.folder + "/state/beacon-dfu/journal.sqlite", "--json",
            ])
        #expect(seen.last["code"] as? String != "catalogue-rolled-back")
        try bench.sign(["--counter", "4"])
        for command in ["list", "check"] {
            let run = try Program.run(
                [
                    "catalogue", command, "--catalogue", bench.folder, "--require-signed-catalogue",
                    bench.key,
                    "--json",
                ], environment: state)
            #expect(
                run.status == 65 && run.last["code"] as? String == "catalogue-rolled-back", "\(run.output)")
        }
    }

    @Test func `has no number if an earlier version signed it, and is valid while no other has one`()
        throws
    {
        let bench = try Bench()
        try bench.write(withdrawn: false)
        try bench.sign()
        let seal = String(decoding: try Samples.file(at: bench.folder + "/catalogue.seal"), as: UTF8.self)
        #expect(seal.hasPrefix("seal: 2\ncounter: 1\nexpires: 4102444800\n"), "\(seal)")
        for (words, message) in [
            ("seal: 1\n", "line 2"), ("seal: 2\ncounter: 0\n", "from 1 on"), ("seal: 2\n", "counter"),
            ("seal: 3\n", "only versions 1 and 2"),
        ] {
            let changed =
                words + (words == "seal: 1\n" ? "counter: 1\n" : "")
                + seal.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(
                    separator: "\n")
            try Data(changed.utf8).write(to: URL(filePath: bench.folder + "/catalogue.seal"))
            let run = try bench.flash()
            #expect(run.last["code"] as? String == "catalogue-signature-invalid", "\(words): \(run.output)")
            #expect((run.last["message"] as? String)?.contains(message) == true, "\(words): \(run.output)")
        }
    }
}
