import Bluetooth
import Bytes
import Foundation
import Synchronization
import Testing
import Tray
import TrayJournal
import UpdateModel
import Work
import WorkServerInMemory

@Suite(.timeLimit(.minutes(1))) struct `The results of a station` {
    /// Time that passes when a task sleeps; a wait for an alarm never ends.
    private final class ScriptedTime: Sendable {
        let present = Mutex(Duration.seconds(1000))
        let sleeps = Mutex<[Duration]>([])
        let news = Mutex<[ResultSender.Event]>([])

        var time: Timekeeper {
            Timekeeper(
                reading: { self.present.withLock { $0 } },
                waiting: { moment in
                    let length = self.present.withLock { present in
                        defer { present = max(present, moment) }
                        return moment - present
                    }
                    self.sleeps.withLock { $0.append(length) }
                    try Task.checkCancellation()
                }, setting: { _, _ in Alarm {} })
        }
    }

    private struct Bench {
        let journal: Journal
        let run: JournalledRun
        let engine: WorkServerInMemory
        let line: WorkServerLine
        let clock = ScriptedTime()
        var identity: StationIdentity {
            StationIdentity(name: "one", incarnation: journal.incarnation, machine: "m")
        }

        func sender() -> ResultSender {
            let identity = identity
            return ResultSender(
                from: journal, to: line, time: clock.time, now: { RecordedTime(milliseconds: 5) },
                chance: { 0.5 },
                stationReport: { last, waiting, since in
                    StationReport(
                        identity, program: "test", lastSequence: last, waiting: waiting,
                        oldestWaiting: since, clock: RecordedTime(milliseconds: 5))
                }, report: { [clock] told in clock.news.withLock { $0.append(told) } })
        }

        func finish(_ slot: String, epoch: Int64 = 1, outcome: String = "passed") async throws {
            let body = """
                {"claim":{"epoch":\(epoch),"order":"WO-1","unit":"\(slot)"},"outcome":"\(outcome)"}
                """
            let entry = OutboxEntry(
                kind: StationResults.kind, key: StationResults.key(of: "\(slot) \(epoch)"), body: body)
            try await run.close(
                slot, UnitVerdict(.passed), outbox: [entry], at: RecordedTime(milliseconds: 1))
        }

        /// Hands in everything, or what can be handed in until `limit` sleeps.
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
        let folder = FileManager.default.temporaryDirectory.appending(path: "results-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        var record = TrayRecord(id: "run")
        record.units = ["a", "b", "c"].map { UnitRecord(slot: $0) }
        let run = try await journal.begin(record)
        let engine = WorkServerInMemory { .zero }
        engine.add(
            WorkOrder(number: "WO-1", state: .open, firmware: .ofTray), units: ["a", "b", "c"])
        let line = engine.line(of: "one", incarnation: journal.incarnation)
        let bench = Bench(journal: journal, run: run, engine: engine, line: line)
        _ = try bench.line.claim(ClaimRequest("WO-1", beacons: nil, most: 3, for: .seconds(120)))
        try await body(bench)
    }

    @Test func `are handed in once, in order, and move their units`() async throws {
        try await Self.with { bench in
            for slot in ["a", "b", "c"] {
                try await bench.finish(slot, outcome: slot == "b" ? "failed" : "passed")
            }
            try await bench.deliver()
            #expect(bench.engine.results.map(\.result.sequence) == [1, 2, 3])
            #expect(bench.engine.results.map(\.result.key) == ["a", "b", "c"])
            #expect(bench.engine.units(of: "WO-1").map(\.state) == [.verified, .failed, .verified])
            #expect(try await bench.states() == [.acknowledged, .acknowledged, .acknowledged])
            try await bench.deliver()
            #expect(bench.line.count(.deliver) == 1)
        }
    }

    @Test(arguments: [WorkServerLine.Fault.lost, .answerLost, .full])
    func `wait and are handed in again when a call fails`(_ fault: WorkServerLine.Fault) async throws {
        try await Self.with { bench in
            try await bench.finish("a")
            bench.line.fail(.deliver, fault, fault)
            try await bench.deliver()
            #expect(bench.engine.results.count == 1)
            #expect(bench.clock.sleeps.withLock { $0 } == [.seconds(1), .seconds(2)])
            #expect(try await bench.states() == [.acknowledged])
            guard
                case .offline(let error, 1, let since)? = bench.clock.news.withLock({ $0 }).dropFirst().first
            else {
                Issue.record("\(bench.clock.news.withLock { $0 })")
                return
            }
            #expect(error.mayPass && since == RecordedTime(milliseconds: 1))
        }
    }

    @Test func `are tried less and less often while the work server is unreachable`() async throws {
        try await Self.with { bench in
            try await bench.finish("a")
            bench.line.fail(.sendHeartbeat, .lost, .lost, .lost, .lost, .lost, .lost, .lost, .lost)
            try await bench.deliver()
            #expect(bench.clock.sleeps.withLock { $0 } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
            #expect(bench.engine.results.count == 1)
        }
    }

    @Test func `are sent again from where a work server has lost its tail`() async throws {
        try await Self.with { bench in
            for slot in ["a", "b", "c"] { try await bench.finish(slot) }
            try await bench.deliver()
            bench.engine.lose(after: 1)
            #expect(bench.engine.results.count == 1)
            try await bench.deliver()
            #expect(bench.engine.results.map(\.result.key) == ["a", "b", "c"])
            #expect(bench.clock.news.withLock { $0 }.contains(.resent(2)))
        }
    }

    @Test func `are set aside when they are refused or unreadable, without delaying others`() async throws {
        try await Self.with { bench in
            try await bench.run.close(
                "a", UnitVerdict(.passed),
                outbox: [.init(kind: StationResults.kind, key: "x", body: "no JSON")],
                at: RecordedTime(milliseconds: 1))
            try await bench.finish("b")
            try await bench.finish("c")
            // Another station's results have the key of the second.
            let other = WorkResult(
                id: StationResults.key(of: "b 1"), sequence: 1, claim: nil, order: nil, key: "z",
                outcome: .passed, body: "{}", sha256: HexText.encode(SHA256Digest.digest("{}".utf8)),
                observed: RecordedTime(milliseconds: 0))
            let answers = try bench.engine.line(of: "two").deliver([other])
            #expect(answers == [.stored(.unplanned)])
            try await bench.deliver()
            #expect(try await bench.states() == [.refused, .refused, .acknowledged])
            let errors = try await bench.journal.outbox(in: [.refused], limit: 9).map(\.lastError)
            #expect(errors[0]?.hasPrefix("result-unreadable") == true)
            #expect(errors[1]?.hasPrefix("result-id-conflict") == true)
            #expect(bench.engine.units(of: "WO-1").map(\.state) == [.claimed, .claimed, .verified])
        }
    }

    @Test func `under a claim that another has taken over are kept, and reported`() async throws {
        try await Self.with { bench in
            try await bench.finish("a", epoch: 0)
            try await bench.deliver()
            #expect(bench.engine.results.map(\.standing) == [.late])
            #expect(bench.engine.units(of: "WO-1").map(\.state) == [.claimed, .claimed, .claimed])
            #expect(
                bench.clock.news.withLock { $0 }.contains(
                    .standing(key: StationResults.key(of: "a 0"), .late)))
        }
    }

    @Test func `have keys that are UUIDs, the same for the same text`() {
        let key = StationResults.key(of: "run/1/2026")
        #expect(key == StationResults.key(of: "run/1/2026") && key != StationResults.key(of: "run/1/2027"))
        #expect(UUID(uuidString: key) != nil)
        #expect(Array(key)[14] == "8" && "89ab".contains(Array(key)[19]))
    }
}
