import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `Flashing the release that a catalogue selects` {
    private static let unit = "F0:00:00:00:00:00"
    private static let beacon =
        "  - {address: '\(unit)', name: Lamp 7, mode: application, key: test, flash: instant}"
    private static let tray = "sim:" + Samples.root + "/manifests/scenarios/tray.yaml"

    /// A tray with a catalogue of two releases in the same folder, the later of which requires the earlier one.
    private static func lamps(
        _ family: String = "", release: String = "", beacon: String = beacon,
        link: String = "{interval_ms: 2, event_ms: 2}"
    ) throws -> Tray {
        let tray = try Tray(beacon, link: link)
        var releases = ""
        for (version, name) in [(1, "blinker-1.0.0.zip"), (2, "blinker-1.1.0.zip")] {
            let bytes = try Samples.bytes("nordic/" + name)
            _ = try tray.write(bytes, as: name)
            releases +=
                "      - {version: \(version), file: \(name), sha256: \(sums[version - 1])\(version == 2 ? release : "")}\n"
        }
        _ = try tray.write(
            Array(
                """
                catalogue: 1
                models:
                  - model: Lamp
                    kind: nordic-secure
                    recognised_by: {name: 'Lamp*'}
                    versions: number
                    version_from: firmware-revision
                \(family)
                    firmware:
                \(releases)
                """.utf8), as: "lamp.yml")
        try FileManager.default.moveItem(
            atPath: tray.folder + "/tray.yaml", toPath: tray.folder + "/tray.scenario")
        return tray
    }

    private static let sums = [
        "9e4d820aab7f5debe1802da1902d9fbb40a542fcb566f99d05a5467d69aef4e7",
        "2af350cb9bda59eee6f4cc74bcbf1d5cd3fbf27143a3a9fc2b476fda2826ae5a",
    ]

    private static func flash(_ tray: Tray, _ more: [String] = ["--json"]) throws -> Program.Run {
        try Program.run(
            [
                "flash", "--from-catalogue", "--catalogue", tray.folder, "--adapter",
                "sim:\(tray.folder)/tray.scenario", "--device", unit, "--scan-for", "0.5",
            ] + more)
    }

    @Test func `reads the beacon's version, and takes every step with the same command`() throws {
        let tray = try Self.lamps(release: ", through: 1")
        let first = try Self.flash(tray)
        #expect(first.status == 0, "\(first.output)\(first.talk)")
        #expect(first.names.prefix(2) == ["match", "started"])
        #expect(first.first("match")?["version"] as? String == "1")
        #expect(first.first("started")?["version_from"] as? String == "0")
        #expect(
            first.last["verified"] as? String == "version" && first.last["next_version"] as? String == "2")
        let second = try Self.flash(tray, [])
        #expect(second.status == 0, "\(second.talk)")
        #expect(second.talk.contains("\(Self.unit): installing Lamp version 2, replacing 1\n"))
        #expect(second.output.contains("verified: the application reports version 2"))
        #expect(!second.output.contains("the same command installs"))
        let third = try Self.flash(tray)
        #expect(third.status == 2 && third.last["code"] as? String == "up-to-date")
        #expect(third.names == ["match", "failed"])
    }

    /// Its name is that of the family, whose version only a connection would report.
    @Test func `does not connect to a beacon that only its vendor can update`() throws {
        let other =
            "  - {address: '\(Self.unit)', mode: application, key: test, flash: instant, advertises: "
            + "{kind: kontakt, version: '4.2', name: Lamp 7, period_ms: 100}}"
        for release in ["", ", channel: beta"] {
            let run = try Self.flash(try Self.lamps(release: release, beacon: other))
            #expect(run.status == 1 && run.last["code"] as? String == "vendor-only", "\(run.output)")
            #expect(!run.names.contains("connected") && !run.names.contains("started"))
        }
    }

    @Test func `sends nothing that differs from the catalogue`() throws {
        let tray = try Self.lamps()
        _ = try tray.write(try Samples.bytes("nordic/blinker-unsigned.zip"), as: "blinker-1.1.0.zip")
        let run = try Self.flash(tray)
        #expect(run.status == 65 && run.last["code"] as? String == "catalogue-hash-mismatch")
        #expect(!run.names.contains("started"))
    }

    @Test func `reports with --dry-run what it would send`() throws {
        let tray = try Self.lamps(release: ", through: 1")
        let run = try Self.flash(tray, ["--json", "--dry-run"])
        #expect(run.status == 0 && run.last["dry_run"] as? Bool == true)
        #expect(run.last["next_version"] as? String == "2")
        #expect(try Self.flash(tray, ["--dry-run"]).output.contains("would send 12288 bytes to \(Self.unit)"))
    }

    @Test func `takes beta releases only on request`() throws {
        let tray = try Self.lamps(release: ", channel: beta")
        #expect(
            try Self.flash(tray, ["--json", "--dry-run"]).first("match")?["version"] as? String == "1")
        #expect(
            try Self.flash(tray, ["--json", "--dry-run", "--beta"]).first("match")?["version"] as? String
                == "2")
    }

    @Test func `uses the family's settings unless others are given`() throws {
        let receipts = try Self.lamps("    flash: {prn: 3, attempts: 2}\n")
        #expect(try Self.flash(receipts, ["--json", "--dry-run"]).status == 0)
        let wrong = try Self.flash(try Self.lamps("    flash: {prn: many}\n"))
        #expect(wrong.status == 65 && wrong.last["code"] as? String == "catalogue-invalid")
        #expect(
            (wrong.last["message"] as? String)?.contains("lamp.yml: line 3, column 5: 'flash' of Lamp")
                == true)
    }

    @Test func `refuses a charge below the family's limit, unless the user allows less`() throws {
        let low = ["--device", "DC:0D:30:00:00:05", "--scan-for", "3", "--json", "--dry-run"]
        let base = ["flash", "--from-catalogue", "--catalogue", Samples.root + "/manifests"]
        let run = try Program.run(base + ["--adapter", Self.tray] + low)
        #expect(run.status == 1 && run.last["code"] as? String == "battery-low")
        let allowed = try Program.run(base + ["--adapter", Self.tray, "--min-battery", "0"] + low)
        #expect(allowed.status == 0, "\(allowed.last)")
    }

    @Test(
        arguments: [
            ("DC:0D:30:00:00:01", 2, "up-to-date"), ("DC:0D:30:00:00:06", 1, "no-firmware"),
            ("DC:0D:30:00:00:07", 1, "wrong-model"), ("E4:11:22:33:44:01", 1, "vendor-only"),
            ("DD:88:00:00:00:03", 1, "not-listed"), ("F0:0D:BE:AC:31:01", 1, "release-unknown"),
        ] as [(String, Int32, String)])
    func `ends with a code of its own if there is nothing to install`(
        device: String, status: Int32, code: String
    ) throws {
        let run = try Program.run([
            "flash", "--from-catalogue", "--catalogue", Samples.root + "/manifests", "--adapter", Self.tray,
            "--device", device, "--scan-for", "3", "--json",
        ])
        #expect(run.status == status && run.last["code"] as? String == code, "\(run.output)")
        #expect(run.first("match") != nil && run.last["device_state"] is NSNull)
    }

    @Test func `cannot decide for a beacon that does not report its model either`() throws {
        let run = try Program.run([
            "flash", "--from-catalogue", "--catalogue", Samples.root + "/manifests", "--adapter", Self.tray,
            "--device", "name:Stranger", "--scan-for", "3", "--json",
        ])
        #expect(run.status == 1 && run.last["code"] as? String == "device-unknown", "\(run.output)")
    }

    /// So slow that an update is interrupted long before its end.
    private static let slow = "{interval_ms: 15, event_ms: 7.5}"

    @Test func `does not know which release an interrupted unit was to get`() throws {
        let tray = try Self.lamps(link: Self.slow)
        let scenario = "sim:\(tray.folder)/tray.scenario"
        let journal = ["--journal", tray.folder + "/journal.sqlite", "--json"]
        let cut = try Program.run(
            [
                "flash", tray.folder + "/blinker-1.1.0.zip", "--adapter", scenario, "--device", Self.unit,
            ] + journal, signal: (SIGINT, "progress", 1))
        #expect(cut.status == 130)
        let run = try Self.flash(tray, ["--no-journal", "--json"])
        #expect(run.status == 1 && run.last["code"] as? String == "release-unknown", "\(run.output)")
        let step = try #require(run.last["next_step"] as? String)
        #expect(step.contains("flash FILE --device F0:00:00:00:00:01 --adapter \(scenario)"), "\(step)")
        // The journal knows it.
        let known = try Self.flash(tray, journal)
        #expect(known.status == 1 && known.last["code"] as? String == "release-unknown", "\(known.output)")
        let way = try #require(known.last["next_step"] as? String)
        let words = try #require(way.split(separator: "`").last).split(separator: " ").map(String.init)
        #expect(words.contains(tray.folder + "/blinker-1.1.0.zip"), "\(way)")
        let whole = try Program.run(words.dropFirst() + ["--json"])
        #expect(whole.status == 0 && whole.last["verified"] as? String == "version", "\(whole.output)")
    }

    @Test func `reports how to continue an interrupted unit, with its package`() throws {
        let tray = try Self.lamps(link: Self.slow)
        let cut = try Program.run(
            [
                "flash", "--from-catalogue", "--catalogue", tray.folder, "--adapter",
                "sim:\(tray.folder)/tray.scenario", "--device", Self.unit, "--scan-for", "0.5", "--json",
            ], signal: (SIGINT, "progress", 1))
        #expect(cut.status == 130)
        let step = try #require(cut.last["next_step"] as? String)
        let words = try #require(step.split(separator: "`").last { $0.hasPrefix("beacon-dfu flash ") })
            .split(separator: " ").map(String.init)
        #expect(words.contains(tray.folder + "/blinker-1.1.0.zip"), "\(step)")
        let run = try Program.run(
            words.dropFirst() + ["--adapter", "sim:\(tray.folder)/tray.scenario", "--json"])
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.output)")
    }

    @Test(arguments: [
        [], ["a.zip", "--from-catalogue"], ["a.zip", "--beta"], ["a.zip", "--catalogue", "mine"],
    ])
    func `selects the release, so a file cannot be given as well`(arguments: [String]) throws {
        let run = try Program.run(["flash", "--adapter", "sim", "--device", Self.unit] + arguments)
        #expect(run.status == 64)
    }
}
