import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A run over a tray` {
    @Test func `updates every unit, and reports each slot`() throws {
        let bench = try BatchBench(4)
        let run = try bench.run()
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(
            BatchBench.outcomes(run) == ["A1": "passed", "A2": "passed", "A3": "passed", "A4": "passed"])
        for index in 0..<4 { #expect(try bench.isRight(index)) }
        #expect(run.names.first == "batch-started" && run.names.last == "batch-finished")
        #expect(run.last["exit"] as? Int == 0 && run.last["final_yield"] as? Double == 1)
        // The unit is named before anything is done to it.
        for slot in ["A1", "A2", "A3", "A4"] {
            let own = run.events.filter { $0["slot"] as? String == slot }.compactMap {
                $0["event"] as? String
            }
            let found = try #require(own.firstIndex(of: "found"))
            let started = try #require(own.firstIndex(of: "started"))
            #expect(found < started && own.last == "finished")
        }
    }

    @Test func `has nothing to do if every unit has its firmware`() throws {
        let bench = try BatchBench(2)
        #expect(try bench.run(["--no-golden"]).status == 0)
        let again = try bench.run(["--no-golden"])
        #expect(again.status == 2, "\(again.output)")
        #expect(BatchBench.outcomes(again) == ["A1": "not-needed", "A2": "not-needed"])
    }

    @Test func `resumes after it was killed, and flashes no unit twice without need`() throws {
        let bench = try BatchBench(4, link: "{interval_ms: 15, event_ms: 7.5}")
        let cut = try bench.run(["--no-golden"], signal: (SIGKILL, "progress", 6))
        #expect(cut.status == 128 + SIGKILL)
        let rest = try bench.run(["--resume"])
        #expect(rest.status == 0, "\(rest.output)\(rest.talk)")
        for index in 0..<4 { #expect(try bench.isRight(index)) }
        let done = BatchBench.outcomes(cut).filter { $0.value == "passed" }.keys
        #expect(Set(done).isDisjoint(with: BatchBench.outcomes(rest).keys))
        let third = try bench.run(["--resume"])
        #expect(third.status == 2 && third.last["code"] as? String == "run-complete")
        #expect((third.last["next_step"] as? String)?.contains("--retry-failed takes") == true)
        let fourth = try bench.run(["--retry-failed"])
        #expect(fourth.status == 2 && fourth.last["code"] as? String == "run-complete")
        #expect((fourth.last["next_step"] as? String)?.contains("omit --retry-failed") == true)
    }

    @Test(arguments: [false, true])
    func `says that it was not begun if it is stopped during its scan`(_ isResumed: Bool) throws {
        let bench = try BatchBench(1)
        let report = bench.air.folder + "/report.csv"
        let arguments = [
            "batch", BatchBench.package, "--rule", "name=Lamp*", "--adapter",
            bench.air.scenario, "--journal", bench.journal, "--json", "--report", report,
        ]
        let cut = try Program.run(arguments + ["--timeout", "1"])
        #expect(cut.status == 75 && cut.last["code"] as? String == "timed-out", "\(cut.output)")
        let words = "no unit of this run was begun: it is not in the journal, and its report was not written"
        #expect((cut.last["message"] as? String)?.hasSuffix(words) == true, "\(cut.output)")
        #expect(!FileManager.default.fileExists(atPath: report))
        #expect(
            try Program.run(["history", "--journal", bench.journal, "--json"]).last["attempts"] as? Int == 0)
        let next = try Program.run(arguments + (isResumed ? ["--resume"] : ["--expected", "1"]))
        #expect(next.status == (isResumed ? 2 : 0), "\(next.output)")
        #expect(FileManager.default.fileExists(atPath: report) == !isResumed)
    }

    @Test func `finishes running units at the first Ctrl-C, and resumes with the others`() throws {
        let bench = try BatchBench(6)
        let cut = try bench.run(["--no-golden", "--links", "2"], signal: (SIGINT, "progress", 1))
        #expect(cut.status == 130, "\(cut.output)\(cut.talk)")
        let outcomes = BatchBench.outcomes(cut)
        #expect(outcomes.values.contains("passed") && outcomes.values.contains("aborted"))
        let rest = try bench.run(["--resume"])
        #expect(rest.status == 0, "\(rest.output)\(rest.talk)")
        for index in 0..<6 { #expect(try bench.isRight(index)) }
    }

    @Test func `starts no others if the golden unit does not pass, and continues once that is corrected`()
        throws
    {
        let bench = try BatchBench(4) { $0 == 0 ? ", hardware: 51" : "" }
        let run = try bench.run()
        #expect(run.status == 1, "\(run.output)")
        #expect(BatchBench.outcomes(run)["A1"] == "failed")
        #expect(run.first("held")?["code"] as? String == "golden-failed")
        let failed = try #require(run.first("failed"))
        #expect(failed["code"] as? String == "hardware-version-mismatch")
        #expect(failed["next_step"] is String)
        let rest = try bench.run(["--retry-failed", "--no-golden"])
        #expect(
            BatchBench.outcomes(rest) == ["A1": "failed", "A2": "passed", "A3": "passed", "A4": "passed"])
    }

    @Test(arguments: ["unplugged_s: [3]", "unplugged_s: [3, 5], replaced: true"])
    func `continues with another adapter after one is removed`(_ fate: String) throws {
        // Slow enough that a fast machine is not done before the adapter is removed.
        let bench = try BatchBench(
            4, adapters: "\nconnecting: kernel\nadapters: [{name: a, \(fate)}, {name: b}]",
            link: "{interval_ms: 30}")
        let run = try bench.run(["--no-golden"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.last["first_pass_yield"] as? Double == 1)
        #expect(run.first("adapter-gone")?["adapter"] as? String == "a")
        #expect(run.first("adapter-back") == nil)
        for index in 0..<4 { #expect(try bench.isRight(index)) }
    }

    @Test func `resumes with units after an error of the bench, as the tray file defines them by then`()
        throws
    {
        let bench = try BatchBench(2)
        let tray = BatchBench.tray(2)
        let device = BatchBench.address(1) + "/random"
        try Data(tray.replacing(device, with: "name:Lamp 0").utf8).write(to: URL(filePath: bench.file))
        let run = try bench.run(["--no-golden"])
        #expect(run.status == 1, "\(run.output)")
        #expect(BatchBench.outcomes(run) == ["A1": "passed", "A2": "error"])
        try Data(tray.utf8).write(to: URL(filePath: bench.file))
        let rest = try bench.run(["--resume"])
        #expect(rest.status == 0, "\(rest.output)\(rest.talk)")
        #expect(BatchBench.outcomes(rest) == ["A2": "passed"])
        #expect(rest.last["first_pass_yield"] as? Double == 1)
        #expect(try bench.isRight(1))
    }

    @Test func `explains what to do with a package that is named as a tray`() throws {
        let run = try Program.run(["batch", BatchBench.package, "--adapter", "sim", "--json"])
        #expect(run.status == 65 && run.last["code"] as? String == "tray-invalid")
        #expect((run.last["next_step"] as? String)?.contains("--rule") == true)
    }

    @Test func `names units that do not exist`() throws {
        let bench = try BatchBench(2)
        try Data(BatchBench.tray(3, "limits: {tray_s: 60}\n").utf8).write(to: URL(filePath: bench.file))
        let run = try bench.run(["--no-golden"])
        #expect(run.status == 1)
        #expect(BatchBench.outcomes(run) == ["A1": "passed", "A2": "passed", "A3": "failed"])
    }

    @Test func `does nothing to a unit whose id differs from its label, or whose battery is too low`() throws
    {
        let bench = try BatchBench(3) {
            $0 < 2 ? ", advertises: {kind: kkm, period_ms: 100}" : ", battery_mv: 2000"
        }
        let tray = """
            tray: 1
            firmware: \(BatchBench.package)
            slots:
              - {slot: A1, device: '\(BatchBench.address(0))', id: '\(BatchBench.address(0))'}
              - {slot: A2, device: '\(BatchBench.address(1))', id: abcd}
              - {slot: A3, device: '\(BatchBench.address(2))'}
            """
        try Data(tray.utf8).write(to: URL(filePath: bench.file))
        let run = try bench.run(["--no-golden"])
        #expect(
            BatchBench.outcomes(run) == ["A1": "passed", "A2": "failed", "A3": "failed"], "\(run.output)")
        func code(_ slot: String) -> String? {
            run.events.last { $0["slot"] as? String == slot }?["code"] as? String
        }
        #expect(code("A2") == "label-mismatch" && code("A3") == "battery-low")
        #expect(try bench.isRight(0) && !bench.isRight(1) && !bench.isRight(2))
    }

    @Test func `connects to no unit that only its vendor can update`() throws {
        let bench = try BatchBench(2) {
            $0 == 0 ? "" : ", advertises: {kind: kontakt, id: wxyz, period_ms: 100}"
        }
        let run = try bench.run(["--no-golden"])
        #expect(run.status == 1 && BatchBench.outcomes(run) == ["A1": "passed", "A2": "error"])
        let told = run.events.filter { $0["slot"] as? String == "A2" }
        let last = try #require(told.last)
        #expect(last["code"] as? String == "vendor-only", "\(run.output)")
        #expect((last["next_step"] as? String)?.hasPrefix("update it with Kontakt.io's") == true)
        #expect(!told.contains { $0["event"] as? String == "connected" })
        #expect(try bench.isRight(0) && !bench.isRight(1))
    }

    @Test func `selects the beacons that match a condition, up to the expected number`() throws {
        let bench = try BatchBench(3)
        let base = ["batch", BatchBench.package, "--adapter", bench.air.scenario, "--journal", bench.journal]
        let rule = ["--rule", "name=Lamp*", "--scan-for", "1", "--json"]
        let over = try Program.run(base + rule + ["--expected", "2"])
        #expect(over.status == 1 && over.last["code"] as? String == "tray-overrun")
        let run = try Program.run(base + rule + ["--expected", "3", "--no-golden"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(BatchBench.outcomes(run) == ["1": "passed", "2": "passed", "3": "passed"])
        let none = try Program.run(base + ["--rule", "name=Nobody*", "--scan-for", "0.5", "--json"])
        #expect(none.status == 2 && none.last["code"] as? String == "tray-empty")
        let expected = ["--rule", "name=Nobody*", "--expected", "3", "--scan-for", "0.5", "--json"]
        let missing = try Program.run(base + expected)
        #expect(missing.status == 3 && missing.last["code"] as? String == "device-not-found")
        #expect((missing.last["message"] as? String)?.hasSuffix("and 3 units were expected") == true)
    }

    @Test func `writes a tray of the beacons in range, which can be run`() throws {
        let bench = try BatchBench(2)
        let path = bench.air.folder + "/heard.yaml"
        let written = try Program.run([
            "batch", BatchBench.package, "--adapter", bench.air.scenario, "--rule", "name=Lamp*",
            "--scan-for",
            "1", "--from-scan", path,
        ])
        #expect(written.status == 0, "\(written.talk)")
        let run = try Program.run([
            "batch", path, "--adapter", bench.air.scenario, "--journal", bench.journal, "--no-golden",
            "--json",
        ])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(BatchBench.outcomes(run).count == 2)
    }

    @Test func `fills slots with codes, and refuses unknown, repeated or passed ones`() throws {
        let bench = try BatchBench(2)
        let tray = "tray: 1\nfirmware: \(BatchBench.package)\nslots: [{slot: A1}, {slot: A2}]\n"
        try Data(tray.utf8).write(to: URL(filePath: bench.file))
        func run(_ codes: String, _ more: [String] = []) throws -> Program.Run {
            let list = try bench.air.write(Array(codes.utf8), as: "codes.csv")
            return try bench.run(["--codes", list, "--scan-for", "1", "--no-golden"] + more)
        }
        let known = BatchBench.address(0).filter { $0 != ":" }
        let unknown = try run("\(known)\nF00000000999\n")
        #expect(unknown.status == 65 && unknown.last["code"] as? String == "code-refused")
        #expect((unknown.last["message"] as? String)?.contains("line 2") == true)
        #expect(try run("\(known)\nA2,\(known)\n").last["code"] as? String == "code-refused")
        let several = try run("F00000000999\nA1,\(known)\nA2,\(known)\n")
        let lines = try #require(several.last["message"] as? String)
        #expect(lines.contains("line 1: beacon") && lines.contains("line 3: this beacon"), "\(lines)")
        #expect(
            several.last["next_step"] as? String == "if this is intended, add --allow move --allow unknown")
        let right = try run("slot,code\nA2,\(known)\n\(BatchBench.address(1))\n")
        #expect(right.status == 0, "\(right.output)\(right.talk)")
        let again = try run("\(known)\n\(BatchBench.address(1))\n")
        #expect((again.last["next_step"] as? String)?.contains("--allow again") == true, "\(again.output)")
        let id = try #require(right.first("batch-started")?["run"] as? String).prefix(8)
        let words = try #require(again.last["message"] as? String)
        #expect(
            words.contains("has already passed, on 20") && words.contains("in run \(id)"))
        #expect(try run("\(known)\n\(BatchBench.address(1))\n", ["--allow", "again"]).status == 2)
        let empty = try run("\(known)\n", ["--allow", "again"])
        #expect(empty.last["code"] as? String == "slot-empty")
    }

    @Test func `writes reports, and refuses a file name without a known format`() throws {
        let bench = try BatchBench(2)
        let names = ["r.html", "r.csv", "r.json", "r.xml"].map { bench.air.folder + "/" + $0 }
        let run = try bench.run(["--no-golden"] + names.flatMap { ["--report", $0] })
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        for name in names { #expect(try !Samples.file(at: name).isEmpty) }
        // Before anything is done to a unit.
        // The second folder exists, but takes no file, not even from root.
        for folder in [bench.air.folder + "/nowhere", "/proc"] {
            let nowhere = try bench.run(["--report", folder + "/r.html"])
            #expect(nowhere.status == 66 && nowhere.names == ["failed"], "\(nowhere.output)")
        }
        let wrong = try bench.run(["--report", "report.docx"])
        #expect(wrong.status == 64 && wrong.last["code"] as? String == "report-format")
    }

    @Test func `uses several adapters, and reports which one a unit used`() throws {
        let bench = try BatchBench(6, adapters: "\nadapters: 2\nconnecting: kernel")
        let run = try bench.run(["--no-golden"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        let adapters = Set(
            run.events.filter { $0["event"] as? String == "attempt" }.compactMap { $0["adapter"] as? String })
        #expect(adapters.count == 2, "\(adapters)")
    }

    @Test func `is preceded by a check of the bench, which is recorded with it`() throws {
        let bench = try BatchBench(2)
        let doctor = try Program.run([
            "doctor", "--tray", "--for", "0.5", "--adapter", bench.air.scenario, "--journal", bench.journal,
            "--catalogue", Samples.root + "/manifests", "--json",
        ])
        let names = doctor.events.compactMap { $0["name"] as? String }
        #expect(
            Set(names).isSuperset(of: ["adapter", "links", "air", "journal", "disk", "clock", "catalogue"]),
            "\(doctor.output)\(doctor.talk)")
        let report = bench.air.folder + "/r.json"
        #expect(try bench.run(["--no-golden", "--report", report]).status == 0)
        let text = String(decoding: try Samples.file(at: report), as: UTF8.self)
        #expect(text.contains("the journal's disk has"))
    }

    @Test func `refuses a second run on the same journal, and names the first`() throws {
        let bench = try BatchBench(3)
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = bench.arguments(["--no-golden"])
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, Pipe())
        try process.run()
        // Its first line comes when it holds the journal, and it is stopped until the second has requested it: on a
        // busy machine three beacons are done before another program has started.
        _ = output.fileHandleForReading.availableData
        kill(process.processIdentifier, SIGSTOP)
        let second: Program.Run
        do {
            defer { kill(process.processIdentifier, SIGCONT) }
            second = try bench.run(["--no-golden"])
        }
        #expect(second.status == 75 && second.last["code"] as? String == "journal-taken", "\(second.output)")
        #expect((second.last["message"] as? String)?.contains("\(process.processIdentifier)") == true)
        _ = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(arguments: [
        [], ["a.yaml", "--catalogue", "x"], ["--rule", "name=A"],
        ["a.zip", "--rule", "name=A", "--catalogue", "x"],
        ["a.yaml", "--resume", "--retry-failed"], ["a.yaml", "--links", "0"], ["a.yaml", "--allow", "move"],
        ["a.yaml", "--from-scan", "b.yaml"], ["a.yaml", "--expected", "0"],
    ])
    func `needs a tray file or a condition, and one source of firmware`(arguments: [String]) throws {
        #expect(try Program.run(["batch", "--adapter", "sim"] + arguments).status == 64)
    }
}
