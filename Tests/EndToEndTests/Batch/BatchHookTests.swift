import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A hook of a run over a tray` {
    /// The objects in the lines of a file.
    private static func told(_ path: String) throws -> [[String: Any]] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    @Test func `receives every finished unit once, with the values of a report`() throws {
        let bench = try BatchBench(3)
        let log = bench.air.folder + "/told"
        let run = try bench.run(["--hook", "store=cat >> '\(log)'", "--order-number", "WO-17"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        let told = try Self.told(log)
        #expect(told.compactMap { $0["slot"] as? String }.sorted() == ["A1", "A2", "A3"])
        #expect(Set(told.compactMap { $0["key"] as? String }).count == 3)
        let first = try #require(told.first)
        #expect(first["event"] as? String == "unit" && first["outcome"] as? String == "passed")
        #expect(first["order_number"] as? String == "WO-17")
        #expect((first["attempts"] as? [[String: Any]])?.first?["verified"] as? String == "version")
        #expect(try Program.run(["history", "outbox", "--journal", bench.journal]).status == 2)
    }

    @Test func `that refuses a result changes no outcome and delays no other result`() throws {
        let bench = try BatchBench(3)
        let log = bench.air.folder + "/told"
        let command =
            "read -r unit; case $unit in *'\"slot\":\"A1\"'*) echo 'no such article'; exit 65;; esac; echo $unit >> '\(log)'"
        let run = try bench.run(["--hook", "store=\(command)"])
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(try Self.told(log).count == 2)
        let warning = try #require(run.events.first { $0["code"] as? String == "hook-refused" })
        #expect((warning["message"] as? String)?.hasSuffix("exit code 65: no such article") == true)
        #expect(run.names.last == "batch-finished")
        let outbox = try Program.run(["history", "outbox", "--journal", bench.journal, "--json"])
        #expect(outbox.last["refused"] as? Int == 1)
        let key = try #require(outbox.first("result")?["key"] as? String)
        #expect(
            try Program.run(["history", "outbox", "--journal", bench.journal, "--retry", key]).status == 0)
        // The next run with a hook of that name delivers it, with its own results.
        let again = try bench.run(["--hook", "store=cat >> '\(log)'"])
        #expect(again.status == 2, "\(again.output)\(again.talk)")
        #expect(try Self.told(log).compactMap { $0["slot"] as? String }.filter { $0 == "A1" }.count == 2)
    }

    @Test func `receives after a crash what was still undelivered`() throws {
        let bench = try BatchBench(3)
        let log = bench.air.folder + "/told"
        // The first run is killed at the end of a unit, before or after the hook received it; another may have ended too.
        // The third, for which there is no link yet, keeps the run from ending first.
        let hook = ["--no-golden", "--links", "2", "--hook", "store=cat >> '\(log)'"]
        let cut = try bench.run(hook, signal: (SIGKILL, "finished", 1))
        #expect(cut.status == 128 + SIGKILL)
        let rest = try bench.run(["--resume", "--hook", "store=cat >> '\(log)'"])
        #expect([0, 2].contains(rest.status), "\(rest.output)\(rest.talk)")
        let told = try Self.told(log)
        #expect(Set(told.compactMap { $0["slot"] as? String }) == ["A1", "A2", "A3"])
        // At least once: a receiver can detect duplicates by the key.
        #expect(Set(told.compactMap { $0["key"] as? String }).count == 3)
    }

    @Test(arguments: ["store", "=x", "st ore=x", "store="]) func `has a name and a command`(text: String)
        throws
    {
        let run = try Program.run(["batch", "tray.yaml", "--hook", text])
        #expect(run.status == 64 && run.talk.contains("a hook is NAME=COMMAND"), "\(run.talk)")
    }
}
