import Foundation
import TestSupport
import Testing

/// A KBeacon of the second generation with records, and the output file.
private struct RecordBench {
    static let history = ", history: [{kind: humidity, count: 40}, {kind: alarm, count: 3}"
    let bench: KBeaconBench
    var path: String { bench.tray.folder + "/records.csv" }

    init(
        _ session: String = "", first: String = "", history: String = Self.history, end: String = "]"
    ) throws {
        bench = try KBeaconBench(history + end + session, first: first)
    }

    func read(
        _ more: [String] = [], of device: String = KBeaconBench.second,
        signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        try bench.run("history-read", device, ["--out", path] + more, signal: signal)
    }

    /// The file's lines; nil if there is none.
    var lines: [Substring]? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The history of KBeacons` {
    private static let heading: Substring = "record,time_raw,time,temperature_celsius,humidity_percent"

    @Test(arguments: [
        "", ", answers: report, piece_size: 40", ", answers: split, piece_size: 20, tells_mtu: false",
        ", waits: false, answers: report, piece_size: 20", ", logs: 2, answers: report", ", window: 0",
        ", record_answers: split, piece_size: 20", ", record_answers: report, answer_end_cause: 0",
    ]) func `is read into a table`(session: String) throws {
        let bench = try RecordBench(session)
        let run = try bench.read()
        #expect(run.status == 0, "\(run.talk)")
        let told = try #require(run.first("history-read"))
        #expect(told["records"] as? Int == 40 && told["total"] as? Int == 40 && told["unread"] as? Int == 40)
        let lines = try #require(bench.lines)
        #expect(lines.count == 41 && lines[0] == Self.heading)
        #expect(lines[1] == "1,1700000000,2023-11-14T22:13:20Z,20.0,40.0")
        #expect(lines[40] == "40,1700023400,2023-11-15T04:43:20Z,-4.5,49.75")
        // The same file may be written again, and the beacon counts nothing as read.
        #expect(try bench.read().first("history-read")?["unread"] as? Int == 40)
    }

    /// Every shape of an answer with 45 records, in either generation (kbeacon.md, Acks).
    @Test(
        arguments: [KBeaconBench.first, KBeaconBench.second],
        [
            "record_answers: inline, tells_mtu: false", "record_answers: report, piece_size: 40",
            "record_answers: split, answer_end_cause: 0", "record_answers: frames, answer_end: at_once",
            "record_answers: frames, answer_end_ms: 1000, frame_records: 7, piece_size: 40",
            "record_answers: frames, answer_end_cause: 0, waits: false, logs: 1",
        ])
    func `is whole in each shape of an answer`(device: String, shape: String) throws {
        let isFirst = device == KBeaconBench.first
        // The first one's pieces are small in any case.
        let style = isFirst ? shape.replacing(", piece_size: 40", with: "") : shape
        let history = ", history: [{kind: humidity, count: 45, most_at_once: 45}], " + style
        let bench = try RecordBench(first: isFirst ? history : "", history: isFirst ? "" : history, end: "")
        let run = try bench.read(of: device)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("warning") == nil)
        let lines = try #require(bench.lines)
        #expect(lines.count == 46 && lines[1] == "1,1700000000,2023-11-14T22:13:20Z,20.0,40.0")
        #expect(lines[45] == "45,1700026400,2023-11-15T05:33:20Z,20.75,51.0")
    }

    @Test(
        arguments: [
            ("humidity", "humidity", "temperature_celsius,humidity_percent", "20.063,40.25"),
            ("alarm", "alarm", "state", "1"), ("pir", "motion", "state", "1"),
            ("light", "light", "type,lux", "1,59950"), ("voc", "voc", "voc_index,nox_index", "101,2"),
            ("co2", "co2", "co2_ppm,temperature_celsius,humidity_percent", "401,20.063,40.25"),
        ])
    func `is read of each kind`(kind: String, theirs: String, columns: String, second: String) throws {
        for device in [KBeaconBench.first, KBeaconBench.second] {
            let history = ", history: [{kind: \(theirs), count: 45}]"
            let isFirst = device == KBeaconBench.first
            let bench = try RecordBench(
                first: isFirst ? history : "", history: isFirst ? "" : history, end: "")
            let run = try bench.read(["--kind", kind], of: device)
            #expect(run.status == 0 && run.first("history-read")?["kind"] as? String == kind, "\(run.talk)")
            let lines = try #require(bench.lines)
            #expect(lines.count == 46 && lines[0] == "record,time_raw,time," + columns)
            #expect(lines[2] == "2,1700000600,2023-11-14T22:23:20Z," + second)
        }
    }

    @Test(
        arguments: [
            (["--newest-first"], Array((1...40).reversed())), (["--count", "12"], Array(1...12)),
            (["--from", "35"], Array(35...40)), (["--from", "11", "--count", "15"], Array(11...25)),
            (["--newest-first", "--count", "12"], Array((29...40).reversed())),
            (["--newest-first", "--from", "5"], [5, 4, 3, 2, 1]), (["--from", "41"], []),
            (["--newest-first", "--from", "400", "--count", "2"], [40, 39]),
        ])
    func `is read in the requested order, from the requested number and up to the requested count`(
        options: [String], numbers: [Int]
    ) throws {
        let bench = try RecordBench()
        let run = try bench.read(options)
        #expect(run.status == 0 && run.first("warning") == nil, "\(run.talk)")
        let told = try #require(run.first("history-read"))
        #expect(told["records"] as? Int == numbers.count && told["unread"] as? Int == 40)
        let order = options.contains("--newest-first") ? "newest-first" : "oldest-first"
        #expect(told["order"] as? String == order)
        let rows = try #require(bench.lines).dropFirst().map {
            $0.split(separator: ",").prefix(2).joined(separator: ",")
        }
        #expect(rows == numbers.map { "\($0),\(1_700_000_000 + 600 * ($0 - 1))" })
        // Nothing of that counts as read.
        #expect(try bench.read(["--count", "1"]).first("history-read")?["unread"] as? Int == 40)
    }

    @Test func `is read in the first generation, whose times are relative until its clock is set`() throws {
        let first = ", history: [{kind: motion, count: 25, start: 0, interval_s: 0}]"
        let bench = try RecordBench(first: first)
        let run = try bench.read(["--kind", "pir"], of: KBeaconBench.first)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("history-read")?["kind"] as? String == "pir")
        let lines = try #require(bench.lines)
        #expect(lines.count == 26 && lines[0] == "record,time_raw,time,state")
        let cells = lines[25].split(separator: ",")
        #expect(cells.count == 4 && cells[1] == "0" && cells[2].hasPrefix("20"))
        #expect(Int(cells[2].prefix(4)).map { $0 >= 2026 } == true)
    }

    @Test func `is printed if stdout is the file`() throws {
        let bench = try RecordBench()
        let run = try Program.run([
            "history-read", "--device", KBeaconBench.second, "--secrets", bench.bench.secrets, "--adapter",
            bench.bench.tray.scenario, "--out", "-", "--kind", "alarm",
        ])
        #expect(run.status == 0, "\(run.talk)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 4 && lines[3] == "3,1700001200,2023-11-14T22:33:20Z,0")
    }

    @Test func `is a table without rows if there are no records`() throws {
        let bench = try RecordBench(history: ", history: [{kind: humidity, count: 0}")
        #expect(try bench.read().status == 0)
        #expect(bench.lines == [Self.heading])
    }

    @Test(
        arguments: [
            ("--kind pir", "", "not-supported"), ("", "flip_answer: 7", nil), ("", "cut_answer: 4", nil),
            ("", "cut_answer: 5", nil), ("", "fail_command: 3", "refused-by-device"),
            ("", "busy_command: 2", "beacon-busy"), ("", "cut_after_step: 4", "link-lost"),
        ] as [(String, String, String?)])
    func `leaves no file if it is incomplete`(options: String, fault: String, code: String?) throws {
        let faults = fault.isEmpty ? "" : "}\n    faults:\n      - {\(fault)"
        let bench = try RecordBench(faults)
        let run = try bench.read(options.split(separator: " ").map(String.init))
        // A record with its last byte inverted is still valid: no checksum protects it.
        guard fault != "flip_answer: 7" else { return #expect(run.status == 0 && bench.lines?.count == 41) }
        #expect(run.status != 0 && run.status != 70, "\(run.talk)")
        #expect(run.last["event"] as? String == "failed" && bench.lines == nil, "\(run.output)")
        #expect(code == nil || run.last["code"] as? String == code, "\(run.output)")
    }

    @Test(
        arguments: [
            ("answer_end: never", "no-answer"), ("answer_end: early", "answer-malformed"),
        ])
    func `leaves no file if an answer has no end, or ends too early`(style: String, code: String) throws {
        let bench = try RecordBench(", record_answers: report, piece_size: 40, " + style)
        let run = try bench.read()
        #expect(run.last["code"] as? String == code && bench.lines == nil, "\(run.output)")
    }

    /// The frames of an answer, one by one: none may be lost unnoticed.
    @Test(arguments: [3, 4, 5, 7, 8, 10, 12, 15])
    func `is complete, or reported as incomplete, if a notification is lost`(number: Int) throws {
        let bench = try RecordBench(
            ", piece_size: 24}\n    faults:\n      - {lose_notification: \(number)",
            history: ", history: [{kind: humidity, count: 12, most_at_once: 12}")
        let run = try bench.read()
        #expect(run.status != 70)
        if run.status == 0 {
            #expect(bench.lines?.count == 13, "\(run.output)")
        } else {
            #expect(run.last["event"] as? String == "failed" && bench.lines == nil, "\(run.output)")
        }
    }

    /// If the beacon does not wait for acks, only the frame count reveals the loss of a whole frame.
    @Test func `is reported as shorter than announced if it is`() throws {
        let run = try RecordBench(", waits: false}\n    faults:\n      - {lose_notification: 7").read()
        #expect(run.status == 0 && run.first("history-read")?["records"] as? Int == 36, "\(run.talk)")
        #expect(run.first("warning")?["code"] as? String == "history-short")
    }

    @Test func `reports progress, and can be stopped`() throws {
        let slow = ", more_frames: 1"
        let run = try RecordBench(slow).read()
        let told = try #require(run.first("progress"))
        #expect(told["total"] as? Int == 40 && told["records_per_second"] as? Double ?? 0 > 0)
        #expect(told["seconds_left"] as? Double ?? 0 > 0)
        let bench = try RecordBench(slow)
        let ended = try bench.read(signal: (SIGINT, "progress", 1))
        #expect(ended.status == 130 && bench.lines == nil, "\(ended.talk)")
        let rest = try FileManager.default.contentsOfDirectory(atPath: bench.bench.tray.folder)
        #expect(!rest.contains { $0.hasSuffix(".part") })
    }

    @Test func `is read from no other beacons, and needs a password`() throws {
        let bench = try KBeaconBench(entries: "vendors: {kkm: Tisch-08}")
        let run = try bench.run("history-read", KBeaconBench.second, ["--out", "/dev/null/x"])
        #expect(run.last["code"] as? String == "file-not-writable")
        let path = bench.tray.folder + "/records.csv"
        let wrong = try bench.run("history-read", KBeaconBench.second, ["--out", path])
        #expect(wrong.status == 1 && wrong.last["code"] as? String == "password-wrong")
    }

    @Test(arguments: [
        ["--out", "x", "--follow"], [], ["--out", "x", "--for", "3"], ["--out", "-", "--json"],
        ["--follow", "--for", "0"], ["--out", "x", "--kind", "sound"], ["--follow", "--newest-first"],
        ["--follow", "--from", "2"], ["--follow", "--count", "2"], ["--out", "x", "--from", "0"],
        ["--out", "x", "--count", "0"], ["--out", "x", "--count", "-1"],
    ]) func `can be requested in only one way`(options: [String]) throws {
        let run = try Program.run(["history-read", "--device", KBeaconBench.second] + options)
        #expect(run.status == 64)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The trigger events of KBeacons` {
    /// Late enough for a client on a busy machine to listen by then.
    private static let clicks =
        ", events: [{trigger: 4, after_s: 3}, {trigger: 5, after_s: 3.1}, {trigger: 4, after_s: 3.2}]"

    @Test func `are printed as they come`() throws {
        let bench = try KBeaconBench(Self.clicks)
        let run = try bench.run(
            "history-read", KBeaconBench.second, ["--follow"], signal: (SIGINT, "indication", 3))
        #expect(run.status == 130, "\(run.talk)")
        let told = run.events.filter { $0["event"] as? String == "indication" }
        #expect(told.map { $0["kind"] as? String } == ["single-click", "double-click", "single-click"])
        #expect(told.map { $0["click"] as? String } == ["single-click", "double-click", "single-click"])
        #expect(told.map { $0["bytes"] as? String } == ["04", "05", "04"])
        #expect(run.first("followed")?["indications"] as? Int == 3)
    }

    @Test func `have the measurements in the first generation`() throws {
        let bench = try KBeaconBench(first: ", events: [{trigger: 8, after_s: 3}]")
        let run = try bench.run(
            "history-read", KBeaconBench.first, ["--follow"], signal: (SIGINT, "indication", 1))
        let told = try #require(run.first("indication"))
        #expect(told["kind"] as? String == "humidity" && told["temperature_celsius"] as? Double == 60.5)
        #expect(told["humidity_percent"] as? Double == 81)
    }

    @Test func `have the kind of button press in the first generation`() throws {
        let bench = try KBeaconBench(first: ", events: [{trigger: 2, after_s: 3, press: triple-click}]")
        let run = try bench.run(
            "history-read", KBeaconBench.first, ["--follow"], signal: (SIGINT, "indication", 1))
        let told = try #require(run.first("indication"))
        #expect(told["kind"] as? String == "button" && told["click"] as? String == "triple-click")
        #expect(told["bytes"] as? String == "0305")
    }

    @Test func `end when the user stops them`() throws {
        let run = try KBeaconBench(Self.clicks).run(
            "history-read", KBeaconBench.second, ["--follow"], signal: (SIGINT, "indication", 2))
        #expect(run.status == 130, "\(run.talk)")
        #expect(run.first("followed")?["indications"] as? Int ?? 0 >= 2)
    }

    @Test func `end at their time limit`() throws {
        let run = try KBeaconBench(Self.clicks).run(
            "history-read", KBeaconBench.second, ["--follow", "--for", "0.1"])
        #expect(run.status == 0 && run.first("followed") != nil, "\(run.talk)")
    }
}
