import Foundation
import TestSupport
import Testing

/// KBeacons of both generations on a tray, with every possible problem.
private final class KBeaconTray {
    static let password = "Bench-07"
    static let mixed = [
        "generation: 2, session: {password: \(password)}",
        "generation: 2, session: {answers: split, piece_size: 30, buttonless_needs_session: true}",
        "generation: 1, session: {answers: report, foreign_read: refusal}",
        "generation: 2, session: {password: another-one}",
        "generation: 2, session: {capabilities: 0x3FFFF}",
        "generation: 1, session: {busy_commands: 1}",
    ]

    private static func address(_ index: Int) -> String {
        "DD:34:02:06:00:0" + String(2 * index, radix: 16, uppercase: true)
    }

    let air: Tray
    let journal: String

    init(_ units: [String] = mixed) throws {
        air = try Tray(
            units.enumerated().map {
                "  - {kind: kbeacon, address: '\(Self.address($0))', key: test, flash: instant, "
                    + "application_version: 1, \($1)}"
            }.joined(separator: "\n"))
        journal = air.folder + "/journal.sqlite"
        let slots = units.indices.map { "  - {slot: K\($0 + 1), device: '\(Self.address($0))'}" }
        _ = try air.write(
            Array(
                "tray: 1\nfirmware: \(BatchBench.package)\nslots:\n\(slots.joined(separator: "\n"))\n".utf8),
            as: "units.yaml")
        let secrets =
            "secrets: 1\ndevices: {'DD:34:02:06:00:00': \(Self.password), 'DD:34:02:06:00:06': Tisch-08}\n"
        let isWritten = FileManager.default.createFile(
            atPath: air.folder + "/secrets.yaml", contents: Data(secrets.utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
    }

    private var arguments: [String] {
        [
            "batch", air.folder + "/units.yaml", "--adapter", air.scenario, "--journal", journal,
            "--secrets", air.folder + "/secrets.yaml", "--no-golden", "--accept", "reappeared",
        ]
    }

    func run(_ more: [String] = []) throws -> Program.Run {
        defer { withExtendedLifetime(self) {} }
        return try Program.run(arguments + ["--json"] + more)
    }

    /// The same on a terminal with typed input.
    func run(_ more: [String], typing replies: [(prompt: String, reply: String)]) throws -> PseudoTerminal.Run
    {
        defer { withExtendedLifetime(self) {} }
        var terminal = PseudoTerminal()
        (terminal.columns, terminal.isControlling) = (120, true)
        return try terminal.run(arguments + more, typing: replies)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A tray of KBeacons` {
    @Test func `ends as each of them can, and shows no password`() throws {
        let tray = try KBeaconTray()
        let page = tray.air.folder + "/report.html"
        let run = try tray.run(["--report", page, "--log-level", "trace"])
        #expect(
            BatchBench.outcomes(run) == [
                "K1": "passed", "K2": "passed", "K3": "passed", "K4": "failed", "K5": "failed",
                "K6": "passed",
            ], "\(run.output)")
        let codes = run.events.filter { $0["event"] as? String == "failed" && $0["slot"] != nil }
            .compactMap { $0["code"] as? String }
        #expect(Set(codes) == ["password-wrong", "no-dfu-on-this-hardware"])
        let files = [page, tray.journal, tray.journal + "-wal"].compactMap {
            FileManager.default.contents(atPath: $0)
        }
        for secret in [KBeaconTray.password, "Tisch-08", "another-one"] {
            #expect(!run.output.contains(secret) && !run.talk.contains(secret))
            #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
        }
        #expect(files.count >= 2)
    }

    /// One link, so that the last units wait.
    @Test func `makes a unit blink on request, and tries a wrong password once in all`() throws {
        let tray = try KBeaconTray([
            "generation: 2, session: {password: another-one}", "generation: 2, session: {}",
            "generation: 2, session: {}", "generation: 2, session: {password: another-one}",
            "generation: 2, session: {}",
        ])
        func b(_ unit: String, instead: Bool = true) -> String {
            "/\(instead ? "\u{7F}\u{7F}" : "")\(unit)\r\u{1B}[Bb"
        }
        let run = try tray.run(
            ["--links", "1"],
            typing: [
                ("K1: failed", b("K1", instead: false)), ("K1: password-wrong, ", b("K4")),
                ("K4: password-wrong, ", b("K5")), ("K5 blinks for 5 s", "b"),
                ("K5 was already asked to blink", ""), ("K5 has blinked", ""),
            ])
        #expect(run.status == 1 && run.output.contains("5 units: 3 passed, 2 failed"), "\(run.output)")
        let lines = run.output.split(whereSeparator: \.isNewline)
        // The update of one has tried, and the key for the other.
        for (unit, asked) in [("K1", "password-wrong, "), ("K4", "failed, password-wrong: ")] {
            let again = lines.filter { $0.contains("\(unit): \(asked)") }
            #expect(!again.isEmpty && again.allSatisfy { $0.contains("was wrong before") }, "\(run.output)")
        }
    }

    @Test func `gets its settings once the firmware is right`() throws {
        let tray = try KBeaconTray()
        _ = try tray.air.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nadvObj: [{slot: 1, majorID: 77}]\n".utf8),
            as: "second.yaml")
        let run = try tray.run(["--config", tray.air.folder + "/second.yaml"])
        let outcomes = BatchBench.outcomes(run)
        #expect(outcomes["K1"] == "passed" && outcomes["K2"] == "passed" && outcomes["K3"] == "passed")
        let warnings = run.events.filter { $0["event"] as? String == "warning" }
        func slots(_ code: String) -> Set<String> {
            Set(warnings.filter { $0["code"] as? String == code }.compactMap { $0["slot"] as? String })
        }
        #expect(slots("settings-written") == ["K1", "K2"], "\(run.output)")
        // There is no file for the first generation.
        #expect(slots("settings-not-meant") == ["K3", "K6"])
        // Existing settings are not written again.
        let again = try tray.run(["--config", tray.air.folder + "/second.yaml"])
        #expect(again.events.allSatisfy { $0["code"] as? String != "settings-written" })
    }

    @Test func `does not pass if a unit refuses its settings`() throws {
        let tray = try KBeaconTray()
        _ = try tray.air.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nadvObj: [{slot: 30, majorID: 77}]\n".utf8),
            as: "second.yaml")
        let run = try tray.run(["--config", tray.air.folder + "/second.yaml"])
        #expect(BatchBench.outcomes(run)["K1"] == "failed", "\(run.output)")
        #expect(
            run.events.contains {
                $0["slot"] as? String == "K1" && $0["code"] as? String == "refused-by-device"
            })
    }

    /// A bootloader does not identify its beacon.
    @Test
    func `reports that settings do not apply to a beacon in its bootloader without a later session`()
        throws
    {
        let air = try Tray(
            "  - {address: 'F0:00:00:00:02:00', mode: bootloader, key: test, flash: instant}")
        let units = try air.write(
            Array(
                "tray: 1\nfirmware: \(BatchBench.package)\nslots: [{slot: A1, device: 'F0:00:00:00:02:00/random'}]\n"
                    .utf8), as: "units.yaml")
        let settings = try air.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nadvObj: [{slot: 1, majorID: 77}]\n".utf8),
            as: "second.yaml")
        let run = try Program.run([
            "batch", units, "--adapter", air.scenario, "--journal", air.folder + "/journal.sqlite", "--json",
            "--no-golden", "--accept", "reappeared", "--config", settings,
        ])
        #expect(BatchBench.outcomes(run).values.sorted() == ["passed"], "\(run.output)")
        #expect(run.events.contains { $0["code"] as? String == "settings-not-meant" })
    }

    /// Its advertised version is not that of the firmware, so an update again could not be verified.
    @Test func `is not sent its firmware again if only its settings failed`() throws {
        let unit = KBeaconElsewhere.unit("updated_version: V6.31", faults: "cut_before_command: 14")
        let bench = try KBeaconElsewhere(unit)
        let settings = try bench.air.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nmeaPwr: -61\n".utf8), as: "second.yaml")
        let run = try bench.batch(["--config", settings])
        #expect(BatchBench.outcomes(run) == ["A1": "failed"], "\(run.output)\(run.talk)")
        let failed = try #require(run.events.last { $0["event"] as? String == "failed" && $0["slot"] != nil })
        #expect((failed["message"] as? String)?.hasPrefix("the unit has its firmware, but") == true)
        let step = failed["next_step"] as? String ?? ""
        #expect(step.contains("with --retry-failed") && !step.contains("DFU"), "\(step)")
        let again = try bench.batch(["--config", settings, "--retry-failed"])
        #expect(again.status == 0 && BatchBench.outcomes(again) == ["A1": "passed"], "\(again.output)")
        #expect(again.first("phase") == nil, "\(again.output)")
    }

    /// Somebody may have put its old firmware back.
    @Test func `is sent its firmware again if it no longer shows the version that was verified`() throws {
        let bench = try KBeaconElsewhere(KBeaconElsewhere.unit(faults: "cut_before_command: 14"))
        let settings = try bench.air.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nmeaPwr: -61\n".utf8), as: "second.yaml")
        let run = try bench.batch(["--config", settings])
        #expect(BatchBench.outcomes(run) == ["A1": "failed"], "\(run.output)\(run.talk)")
        try FileManager.default.removeItem(atPath: bench.air.folder + "/memory")
        let again = try bench.batch(["--config", settings, "--retry-failed"])
        #expect(again.first("phase") != nil, "\(again.output)\(again.talk)")
    }
}

/// A KBeacon whose bootloader is not at the address after its application's.
@Suite(.timeLimit(.minutes(10)), .programs) struct `A KBeacon with its bootloader elsewhere` {
    @Test func `is completed with the options that an interrupted flash prints`() throws {
        let bench = try KBeaconElsewhere(KBeaconElsewhere.unit(faults: "cut_before_packet: 60"))
        let secrets = ["--secrets", bench.air.folder + "/secrets.yaml", "--no-journal"]
        let address = KBeaconElsewhere.address
        let run = try bench.air.flash(BatchBench.package, address, secrets + ["--attempts", "1"])
        #expect(run.status == 75, "\(run.output)\(run.talk)")
        let step = try #require(run.last["next_step"] as? String)
        #expect(
            step.contains("give `--device \(address) --bootloader \(KBeaconElsewhere.bootloader)` with it"),
            "\(step)")
        let more = secrets + ["--bootloader", KBeaconElsewhere.bootloader]
        let again = try bench.air.flash(BatchBench.package, address, more)
        #expect(again.status == 0, "\(again.output)\(again.talk)")
    }

    @Test func `is found again by a tray that was killed while it was sent firmware`() throws {
        let bench = try KBeaconElsewhere(KBeaconElsewhere.unit(), link: "{interval_ms: 15, event_ms: 7.5}")
        let accepting = ["--accept", "reappeared"]
        let killed = try bench.batch(accepting, signal: (SIGKILL, "progress", 2))
        #expect(killed.status != 0 && killed.first("batch-finished") == nil, "\(killed.output)")
        let resumed = try bench.batch(accepting + ["--resume"])
        #expect(
            resumed.status == 0 && BatchBench.outcomes(resumed) == ["A1": "passed"],
            "\(resumed.output)\(resumed.talk)")
    }
}

private struct KBeaconElsewhere {
    static let (address, bootloader) = ("BC:57:29:02:45:9F", "F0:0D:BE:AC:31:00")

    static func unit(_ session: String = "updated_version: V6.31", faults: String? = nil) -> String {
        "  - {kind: kbeacon, address: '\(address)/public', bootloader_address: '\(bootloader)', name: K1, "
            + "version: '6.20', key: test, application_version: 1, "
            + "session: {model: KBPro, password: Bench-07, \(session)}"
            + (faults.map { ", faults: [\($0)]" } ?? "") + "}"
    }

    let air: Tray
    let units: String

    init(_ unit: String, link: String = "{interval_ms: 2, event_ms: 2}") throws {
        air = try Tray(unit, link: link)
        let tray =
            "tray: 1\nfirmware: \(BatchBench.package)\nslots: [{slot: A1, device: '\(Self.address)'}]\n"
        units = try air.write(Array(tray.utf8), as: "units.yaml")
        let isWritten = FileManager.default.createFile(
            atPath: air.folder + "/secrets.yaml",
            contents: Data("secrets: 1\nvendors: {kkm: Bench-07}\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
    }

    func batch(
        _ more: [String], signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        try Program.run(
            [
                "batch", units, "--adapter", air.scenario, "--journal", air.folder + "/journal.sqlite",
                "--secrets", air.folder + "/secrets.yaml", "--no-golden", "--json",
            ] + more, signal: signal)
    }
}
