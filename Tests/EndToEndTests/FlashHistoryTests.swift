import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A single flash in the history` {
    private static let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
    private static let unit = "F0:00:00:00:00:00"

    private static func tray(_ units: Int = 1, link: String = "{interval_ms: 2, event_ms: 2}") throws -> Tray
    {
        let beacons = (0..<units).map {
            "  - {address: 'F0:00:00:00:00:0\(2 * $0)', name: Lamp \($0), mode: application, key: test, flash: instant}"
        }
        return try Tray(beacons.joined(separator: "\n"), link: link)
    }

    private static func history(_ environment: [String: String], _ more: [String]) throws -> Program.Run {
        try Program.run(["history"] + more, environment: environment)
    }

    @Test func `is one row, marked as single, in the journal of simulated beacons only`() throws {
        let tray = try Self.tray()
        let state = ["XDG_STATE_HOME": tray.folder + "/state"]
        let run = try tray.flash(Self.package, Self.unit, environment: state)
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        let rows = try Self.history(state, ["--simulated", "--json"])
        #expect(rows.names == ["attempt", "history"], "\(rows.output)")
        let row = try #require(rows.first("attempt"))
        #expect(row["outcome"] as? String == "passed" && row["verified"] as? String == "version")
        #expect(row["single"] as? Bool == true && row["simulated"] as? Bool == true)
        #expect(row["tray"] is NSNull && row["version_before"] as? String == "0")
        #expect(row["version_after"] as? String == "2" && row["name"] as? String == "Lamp 0")
        let table = try Self.history(state, ["--simulated"])
        #expect(table.output.contains("passed, simulated") && table.output.contains(" single "))
        let real = try Self.history(state, ["--json"])
        #expect(real.status == 66 && real.last["code"] as? String == "journal-missing")
        #expect((real.last["next_step"] as? String)?.hasPrefix("add --simulated") == true)
    }

    @Test func `is there before the beacon is changed, and has no end after a kill`() throws {
        let tray = try Self.tray(link: "{interval_ms: 15, event_ms: 7.5}")
        let journal = tray.folder + "/journal.sqlite"
        let run = try tray.flash(
            Self.package, Self.unit, ["--journal", journal], signal: (SIGKILL, "speed", 1))
        #expect(run.status == 128 + SIGKILL)
        let cut = try Self.history([:], ["--journal", journal, "--json"])
        #expect(cut.first("attempt")?["outcome"] is NSNull, "\(cut.output)")
        let again = try tray.flash(Self.package, Self.unit, ["--journal", journal, "--scan-for", "1"])
        #expect(again.status == 0, "\(again.talk)")
        let rows = try Self.history([:], ["--journal", journal, "--json"]).events.filter {
            $0["event"] as? String == "attempt"
        }
        #expect(rows.map { $0["outcome"] as? String } == ["passed", nil])
        #expect(rows.allSatisfy { $0["application_address"] as? String == Self.unit + "/random" })
    }

    @Test func `records why it failed, and that the user stopped it`() throws {
        let tray = try Self.tray(link: "{interval_ms: 15, event_ms: 7.5}")
        let journal = tray.folder + "/journal.sqlite"
        let run = try tray.flash(
            Self.package, Self.unit, ["--journal", journal], signal: (SIGINT, "speed", 1))
        #expect(run.status == 130)
        let row = try #require(try Self.history([:], ["--journal", journal, "--json"]).first("attempt"))
        #expect(row["outcome"] as? String == "aborted" && row["code"] as? String == "interrupted", "\(row)")
        #expect((row["state"] as? String)?.contains("bootloader") == true)
    }

    /// Its bootloader has another name, so the next step is the address.
    @Test func `has the next step that was printed`() throws {
        let tray = try Self.tray(link: "{interval_ms: 15, event_ms: 7.5}")
        let journal = tray.folder + "/journal.sqlite"
        let run = try tray.flash(
            Self.package, "name:Lamp*", ["--journal", journal, "--scan-for", "1"],
            signal: (SIGINT, "speed", 1))
        let printed = try #require(run.last["next_step"] as? String)
        #expect(printed.contains("--device \(Self.unit)"), "\(run.output)")
        let row = try #require(try Self.history([:], ["--journal", journal, "--json"]).first("attempt"))
        #expect(row["next_step"] as? String == printed, "\(row)")
    }

    @Test(arguments: [
        ("kind: suota", "dialog/58x.img", "1.2.3"),
        ("kind: mcuboot, firmware_revision: none", "mcuboot/lantern-1.1.0.bin", "1.1.0"),
        ("kind: fbeacon, model: 21, version: 830, updated_version: 840", "feasycom/bp102.fbu", "BP102,8.40"),
        ("mode: application, key: test", "nordic/blinker-1.1.0.zip", "2"),
    ])
    func `has the version of a beacon that needs no update`(
        _ beacon: String, _ file: String, _ version: String
    ) throws {
        let tray = try Tray("  - {address: '\(Self.unit)', name: Tag, flash: instant, \(beacon)}")
        let journal = tray.folder + "/journal.sqlite"
        let package = Samples.root + "/firmware-samples/" + file
        for status in [0, 2] as [Int32] {
            let run = try tray.flash(package, Self.unit, ["--journal", journal])
            #expect(run.status == status, "\(run.output)\(run.talk)")
        }
        let row = try #require(try Self.history([:], ["--journal", journal, "--json"]).first("attempt"))
        #expect(row["outcome"] as? String == "not-needed")
        #expect(row["version_before"] as? String == version, "\(row)")
    }

    @Test func `has the time limit that ended the update, as it was printed`() throws {
        let tray = try Self.tray(link: "{interval_ms: 50, event_ms: 40}")
        let journal = tray.folder + "/journal.sqlite"
        let run = try tray.flash(Self.package, Self.unit, ["--journal", journal, "--timeout", "3"])
        #expect(run.status == 75 && run.last["code"] as? String == "timed-out", "\(run.output)\(run.talk)")
        let row = try #require(try Self.history([:], ["--journal", journal, "--json"]).first("attempt"))
        #expect(row["outcome"] as? String == "aborted" && row["code"] as? String == "timed-out", "\(row)")
        #expect(row["next_step"] as? String == run.last["next_step"] as? String, "\(row)")
    }

    /// A beacon without Device Information: only the update itself reads the version.
    @Test func `has the earlier version although the update was interrupted`() throws {
        let tray = try Tray(
            "  - {address: '\(Self.unit)', name: Tag, kind: mcuboot, firmware_revision: none}",
            link: "{interval_ms: 50, event_ms: 40}")
        let journal = tray.folder + "/journal.sqlite"
        let run = try tray.flash(
            Samples.root + "/firmware-samples/mcuboot/lantern-1.1.0.bin", Self.unit,
            ["--journal", journal], signal: (SIGINT, "speed", 1))
        #expect(run.status == 130, "\(run.output)\(run.talk)")
        let row = try #require(try Self.history([:], ["--journal", journal, "--json"]).first("attempt"))
        #expect(row["outcome"] as? String == "aborted")
        #expect(row["version_before"] as? String == "1.0.0", "\(row)")
    }

    @Test func `is not recorded if nothing is sent, or if the user declines it`() throws {
        let tray = try Self.tray()
        let state = ["XDG_STATE_HOME": tray.folder + "/state"]
        for more in [["--dry-run"], ["--no-journal"]] {
            #expect(try tray.flash(Self.package, Self.unit, more, environment: state).status == 0)
            #expect(!FileManager.default.fileExists(atPath: tray.folder + "/state"))
        }
        let both = try tray.flash(Self.package, Self.unit, ["--no-journal", "--journal", "x"])
        #expect(both.status == 64)
    }

    @Test func `does not fail a good update that cannot be recorded, unless the journal was named`()
        throws
    {
        let tray = try Self.tray()
        let named = try tray.flash(Self.package, Self.unit, ["--journal", "/dev/null/journal.sqlite"])
        #expect(named.status == 66 && named.last["code"] as? String == "journal-closed", "\(named.output)")
        #expect(named.first("phase") == nil)
        let run = try tray.flash(Self.package, Self.unit, environment: ["XDG_STATE_HOME": "/dev/null"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        let warnings = run.events.filter { $0["event"] as? String == "warning" }
        #expect(warnings.map { $0["code"] as? String } == ["flash-unrecorded"])
    }

    @Test func `is recorded together with others at the same moment`() async throws {
        let tray = try Self.tray(4)
        let state = ["XDG_STATE_HOME": tray.folder + "/state"]
        // Each program has simulated air of its own.
        let scenario = tray.scenario
        try await withThrowingTaskGroup(of: Program.Run.self) { group in
            for number in 0..<4 {
                group.addTask {
                    try Program.run(
                        [
                            "flash", Self.package, "--adapter", scenario, "--device",
                            "F0:00:00:00:00:0\(2 * number)", "--json",
                        ], environment: state)
                }
            }
            for try await run in group {
                #expect(run.status == 0, "\(run.output)\(run.talk)")
                #expect(!run.names.contains("warning"), "\(run.output)")
            }
        }
        #expect(try Self.history(state, ["--simulated", "--json"]).last["attempts"] as? Int == 4)
    }

    @Test func `has the requested address at its end, even after it resumed in the bootloader`()
        throws
    {
        let tray = try Self.tray(link: "{interval_ms: 15, event_ms: 7.5}")
        let cut = try tray.flash(Self.package, Self.unit, signal: (SIGINT, "speed", 2))
        #expect(cut.status == 130)
        let again = try Program.run([
            "flash", Self.package, "--adapter", tray.scenario, "--device", Self.unit, "--scan-for", "1",
        ])
        #expect(again.status == 0, "\(again.talk)")
        // Ctrl-C may come before the beacon has any of the image.
        #expect(
            again.talk.contains("the beacon already has")
                || again.talk.contains("the beacon has the init packet"))
        #expect(again.output.contains("done: \(Self.unit), "), "\(again.output)")
    }
}
