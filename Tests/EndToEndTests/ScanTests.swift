import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program scanning` {
    static let shelf = """
          - {address: 'F0:00:00:00:01:00', name: Shelf 1, mode: application, rssi: -70}
          - {address: 'F0:00:00:00:02:00', name: Shelf 2, mode: application, rssi: -50}
          - {address: 'F0:00:00:00:03:00', name: Lamp, bootloader_name: Boot, rssi: -60}
        """

    static func scan(_ more: [String]) throws -> Program.Run {
        let tray = try Tray(shelf)
        // Long enough for a busy machine to hear all three.
        return try Program.run(["scan", "--adapter", tray.scenario, "--for", "2"] + more)
    }

    static func names(_ run: Program.Run) -> [String] {
        run.events.filter { $0["event"] as? String == "beacon" }.compactMap { $0["name"] as? String }
    }

    @Test(arguments: [
        (["name=Shelf*"], ["Shelf 2", "Shelf 1"]), (["name=Shelf*", "rssi>-60"], ["Shelf 2"]),
        (["mode=bootloader"], ["Boot"]), (["service=FE59"], ["Boot"]),
        (["service!=FE59", "rssi<-60"], ["Shelf 1"]),
        (["address=F0:00:00:00:03:*"], ["Boot"]), (["connectable=no"], []), (["company=0x004C"], []),
    ])
    func `lists what passes all filters`(_ filters: [String], _ expected: [String]) throws {
        let run = try Self.scan(["--json"] + filters.flatMap { ["--filter", $0] })
        #expect(run.status == 0)
        #expect(Self.names(run) == expected)
        #expect(run.last["event"] as? String == "scanned")
        #expect(run.last["beacons"] as? Int == expected.count)
        #expect(run.last["heard"] as? Int == 3)
    }

    @Test(arguments: [
        ("rssi", ["Shelf 2", "Boot", "Shelf 1"]), ("address", ["Shelf 1", "Shelf 2", "Boot"]),
        ("name", ["Boot", "Shelf 1", "Shelf 2"]), ("seen", ["Shelf 1", "Shelf 2", "Boot"]),
    ])
    func `sorts as requested`(_ order: String, _ expected: [String]) throws {
        #expect(Self.names(try Self.scan(["--json", "--sort", order])) == expected)
    }

    @Test func `counts and times the reports`() throws {
        let tray = try Tray(Self.shelf)
        let run = try Program.run(["scan", "--adapter", tray.scenario, "--for", "2", "--json"])
        let beacon = try #require(run.first("beacon"))
        #expect(beacon["reports"] as? Int ?? 0 >= 2)
        #expect(beacon["rssi_average"] as? Double == -50 && beacon["rssi_max"] as? Int == -50)
        // On a busy machine reports come too unevenly for an interval: IntervalEstimateTests has such cases.
        #expect(beacon.keys.contains("advertising_interval_ms"))
        let first = try #require(beacon["first_seen"] as? String)
        let last = try #require(beacon["last_seen"] as? String)
        #expect(first < last && last.hasSuffix("Z"))
    }

    @Test func `waits for a name that comes late, unless a duration was given`() throws {
        let late =
            "  - {kind: ibeacon, address: 'C0:00:00:00:00:01', name: Late, period_ms: 500, scan_response_every: 8}"
        let tray = try Tray(late)
        let run = try Program.run(["scan", "--adapter", tray.scenario, "--json"])
        #expect(run.first("beacon")?["name"] as? String == "Late", "\(run.output)")
        let seconds = try #require(run.last["seconds"] as? Double)
        #expect(seconds > 3 && seconds < 5)
        let short = try Program.run(["scan", "--adapter", tray.scenario, "--json", "--for", "3"])
        #expect(short.first("beacon")?["name"] is NSNull && short.last["seconds"] as? Double == 3)
    }

    @Test func `exits 0 when no beacon is in range`() throws {
        let run = try Self.scan(["--filter", "name=nobody", "--json"])
        #expect(run.status == 0 && run.names == ["scanned"])
        let text = try Self.scan(["--filter", "name=nobody"])
        #expect(text.status == 0 && text.output.isEmpty && text.talk == "0 of 3 beacons in 2.0 s\n")
    }

    @Test(arguments: [
        ["--filter", "rssi>loud"], ["--filter", "colour=red"], ["--filter", ""], ["--filter"],
        ["--sort", "colour"], ["--watch", "--for", "0"], ["--for", "nan"],
    ])
    func `exits 64 on an invalid condition, and shows the place`(_ more: [String]) throws {
        let run = try Program.run(["scan", "--adapter", "sim", "--json"] + more)
        #expect(run.status == 64 && run.names == ["failed"])
        #expect(run.last["code"] as? String == "usage" && run.last["exit"] as? Int == 64)
        if more.last == "rssi>loud" { #expect(run.talk.contains("column 6: 'loud'"), "\(run.talk)") }
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program scanning on a terminal` {
    @Test(arguments: [[], ["--json"], ["--quiet"]])
    func `says that it listens, unless it is to be quiet`(_ options: [String]) throws {
        let tray = try Tray(`The program scanning`.shelf)
        let run = try PseudoTerminal().run(["scan", "--for", "2", "--adapter", tray.scenario] + options)
        #expect(run.status == 0)
        #expect(run.output.contains("listening, 1 s left; heard 3") == options.isEmpty, "\(run.output)")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program watching` {
    @Test func `prints one line for each beacon that does not change`() throws {
        let tray = try Tray(`The program scanning`.shelf)
        let run = try Program.run(
            [
                "scan", "--adapter", tray.scenario, "--watch", "--for", "2", "--filter", "name=Shelf*",
                "--json",
            ])
        #expect(run.status == 0)
        #expect(run.names == ["beacon", "beacon", "scanned"])
        #expect(run.last["beacons"] as? Int == 2 && run.last["heard"] as? Int == 3)
    }

    @Test func `in a pipe prints lines with their time, and no control characters`() throws {
        let tray = try Tray(`The program scanning`.shelf)
        let run = try Program.run(["scan", "--adapter", tray.scenario, "--watch", "--for", "2"])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.dropFirst().allSatisfy { $0.prefix(25).contains("T") && $0.contains("Z  F0:") })
        #expect(!(run.output + run.talk).contains("\u{1B}"))
    }

    /// Three beacons that never change: after their lines nothing more would ever be written.
    @Test func `ends when its reader does`() throws {
        let tray = try Tray(`The program scanning`.shelf)
        let run = try Tool.run([
            "sh", "-c", "'\(Program.path)' scan --adapter '\(tray.scenario)' --watch --json | head -n 1",
        ])
        #expect(run.text.split(separator: "\n").count == 1)
    }

    @Test func `obeys keys, which are not echoed, and leaves the terminal as it was`() throws {
        let tray = try Tray(`The program scanning`.shelf)
        var terminal = PseudoTerminal()
        terminal.isControlling = true
        let run = try terminal.run(
            ["scan", "--watch", "--adapter", tray.scenario],
            typing: [
                ("? lists keys", "?"), ("any other key shows the table", "x"), ("space pauses", " "),
                ("paused, space continues", "fzzz\r"), ("now: zzz", "q"),
            ])
        #expect(run.status == 0 && run.isByLine, "\(run.output)")
        #expect(!run.output.contains("x\r\n") && !run.output.contains("fzzz"))
    }

    @Test func `ends at Ctrl-C with 130 and its summary, not with a failure`() throws {
        let tray = try Tray(`The program scanning`.shelf)
        let run = try Program.run(
            ["scan", "--adapter", tray.scenario, "--watch", "--json"], signal: (SIGINT, "beacon", 3))
        #expect(run.status == 130)
        #expect(run.names == ["beacon", "beacon", "beacon", "scanned"])
        #expect(run.talk.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A scan with a catalogue` {
    private static let arguments = [
        "scan", "--adapter", "sim:" + Samples.root + "/manifests/scenarios/tray.yaml", "--for", "auto",
        "--catalogue",
        Samples.root + "/manifests",
    ]

    @Test func `sorts a tray of forty by the available updates`() throws {
        let run = try Program.run(Self.arguments + ["--json"])
        #expect(run.status == 0)
        let beacons = run.events.filter { $0["event"] as? String == "beacon" }
        #expect(beacons.count == 40)
        #expect(beacons.allSatisfy { ($0["missing"] as? [String])?.isEmpty == true })
        let updates = beacons.compactMap { $0["update"] as? [String: Any] }
        let outcomes = Dictionary(grouping: updates) { $0["outcome"] as? String ?? "" }
        #expect(
            Set(outcomes.keys) == [
                "up-to-date", "update-available", "battery-low", "unknown", "wrong-model", "not-listed",
                "no-firmware", "vendor-only", "bootloader",
            ])
        #expect(outcomes["wrong-model"]?.count == 1)
        #expect(outcomes["wrong-model"]?.first?["models"] as? [String] == ["BP102"])
        #expect(outcomes["update-available"]?.allSatisfy { $0["version"] as? String == "840" } == true)
    }

    @Test func `shows them in a column, also for spreadsheets`() throws {
        let run = try Program.run(
            Self.arguments + ["--csv", "--columns", "address,update", "--filter", "vendor=feasycom"])
        let rows = run.output.split(separator: "\n")
        #expect(rows.first == "address,update")
        #expect(rows.contains("DC:0D:30:00:00:01/public,\"up to date\""))
        #expect(rows.contains("DC:0D:30:00:00:03/public,840"))
        #expect(rows.contains("DC:0D:30:00:00:07/public,\"wrong model\""))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A scan that connects` {
    private static func run(_ more: [String]) throws -> Program.Run {
        let tray = try Tray(
            """
              - {kind: ibeacon, address: 'F0:00:00:00:00:01', information: {model: Tag, software: '1.0'}}
              - {kind: feasycom, address: 'DC:0D:30:00:00:02/public', model: 21, version: 840}
            """)
        return try Program.run(["scan", "--adapter", tray.scenario] + more)
    }

    @Test func `reports which beacons it connected to, and what it read`() throws {
        let run = try Self.run(["--catalogue", Samples.root + "/manifests", "--connect", "--json"])
        #expect(run.status == 0)
        let beacons = run.events.filter { $0["event"] as? String == "beacon" }
        let tag = try #require(beacons.first { $0["kind"] as? String == "ibeacon" })
        #expect(tag["connected"] as? Bool == true)
        #expect((tag["read"] as? [String: Any])?["software"] as? String == "1.0")
        #expect((tag["update"] as? [String: Any])?["outcome"] as? String == "update-available")
        let other = try #require(beacons.first { $0["kind"] as? String == "feasycom" })
        #expect(other["connected"] as? Bool == false && other["read"] is NSNull)
    }

    @Test(arguments: [[], ["--catalogue", Samples.root + "/manifests", "--watch"]])
    func `reads versions for a catalogue, at its end`(arguments: [String]) throws {
        let run = try Self.run(["--connect", "--json"] + arguments)
        #expect(run.status == 64 && run.last["code"] as? String == "usage")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A Kontakt.io beacon that locks` {
    private static let tray = "sim:" + Samples.root + "/manifests/scenarios/tray.yaml"

    /// Its iBeacon frame is heard first; its maker is in its scan response.
    @Test(arguments: [
        (["info"], "would-lock-beacon"), (["info", "--wait", "20"], "would-lock-beacon"),
        (["flash", Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"], "vendor-only"),
    ])
    func `is not connected to, though its first frame does not identify the maker`(
        command: [String], code: String
    ) throws {
        let run = try Program.run(
            command + ["--adapter", Self.tray, "--device", "E4:11:22:33:44:02", "--json"])
        #expect(run.last["code"] as? String == code, "\(run.output)")
        #expect(!run.names.contains("connected"))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `An identity in a scan` {
    @Test func `can be used as a selector`() throws {
        let tray = "sim:" + Samples.root + "/manifests/scenarios/tray.yaml"
        let run = try Program.run(["scan", "--adapter", tray, "--for", "auto", "--json"])
        let identities = run.events.compactMap { $0["identity"] as? String }
        let iBeacon = try #require(identities.first { $0.hasPrefix("ibeacon:") })
        #expect(!iBeacon.dropFirst(8).contains(":"))
        let found = try Program.run(["info", "--adapter", tray, "--device", iBeacon, "--json"])
        // Several beacons share the identity; not found would be a different error.
        #expect(found.status == 0 || found.last["code"] as? String == "device-ambiguous", "\(found.output)")
    }
}
