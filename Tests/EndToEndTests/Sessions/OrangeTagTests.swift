import TestSupport
import Testing

/// A simulated Orange Beacon Tag whose button is pressed at `clicks`, in seconds from the start of each run.
private struct TagBench {
    static let device = "D5:00:00:00:00:01"
    let tray: Tray

    init(clicks: String = "[0]", _ more: String = "") throws {
        tray = try Tray(
            "  - {kind: orange-tag, address: \"\(Self.device)\", period_ms: 100, clicks_s: \(clicks)\(more)}")
    }

    func run(_ arguments: [String]) throws -> Program.Run {
        defer { withExtendedLifetime(tray) {} }
        return try Program.run(arguments + ["--adapter", tray.scenario, "--device", Self.device, "--json"])
    }

    func config(_ verb: String, _ text: String, _ more: [String] = []) throws -> Program.Run {
        let path = try tray.write(Array("settings: 1\nmaker: orange\n\(text)\n".utf8), as: "settings.yaml")
        return try run(["config", verb, path] + more)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program's sessions with Orange Beacon Tags` {
    @Test func `identify the tag`() throws {
        let run = try TagBench(", battery: 71, major: 7").run(["info", "--wait", "5"])
        #expect(run.status == 0, "\(run.talk)")
        let session = try #require(run.last["session"] as? [String: Any])
        let settings = try #require(session["settings"] as? [String: Any])
        #expect(session["kind"] as? String == "orange-tag" && run.last["battery"] as? Int == 71)
        #expect(settings["major"] as? Int == 7 && settings["acceleration_ms2"] as? Double == 0.980665)
        let information = try #require(run.last["device_information"] as? [String: Any])
        #expect(information["firmware"] as? String == "1.0")
        #expect((run.last["vendor_only"] as? String)?.isEmpty == false)
    }

    @Test func `read a file that changes nothing`() throws {
        let bench = try TagBench(", values: {temperature: '01', sleep: '010a00', angular: '01ffffff7f'}")
        let read = try Program.run([
            "config", "read", "--wait", "5", "--adapter", bench.tray.scenario, "--device", TagBench.device,
        ])
        #expect(read.status == 0, "\(read.talk)")
        #expect(
            read.output.hasPrefix("# Orange Beacon Tag, firmware 1.0\nsettings: 1\nmaker: orange\nuuid: "))
        #expect(
            read.output.contains("temperature_wakes: \"hex:01\"\n") && read.output.contains("sleep_on: 1\n"))
        let path = try bench.tray.write(Array(read.output.utf8), as: "read.yaml")
        let diff = try bench.run(["config", "diff", path])
        #expect(diff.status == 0 && (diff.last["differences"] as? [Any])?.isEmpty == true, "\(diff.last)")
        #expect(try bench.run(["config", "write", path]).status == 2)
    }

    @Test func `compare and write settings, which stay`() throws {
        let bench = try TagBench()
        let wanted = "major: 77\ninterval_ms: 250\ntx_power_dbm: -12\nacceleration_wakes: 1\nsleep_s: 20"
        let before = try bench.config("diff", wanted)
        #expect(before.status == 1 && before.last["code"] as? String == "settings-differ", "\(before.last)")
        let write = try bench.config("write", wanted)
        #expect(write.status == 0, "\(write.last)")
        let changes = try #require(write.last["changes"] as? [[String: Any]])
        #expect(
            changes.map { $0["setting"] as? String } == [
                "major", "interval_ms", "tx_power_dbm", "sleep_s", "acceleration_wakes",
            ])
        #expect(try bench.config("diff", wanted).status == 0)
        #expect(try bench.config("write", wanted).status == 2)
        let out = try bench.config("write", "tx_power_dbm: 5")
        #expect(out.status == 1 && out.last["code"] as? String == "setting-out-of-range", "\(out.last)")
        let locked = try bench.config("write", "acceleration_wakes: 0")
        #expect(locked.status == 1 && locked.last["code"] as? String == "locks-beacon-away", "\(locked.last)")
        #expect(try bench.config("write", "acceleration_wakes: 0", ["--force", "always-off"]).status == 0)
    }

    @Test func `wait until the button is pressed`() throws {
        let run = try TagBench(clicks: "[3]").config("write", "major: 77")
        #expect(run.status == 0, "\(run.last)")
        #expect(run.names.first == "button-awaited" && run.names.last == "settings-written", "\(run.names)")
        #expect(run.events.first?["device"] as? String == TagBench.device)
        #expect((run.events.first?["seconds_left"] as? Int).map { (50...60).contains($0) } == true)
    }

    @Test func `end the wait if no button is pressed`() throws {
        let bench = try TagBench(clicks: "[]")
        for line in [["config", "read"], ["info"]] {
            let run = try bench.run(line + ["--wait", "2"])
            #expect(run.status == 3 && run.last["code"] as? String == "device-not-found", "\(run.last)")
            #expect(
                (run.last["message"] as? String)?.contains("accepted no connections within 2.0 s") == true)
            #expect(run.names.contains("button-awaited"))
        }
        // Without a wait, the error explains how to wait.
        let run = try bench.run(["config", "read"])
        #expect(run.status == 1 && run.last["code"] as? String == "not-supported", "\(run.last)")
        #expect((run.last["next_step"] as? String)?.contains("--wait") == true)
    }

    @Test(arguments: [
        ("", "settings-for-others", "settings: 1\nmaker: kkm\ngeneration: 2\nname: B\n"),
        (", lacks: [uuid]", "session-not-offered", "settings: 1\nmaker: orange\nmajor: 7\n"),
        (", fixed: [major]", "refused-by-device", "settings: 1\nmaker: orange\nmajor: 7\n"),
        (", unreadable: [minor]", "refused-by-device", "settings: 1\nmaker: orange\nmajor: 7\n"),
        (
            ", faults: [{refuse_write: 1}]", "refused-by-device",
            "settings: 1\nmaker: orange\nsleep_s: 0\nmajor: 7\n"
        ),
        (", faults: [{forget_write: 1}]", "settings-not-taken", "settings: 1\nmaker: orange\nmajor: 7\n"),
        (", lacks: [sleep]", "not-supported", "settings: 1\nmaker: orange\nsleep_s: 7\n"),
    ]) func `report why a tag cannot be written`(more: String, code: String, file: String) throws {
        let bench = try TagBench(more)
        let path = try bench.tray.write(Array(file.utf8), as: "settings.yaml")
        let run = try bench.run(["config", "write", path])
        #expect(run.status == 1 && run.last["code"] as? String == code, "\(run.last)")
    }

    @Test func `refuse a reset and a blink`() throws {
        for line in [["config", "reset", "--wait", "5"], ["blink", "--wait", "5"]] {
            let run = try TagBench().run(line)
            #expect(run.status == 1 && run.last["code"] as? String == "not-supported", "\(run.last)")
        }
    }
}
