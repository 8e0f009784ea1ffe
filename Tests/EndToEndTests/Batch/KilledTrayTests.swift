import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs)
struct `A tray that was killed` {
    /// A unit of each kind, and a package for it.
    static let kinds: [(unit: String, package: String)] = [
        ("kind: nordic-secure, mode: application, key: test", "nordic/blinker-1.1.0.zip"),
        (
            "kind: nordic-legacy, mode: application, application_version: 7", "legacy/generation-05.zip"
        ),
        ("kind: suota", "dialog/58x.img"),
        ("kind: fbeacon, model: 21, version: 830, updated_version: 840", "feasycom/bp102.fbu"),
    ]

    /// What the run installed counts as passed, and everything read from the unit before is kept. The link is slow, so
    /// that the run is not over before the kill.
    @Test(arguments: kinds)
    func `passes when it is resumed after its unit received the install command`(
        _ unit: String, _ package: String
    ) throws {
        let air = try Tray(
            "  - {address: 'F0:00:00:00:02:00', name: Tag, flash: instant, \(unit)}",
            link: "{interval_ms: 50, event_ms: 40}")
        let tray =
            "tray: 1\nfirmware: \(Samples.root)/firmware-samples/\(package)\nslots: [{slot: A1, device: 'F0:00:00:00:02:00'}]\n"
        let file = try air.write(Array(tray.utf8), as: "units.yaml")
        let report = air.folder + "/report.json"
        let arguments = [
            "batch", file, "--adapter", air.scenario, "--journal", air.folder + "/j.sqlite", "--json",
            "--no-golden",
        ]
        let killed = try Program.run(arguments, signal: (SIGKILL, #"phase","name":"rebooting"#, 1))
        #expect(killed.status != 0 && killed.first("batch-finished") == nil, "\(killed.output)")
        let resumed = try Program.run(arguments + ["--resume", "--report", report])
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.talk)")
        let row = try #require((try Self.report(report)["units"] as? [[String: Any]])?.first)
        #expect(
            row["outcome"] as? String == "passed" && row["code"] as? String == "installed-before", "\(row)")
        let attempts = try #require(row["attempts"] as? [[String: Any]])
        #expect(attempts.count == 2 && attempts.last?["verified"] as? String == "version", "\(attempts)")
        #expect(attempts.last?["version_after"] is String)
        let before = attempts.first?["version_before"] as? String
        #expect(before != nil && before != attempts.last?["version_after"] as? String, "\(attempts)")
        #expect(attempts.first?["next_step"] as? String == "continue with --resume", "\(attempts)")
        let sessions = try #require(try Self.report(report)["sessions"] as? [[String: Any]])
        let adapters = sessions.compactMap { ($0["adapters"] as? [[String: Any]])?.first }
        #expect(adapters.map { $0["most_links"] is NSNull } == [true, false])
    }

    /// The attempt that was killed has read it; the unit is in its bootloader after that.
    @Test func `compares the version with that before when it is resumed`() throws {
        let bench = try BatchBench(
            1, link: "{interval_ms: 15, event_ms: 7.5}", of: { _ in ", firmware_revision: dotted" })
        let killed = try bench.run(["--no-golden"], signal: (SIGKILL, "progress", 2))
        #expect(killed.status != 0 && killed.first("batch-finished") == nil, "\(killed.output)")
        let resumed = try bench.run(["--no-golden", "--resume"])
        #expect(resumed.status == 0, "\(resumed.output)\(resumed.talk)")
        let end = try #require(resumed.first("finished"))
        #expect(end["version_from"] as? String == "0.0.0" && end["version"] as? String == "0.0.2", "\(end)")
        #expect(try bench.isRight(0))
    }

    /// A kill often leaves a unit in its bootloader. Its earlier version is unknown then, and its present one is the
    /// package's.
    @Test func `passes when only its Legacy bootloader is left`() throws {
        let unit = "kind: nordic-legacy, mode: bootloader, application_version: 7"
        let air = try Tray("  - {address: 'F0:00:00:00:02:00', name: Tag, flash: instant, \(unit)}")
        let tray =
            "tray: 1\nfirmware: \(Samples.root)/firmware-samples/legacy/generation-05.zip\n"
            + "slots: [{slot: A1, device: 'F0:00:00:00:02:00'}]\n"
        let file = try air.write(Array(tray.utf8), as: "units.yaml")
        let run = try Program.run([
            "batch", file, "--adapter", air.scenario, "--journal", air.folder + "/j.sqlite", "--json",
            "--no-golden",
        ])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.first("finished")?["verified"] as? String == "version", "\(run.output)")
    }

    private static func report(_ path: String) throws -> [String: Any] {
        let record = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        return record as? [String: Any] ?? [:]
    }
}
