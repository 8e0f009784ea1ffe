import Foundation
import TestSupport
import Testing
import Tray
import TrayJournal
import UpdateModel

@Suite(.timeLimit(.minutes(10)), .programs) struct `The history on the command line` {
    /// A folder with a journal, deleted at the end of its scope.
    private struct HistoryFolder {
        let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
            .path
        var journal: String { folder + "/state/beacon-dfu/journal.sqlite" }

        func run(_ arguments: [String]) throws -> Program.Run {
            try Program.run(
                ["history"] + arguments, environment: ["XDG_STATE_HOME": folder + "/state", "HOME": folder])
        }

        /// The lines of the table or the sheet below its heading.
        func rows(_ arguments: [String]) throws -> [String] {
            try run(arguments).output.split(separator: "\n").dropFirst().map(String.init)
        }
    }

    private static let sample = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

    /// Two runs of two units each; the first unit passes, the second fails and has a hostile name.
    private static func with(_ body: (HistoryFolder) async throws -> Void) async throws {
        let home = HistoryFolder()
        defer { try? FileManager.default.removeItem(atPath: home.folder) }
        let journal = try await Journal.open(at: home.journal, owner: JournalOwner(tray: nil))
        let hash = try SampleHash.of(sample)
        for (number, day) in [(1, 1_767_225_600_000), (2, 1_769_904_000_000)] as [(Int, Int64)] {
            var record = TrayRecord(id: "0000000\(number)-0000-4000-8000-000000000000")
            record.orderNumber = "WO-\(number)"
            record.station = "bench 2"
            record.sessions = [.init(number: 1, began: RecordedTime(milliseconds: day), version: "0.1.0")]
            record.units = ["A1", "A2"].map { UnitRecord(slot: $0) }
            record.units[0].identifier = "N-1"
            record.units[1].name = "=cmd|'/c calc'!A1\u{1B}[31m"
            let run = try await journal.begin(record)
            for (index, outcome) in [(0, UnitOutcome.passed), (1, .failed)] {
                var attempt = AttemptRecord(
                    number: 1, session: 1, adapter: "hci0",
                    began: RecordedTime(milliseconds: day + Int64(index) * 1000),
                    address: "F0:0D:BE:AC:0\(index):00/random",
                    firmware: FirmwareRecord(
                        path: "/old place/blinker.zip", sha256: hash, kind: "nordic-secure", bytes: 30720,
                        version: "2"))
                attempt.versionBefore = "0"
                let slot = record.units[index].slot
                try await run.begin(attempt, of: slot)
                attempt.verified = outcome == .passed ? "version" : "no"
                attempt.versionAfter = outcome == .passed ? "2" : nil
                attempt.verdict = UnitVerdict(outcome, code: outcome == .passed ? nil : "link-lost")
                try await run.close(
                    slot, UnitVerdict(outcome), ending: attempt,
                    outbox: number == 2 ? [] : [.init(kind: "label", key: "label \(slot)", body: "{}")],
                    at: attempt.began)
            }
        }
        journal.close()
        try await body(home)
    }

    @Test func `shows every attempt, the latest first, without control characters`() async throws {
        try await Self.with { home in
            let run = try home.run([])
            #expect(run.status == 0)
            #expect(run.talk == "4 attempts\n")
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 5)
            #expect(lines[0].hasPrefix("BEGAN (UTC)"))
            #expect(lines[1].hasPrefix("2026-02-01T00:00:01Z  failed   F0:0D:BE:AC:01:00"))
            #expect(lines[1].contains("\\u{1b}[31m") && !run.output.contains("\u{1B}"))
            #expect(lines[2].contains("blinker.zip   0 → 2    version   -  "), "\(lines[2])")
            let two = try home.run(["--limit", "2"])
            #expect(two.talk == "the latest 2 attempts; --limit shows more\n")
        }
    }

    @Test func `can be searched by beacon, outcome, order, date, run and file`() async throws {
        try await Self.with { home in
            for arguments in [
                ["--device", "F0:0D:BE:AC:00:00"], ["--device", "id:n-1"], ["--id", "N-1"],
                ["--outcome", "passed"],
                ["--order", "WO-1"], ["--since", "2026-01-01", "--until", "2026-01-01"],
                ["--until", "2026-01-31"], ["--since", "2026-01-31T23:59:59Z"], ["--run", "00000001"],
            ] {
                #expect(try home.rows(arguments).count == 2, "\(arguments)")
            }
            for arguments in [
                ["--file", Self.sample], ["--file", "blinker.zip"], ["--file", "/old place/blinker.zip"],
                ["--file", String(try SampleHash.of(Self.sample).prefix(8))], ["--station", "bench 2"],
                ["--outcome", "passed", "--outcome", "failed"],
            ] {
                #expect(try home.rows(arguments).count == 4, "\(arguments)")
            }
            let none = try home.run(["--id", "N-7"])
            #expect(none.status == 2 && none.output.isEmpty && none.talk == "0 attempts\n")
            for arguments in [
                ["--since", "2026-02-30"], ["--since", "2026-02-01", "--until", "2026-01-01"],
                ["--csv", "--json"],
                ["--outcome", "fine"], ["--id", "x", "--device", "name:x"], ["--yes"], ["--limit", "-1"],
            ] {
                #expect(try home.run(arguments).status == 64, "\(arguments)")
            }
        }
    }

    @Test func `is a spreadsheet without formulas, and JSON without losses`() async throws {
        try await Self.with { home in
            let sheet = try home.run(["--csv", "--outcome", "failed", "--limit", "1"])
            let lines = sheet.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 2)
            #expect(lines[0].hasPrefix("began,outcome,address,id,name,"))
            #expect(
                lines[1].contains(#",'=cmd|'/c calc'!A1\u{1b}[31m,"#)
                    || lines[1].contains(#","'=cmd|'/c calc'!A1\u{1b}[31m","#), "\(lines[1])")
            let json = try home.run(["--json"])
            #expect(json.names == ["attempt", "attempt", "attempt", "attempt", "history"])
            #expect(json.last["attempts"] as? Int == 4 && json.last["more"] as? Bool == false)
            let first = try #require(json.first("attempt"))
            #expect(first["name"] as? String == "=cmd|'/c calc'!A1\u{1B}[31m")
            #expect(first["outcome"] as? String == "failed" && first["order_number"] as? String == "WO-2")
            #expect(first["version_after"] is NSNull && first["firmware_bytes"] as? Int == 30720)
        }
    }

    @Test func `is exported whole, and deleted on confirmation, except for undelivered results`() async throws
    {
        try await Self.with { home in
            let copy = home.folder + "/copy.sqlite"
            #expect(try home.run(["--export", copy]).status == 0)
            #expect(try home.rows(["--journal", copy]).count == 4)
            #expect(try home.run(["--export", copy, "--json"]).last["code"] as? String == "file-exists")
            let lost = try home.run(["--export", home.folder + "/none/copy.sqlite", "--json"])
            #expect(lost.last["code"] as? String == "file-not-writable", "\(lost.output)")
            #expect((lost.last["message"] as? String)?.contains("journal") == false, "\(lost.output)")

            let asked = try home.run(["--delete-before", "2026-12-31"])
            #expect(asked.status == 2)
            #expect(
                asked.talk == """
                    1 run that began before 2026-12-31T00:00:00Z would be deleted; --yes deletes them
                    1 older run is kept: some results are not delivered (`history outbox`)

                    """)
            #expect(try home.rows([]).count == 4)
            let done = try home.run(["--delete-before", "2026-12-31", "--yes", "--json"])
            #expect(done.status == 0 && done.last["runs"] as? Int == 1 && done.last["kept"] as? Int == 1)
            #expect(try home.rows([]).count == 2)
            #expect(try home.run(["--delete-before", "2026-12-31", "--yes"]).status == 2)
        }
    }

    @Test func `produces the report of a finished run`() async throws {
        try await Self.with { home in
            let (page, sheet) = (home.folder + "/r.html", home.folder + "/r.csv")
            let run = try home.run(["--run", "00000001", "--report", page, "--report", sheet, "--json"])
            #expect(run.status == 0 && run.names == ["report", "report"], "\(run.output)\(run.talk)")
            let html = String(decoding: try Samples.file(at: page), as: UTF8.self)
            #expect(html.contains("WO-1") && !html.contains("WO-2"))
            #expect(String(decoding: try Samples.file(at: sheet), as: UTF8.self).contains("N-1"))
            #expect(try home.run(["--run", "latest", "--report", page]).status == 0)
            #expect(String(decoding: try Samples.file(at: page), as: UTF8.self).contains("WO-2"))
            #expect(try home.rows(["--run", "latest"]).count == 2)
            for id in ["0000000", "7"] {
                let unknown = try home.run(["--run", id, "--report", page, "--json"])
                #expect(unknown.status == 2 && unknown.last["code"] as? String == "run-unknown")
            }
            #expect(try home.run(["--report", page]).status == 64)
        }
    }

    @Test func `shows what was not delivered, and records decisions about it`() async throws {
        try await Self.with { home in
            let waiting = try home.run(["outbox"])
            #expect(waiting.status == 0 && waiting.talk == "2 waiting, 0 refused\n")
            #expect(waiting.output.contains("1       waiting  label  label A1  0"), "\(waiting.output)")
            #expect(try home.run(["outbox", "--drop", "label A1"]).status == 0)
            let rest = try home.run(["outbox", "--json"])
            #expect(rest.names == ["result", "outbox"])
            #expect(rest.first("result")?["key"] as? String == "label A2")
            #expect(try home.run(["outbox", "--all", "--json"]).names == ["result", "result", "outbox"])
            #expect(try home.run(["outbox", "--retry", "label A1"]).status == 0)
            #expect(try home.run(["outbox"]).talk == "2 waiting, 0 refused\n")
            #expect(try home.run(["outbox", "--drop", "label A1", "--hook", "upload"]).status == 2)
            let unknown = try home.run(["outbox", "--retry", "labl", "--json"])
            #expect(unknown.status == 2 && unknown.last["code"] as? String == "outbox-key-unknown")
        }
    }

    @Test func `drops no result for the work server, which would wait for its number without end`()
        async throws
    {
        try await Self.with { home in
            let journal = try await Journal.open(at: home.journal, owner: JournalOwner(tray: nil))
            var record = TrayRecord(id: "00000003-0000-4000-8000-000000000000")
            record.units = [UnitRecord(slot: "A1")]
            let entries = ["@engine", "label"].map { OutboxEntry(kind: $0, key: "both", body: "{}") }
            try await journal.begin(record).close("A1", UnitVerdict(.passed), outbox: entries, at: .now)
            journal.close()
            for more in [[], ["--hook", "@engine"]] {
                let refused = try home.run(["outbox", "--drop", "both", "--json"] + more)
                #expect(refused.status == 1 && refused.last["code"] as? String == "result-not-droppable")
            }
            #expect(try home.run(["outbox"]).talk == "4 waiting, 0 refused\n")
            #expect(try home.run(["outbox", "--drop", "both", "--hook", "label"]).status == 0)
            #expect(try home.run(["outbox", "--retry", "both", "--hook", "@engine"]).status == 0)
        }
    }

    @Test func `reports what is wrong with a journal`() async throws {
        let home = HistoryFolder()
        defer { try? FileManager.default.removeItem(atPath: home.folder) }
        let missing = try home.run(["--json"])
        #expect(missing.status == 66 && missing.last["code"] as? String == "journal-missing")
        let foreign = try home.run(["--journal", Self.sample, "--json"])
        #expect(foreign.status == 65 && foreign.last["code"] as? String == "journal-foreign")
        try await Self.with { home in
            let journal = try await Journal.open(at: home.journal, owner: JournalOwner(tray: "line3.yaml"))
            #expect(try home.run([]).status == 0)
            let taken = try home.run(["--delete-before", "2026-01-31", "--yes", "--json"])
            // The results in the outbox keep it, so nothing had to be opened.
            #expect(taken.status == 2)
            let refused = try home.run(["--delete-before", "2027-01-31", "--yes", "--json"])
            #expect(refused.status == 75 && refused.last["code"] as? String == "journal-taken")
            #expect((refused.last["message"] as? String)?.contains("for line3.yaml") == true)
            journal.close()
        }
    }
}

/// The SHA-256 of a sample file.
private enum SampleHash {
    static func of(_ path: String) throws -> String {
        let name = path.dropFirst((Samples.root + "/firmware-samples/").count)
        let sums = String(decoding: try Samples.bytes("SHA256SUMS"), as: UTF8.self)
        let line = try #require(sums.split(separator: "\n").first { $0.hasSuffix("  \(name)") })
        return String(line.prefix(64))
    }
}
