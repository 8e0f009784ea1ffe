import Bluetooth
import Foundation
import TestSupport
import Testing
import Tray

@testable import TrayJournal

@Suite(.timeLimit(.minutes(10))) struct `A hook` {
    @Test func `has a name and a command`() {
        #expect(Hook("label=./print --tray 'a=b'") == Hook(name: "label", command: "./print --tray 'a=b'"))
        let long = String(repeating: "a", count: 33) + "=x"
        for text in ["", "label", "=x", "label=", "label=  ", "two words=x", "l/x=y", long] {
            #expect(Hook(text) == nil, "\(text)")
        }
    }

    private static func run(_ command: String, body: String = "{}", deadline: Duration = .seconds(60)) async
        -> HookOutcome
    {
        await HookProcess.run(
            Hook(name: "test", command: command), HookCall(key: "run/A1/1", body: body, tries: 3),
            deadline: deadline)
    }

    @Test func `receives the JSON on its input, and the key in its environment`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "hook-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let body = "{\"name\":\"$(touch /tmp/x) '\\\"\"," + String(repeating: " ", count: 100_000) + "}"
        let end = await Self.run("cat > \(path); echo $BEACON_DFU_KEY $BEACON_DFU_TRIES", body: body)
        #expect(end == .exited(0, lastLine: "run/A1/1 3"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == body + "\n")
    }

    @Test func `ends as its command does, whatever it reads and prints`() async {
        #expect(
            await Self.run("true", body: String(repeating: "x", count: 300_000)) == .exited(0, lastLine: nil)
        )
        #expect(
            await Self.run("echo one; echo 'no paper' >&2; echo; exit 7") == .exited(7, lastLine: "no paper")
        )
        #expect(await Self.run("yes | head -c 3000000; exit 1") == .exited(1, lastLine: "y"))
        #expect(await Self.run("kill -9 $$") == .killed(9))
        #expect(await Self.run("exec >&- 2>&-; exit 3") == .exited(3, lastLine: nil))
        #expect(await Self.run("sleep 1 & exit 4") == .exited(4, lastLine: nil))
        guard case .exited(127, _) = await Self.run("no-such-command-at-all") else {
            Issue.record("a command that is not there was found")
            return
        }
    }

    @Test func `is ended when it takes too long, and when its run is cancelled`() async {
        #expect(await Self.run("trap '' TERM; sleep 1000 & sleep 1000", deadline: .zero) == .late)
        let waiting = Task { await Self.run("sleep 1000") }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }

    @Test(arguments: [
        (HookOutcome.exited(0, lastLine: "x"), "taken"),
        (.exited(65, lastLine: "no such article"), "refused"),
        (.exited(75, lastLine: nil), "later"), (.exited(127, lastLine: nil), "later"),
        (.notBegun("fork"), "later"),
        (.exited(1, lastLine: nil), "fault"), (.killed(11), "fault"), (.late, "fault"),
    ])
    func `is tried again, or set aside, depending on its exit status`(end: HookOutcome, meaning: String)
        throws
    {
        let policy = HookPolicy()
        let moment = RecordedTime(milliseconds: 0)
        func answer(_ tries: Int, _ faults: Int) throws -> OutboxAnswer {
            try #require(policy.answer(to: end, tries: tries, faults: faults, at: moment)).answer
        }
        let (first, last) = (try answer(1, 0), try answer(5, 4))
        switch (meaning, first, last) {
        case ("taken", .acknowledged, .acknowledged), ("refused", .refused, .refused): break
        case ("later", .retry(_, let due), .retry(_, let later)):
            #expect(due.milliseconds == 1000 && later.milliseconds == 16_000)
            #expect(try answer(100, 0) == answer(50, 0))
        case ("fault", .retry(_, let due), .refused(let why)):
            #expect(due.milliseconds == 1000 && why.hasSuffix(", 5 times"))
        default: Issue.record("\(first), \(last)")
        }
        #expect(policy.answer(to: .cancelled, tries: 1, faults: 0, at: moment) == nil)
    }
}
