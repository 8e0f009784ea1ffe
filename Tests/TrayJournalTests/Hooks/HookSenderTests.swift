import Bluetooth
import Foundation
import Synchronization
import Testing
import Tray
import TrayJournal
import UpdateModel

@Suite(.timeLimit(.minutes(10))) struct `The results for a hook` {
    /// A hook that answers from a script, one answer for each call, and time that passes when a task sleeps.
    private final class ScriptedHook: Sendable {
        let calls = Mutex<[String]>([])
        private let script: Mutex<[HookOutcome]>
        private let present = Mutex(Duration.seconds(1000))

        init(_ script: [HookOutcome]) { self.script = Mutex(script) }

        var time: Timekeeper {
            Timekeeper(
                reading: { self.present.withLock { $0 } },
                waiting: { moment in self.present.withLock { $0 = max($0, moment) } },
                setting: { _, _ in Alarm {} })
        }

        var now: RecordedTime {
            RecordedTime(milliseconds: Int64(present.withLock { $0 } / .milliseconds(1)))
        }

        func send(_ call: HookCall) -> HookOutcome {
            calls.withLock { $0.append("\(call.key) \(call.tries)") }
            return script.withLock { $0.isEmpty ? .exited(0, lastLine: nil) : $0.removeFirst() }
        }
    }

    /// A journal with a result of each of `slots` for the hook `label`.
    private static func with(_ slots: [String], _ body: (Journal, JournalledRun) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hooks-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        var record = TrayRecord(id: "run")
        record.units = (slots + ["late"]).map { UnitRecord(slot: $0) }
        let run = try await journal.begin(record)
        for slot in slots { try await finish(slot, run) }
        try await body(journal, run)
    }

    private static func finish(_ slot: String, _ run: JournalledRun) async throws(JournalError) {
        let entries = ["label", "other"].map { OutboxEntry(kind: $0, key: slot, body: "{}") }
        try await run.close(slot, UnitVerdict(.passed), outbox: entries, at: RecordedTime(milliseconds: 0))
    }

    private static func deliver(_ journal: Journal, _ desk: ScriptedHook) async throws -> [String] {
        let (wakeUps, end) = AsyncStream.makeStream(of: Void.self)
        end.finish()
        try await HookSender(
            Hook(name: "label", command: ""), journal, time: desk.time, now: { desk.now },
            send: { desk.send($0) }
        ).run(wokenBy: wakeUps)
        return desk.calls.withLock { $0 }
    }

    @Test func `are sent in order, each until it is accepted`() async throws {
        try await Self.with(["A1", "A2"]) { journal, _ in
            let desk = ScriptedHook([.exited(75, lastLine: "no paper"), .late])
            let began = desk.now
            let calls = try await Self.deliver(journal, desk)
            #expect(calls == ["A1 1", "A1 2", "A1 3", "A2 1"])
            #expect(desk.now.seconds(since: began) == 3)
            #expect(try await journal.outbox(in: [.acknowledged], limit: 9).map(\.entry.key) == ["A1", "A2"])
            #expect(try await journal.next(inOutboxOf: "other")?.entry.key == "A1")
        }
    }

    @Test func `are set aside when refused or failed repeatedly, and delay no others`() async throws {
        try await Self.with(["A1", "A2", "A3"]) { journal, _ in
            let fault = HookOutcome.exited(1, lastLine: "crash")
            let desk = ScriptedHook(
                [.exited(65, lastLine: "no such article")] + Array(repeating: fault, count: 5))
            let calls = try await Self.deliver(journal, desk)
            #expect(calls == ["A1 1", "A2 1", "A2 2", "A2 3", "A2 4", "A2 5", "A3 1"])
            let refused = try await journal.outbox(in: [.refused], limit: 9)
            #expect(
                refused.map(\.lastError) == ["exit code 65: no such article", "exit code 1: crash, 5 times"])
            #expect(try await journal.retry("A2", of: "label", at: desk.now) == 1)
            #expect(try await Self.deliver(journal, desk).last == "A2 6")
        }
    }

    /// A wall clock that is `hours` away from the one with which a row was written.
    @Test(arguments: [-1, -24 * 365, 1])
    func `wait no longer than the retry pause, whatever the wall clock does`(hours: Int64) async throws {
        try await Self.with(["A1"]) { journal, run in
            let desk = ScriptedHook([.exited(75, lastLine: "no paper"), .exited(75, lastLine: nil)])
            let offset = Mutex<Int64>(0)
            let now: @Sendable () -> RecordedTime = {
                RecordedTime(milliseconds: desk.now.milliseconds + offset.withLock { $0 })
            }
            // The clock is set while A1 waits for its second attempt; what was never tried does not wait at all.
            try await run.close(
                "late", UnitVerdict(.passed), outbox: [OutboxEntry(kind: "label", key: "late", body: "{}")],
                at: now())
            let (wakeUps, end) = AsyncStream.makeStream(of: Void.self)
            end.finish()
            let began = desk.now
            try await HookSender(
                Hook(name: "label", command: ""), journal, time: desk.time, now: now,
                send: { call in
                    defer { offset.withLock { $0 = hours * 3_600_000 } }
                    return desk.send(call)
                }
            ).run(wokenBy: wakeUps)
            #expect(desk.calls.withLock { $0 } == ["A1 1", "A1 2", "A1 3", "late 1"])
            #expect((0...3).contains(desk.now.seconds(since: began)))
            #expect(try await journal.outbox(in: [.waiting, .sent], limit: 9).map(\.entry.kind) == ["other"])
        }
    }

    @Test func `keep no control characters of the hook's output`() async throws {
        try await Self.with(["A1"]) { journal, _ in
            let ends = [
                HookOutcome.exited(75, lastLine: "\u{1B}[2Jno\u{7} paper"),
                .exited(65, lastLine: "\u{9B}x"),
            ]
            _ = try await Self.deliver(journal, ScriptedHook(ends))
            let row = try #require(try await journal.outbox(in: [.refused], limit: 1).first)
            #expect(row.lastError == "exit code 65: \\u{9b}x")
        }
        try await Self.with(["A1"]) { journal, _ in
            let ends = [HookOutcome.exited(75, lastLine: "\u{1B}[2Jno\u{7} paper"), .cancelled]
            _ = try await Self.deliver(journal, ScriptedHook(ends))
            let row = try #require(try await journal.outbox(in: [.waiting, .sent], limit: 1).first)
            #expect(row.lastError == "exit code 75: \\u{1b}[2Jno\\u{7} paper")
        }
    }

    @Test func `are sent again if their acceptance is unknown`() async throws {
        try await Self.with(["A1"]) { journal, _ in
            // Ended in the middle of a call.
            let calls = try await Self.deliver(journal, ScriptedHook([.cancelled]))
            #expect(calls == ["A1 1"])
            #expect(try await journal.next(inOutboxOf: "label")?.state == .sent)
            #expect(try await Self.deliver(journal, ScriptedHook([])) == ["A1 2"])
        }
    }

    @Test func `are sent when they are new, until the source ends`() async throws {
        try await Self.with([]) { journal, run in
            let desk = ScriptedHook([])
            let (wakeUps, teller) = AsyncStream.makeStream(of: Void.self)
            let sender = HookSender(
                Hook(name: "label", command: ""), journal, time: desk.time, now: { desk.now },
                send: { desk.send($0) })
            async let end: Void = sender.run(wokenBy: wakeUps)
            try await Self.finish("late", run)
            teller.yield()
            teller.finish()
            try await end
            #expect(desk.calls.withLock { $0 } == ["late 1"])
        }
    }
}
