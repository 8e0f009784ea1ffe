import Bluetooth
import Foundation
import Synchronization
import TestSupport
import Testing
import Tray
import TrayJournal
import UpdateModel
import Work

@Suite(.timeLimit(.minutes(1))) struct `Handing results in` {
    /// Time that passes when a task sleeps, and at each alarm, as often as requested.
    private final class ScriptedTime: Sendable {
        let present = Mutex(Duration.seconds(1000))
        let sleeps = Mutex(0)
        /// One for each sleep.
        let naps = AsyncStream.makeStream(of: Void.self)
        let alarms = Mutex(0)
        /// One for each alarm that is set: the sender has nothing left to do, and waits.
        let rests = AsyncStream.makeStream(of: Void.self)
        let news = Mutex<[ResultSender.Event]>([])

        /// Counts those of one kind.
        func count(_ isMeant: (ResultSender.Event) -> Bool) -> Int {
            news.withLock { $0.count(where: isMeant) }
        }

        var time: Timekeeper {
            Timekeeper(
                reading: { self.present.withLock { $0 } },
                waiting: { moment in
                    self.present.withLock { $0 = max($0, moment) }
                    self.sleeps.withLock { $0 += 1 }
                    self.naps.continuation.yield()
                    await Task.yield()
                    try Task.checkCancellation()
                },
                setting: { moment, ring in
                    let rings = self.alarms.withLock { alarms in
                        defer { alarms = max(0, alarms - 1) }
                        return alarms > 0
                    }
                    if rings {
                        self.present.withLock { $0 = max($0, moment) }
                        ring()
                    }
                    self.rests.continuation.yield()
                    return Alarm {}
                })
        }
    }

    private struct Bench {
        let journal: Journal
        let run: JournalledRun
        let engine = CountingWorkServer()
        let clock = ScriptedTime()

        func sender() -> ResultSender {
            let identity = StationIdentity(name: "one", incarnation: journal.incarnation, machine: "m")
            return ResultSender(
                from: journal, to: engine, time: clock.time, now: { RecordedTime(milliseconds: 5) },
                chance: { 0.5 },
                stationReport: { last, waiting, since in
                    StationReport(
                        identity, program: "test", lastSequence: last, waiting: waiting,
                        oldestWaiting: since, clock: RecordedTime(milliseconds: 5))
                }, report: { [clock] told in clock.news.withLock { $0.append(told) } })
        }

        func close(_ slot: String, body: String = #"{"outcome":"passed"}"#) async throws {
            let entry = OutboxEntry(kind: StationResults.kind, key: StationResults.key(of: slot), body: body)
            try await run.close(
                slot, UnitVerdict(.passed), outbox: [entry], at: RecordedTime(milliseconds: 1))
        }

        func deliver() async throws {
            let sender = sender()
            sender.finish()
            try await sender.run()
        }

        func states() async throws -> [OutboxState] {
            try await journal.outbox(in: Set(OutboxState.allCases), limit: 99).map(\.state)
        }
    }

    private static func with(_ body: (Bench) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "handing-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        var record = TrayRecord(id: "run")
        record.units = ["a", "b", "c"].map { UnitRecord(slot: $0) }
        try await body(Bench(journal: journal, run: try await journal.begin(record)))
    }

    private static let denial = WorkError(
        .refused, "engine-not-allowed", during: "delivering results", message: "permission denied")

    @Test(arguments: ["no JSON", #"{"outcome":"shiny"}"#, ""])
    func `counts a row that is not a result as done, so that later rows are sent once`(
        _ body: String
    ) async throws {
        try await Self.with { bench in
            try await bench.close("a", body: body)
            try await bench.close("b")
            try await bench.deliver()
            #expect(bench.engine.contiguous == 2)
            #expect(try await bench.states() == [.refused, .acknowledged])
            #expect(
                try await bench.journal.outbox(in: [.refused], limit: 9).first?.lastError?
                    .hasPrefix("result-unreadable: ") == true)
            try await bench.deliver()
            #expect(bench.engine.state.withLock { $0.calls } == 1)
        }
    }

    @Test func `ends with a report that nothing is waiting`() async throws {
        try await Self.with { bench in
            try await bench.close("a")
            try await bench.deliver()
            #expect(bench.engine.state.withLock { $0.reports.map(\.waiting) } == [1, 0])
            try await bench.close("b")
            _ = try await bench.sender().deliverOnce()
            #expect(bench.engine.state.withLock { $0.reports.map(\.waiting) } == [1, 0, 1, 0])
            // Without new results, one report is enough.
            _ = try await bench.sender().deliverOnce()
            #expect(bench.engine.state.withLock { $0.reports.map(\.waiting) } == [1, 0, 1, 0, 0])
        }
    }

    @Test func `starts over with all that a work server has lost, including what it had refused`()
        async throws
    {
        try await Self.with { bench in
            try await bench.close("a", body: "no JSON")
            try await bench.close("b")
            try await bench.deliver()
            bench.engine.state.withLock { ($0.kept, $0.refused) = ([:], []) }
            try await bench.deliver()
            #expect(bench.engine.contiguous == 2)
            #expect(bench.clock.news.withLock { $0 }.contains(.resent(2)))
        }
    }

    @Test func `reports a journal that fails, and tries again`() async throws {
        try await Self.with { bench in
            try await bench.close("a")
            bench.journal.close()
            let sender = bench.sender()
            let task = Task { try await sender.run() }
            var naps = bench.clock.naps.stream.makeAsyncIterator()
            for _ in 0..<3 { await naps.next() }
            task.cancel()
            _ = await task.result
            #expect(bench.clock.news.withLock(\.count) == 1)
            #expect(bench.clock.count { if case .journalFailed = $0 { true } else { false } } == 1)
            let failure = await #expect(throws: WorkError.self) { try await bench.sender().deliverOnce() }
            #expect(failure?.code == "journal-failed")
        }
    }

    @Test func `once ends at the first failure, and throws it`() async throws {
        try await Self.with { bench in
            try await bench.close("a")
            bench.engine.state.withLock { $0.denial = Self.denial }
            await #expect(throws: Self.denial) { try await bench.sender().deliverOnce() }
            #expect(bench.clock.sleeps.withLock { $0 } == 0)
            #expect(try await bench.states() == [.waiting])
        }
    }

    @Test func `once counts what the work server keeps, has lost, and never accepts`()
        async throws
    {
        try await Self.with { bench in
            let none = try await bench.sender().deliverOnce()
            #expect(none.delivered == 0 && none.setAside == 0)
            try await bench.close("a", body: "no JSON")
            try await bench.close("b")
            let first = try await bench.sender().deliverOnce()
            #expect(first.delivered == 1 && first.setAside == 1)
            bench.engine.state.withLock { $0.kept = [:] }
            let second = try await bench.sender().deliverOnce()
            #expect(second.delivered == 1 && second.setAside == 0)
        }
    }

    @Test func `reports a wrong clock once, and again when it has changed`() async throws {
        try await Self.with { bench in
            bench.engine.state.withLock { $0.heartbeatReply.clockAhead = .seconds(90) }
            // Five heartbeats without anything to hand in.
            bench.clock.alarms.withLock { $0 = 4 }
            let sender = bench.sender()
            let task = Task { try await sender.run() }
            var rests = bench.clock.rests.stream.makeAsyncIterator()
            for _ in 0..<5 { await rests.next() }
            #expect(bench.clock.count { if case .online = $0 { true } else { false } } == 1)
            bench.engine.state.withLock { $0.heartbeatReply.clockAhead = .zero }
            bench.clock.present.withLock { $0 += .seconds(30) }
            sender.wake()
            await rests.next()
            #expect(bench.clock.count { if case .online = $0 { true } else { false } } == 2)
            task.cancel()
            _ = await task.result
        }
    }
}
