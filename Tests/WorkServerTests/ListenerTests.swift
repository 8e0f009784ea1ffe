import Bluetooth
import Foundation
import Testing
import Work
import WorkContract
import WorkServer

@Suite struct `A hint` {
    @Test(arguments: [
        (WorkServerHint.listening, true), (.order("WO-1"), true), (.order("WO-2"), false),
        (.results("WO-1"), false),
        (.catalogue(1), true), (.recall("aa"), true),
    ])
    func `of results, or of another order, does not concern the work at an order`(
        _ hint: WorkServerHint, _ concerns: Bool
    ) {
        #expect(hint.concerns(workAt: "WO-1") == concerns)
    }
}

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A listener` {
    @Test func `receives orders, results and catalogues, and again after its connection has ended`()
        async throws
    {
        let database = try await SharedServer.database()
        let (hints, source) = AsyncStream.makeStream(of: WorkServerHint.self)
        let listener = WorkServerListener(
            database.settings(as: "watcher"), on: database.loop, time: database.time)
        let listening = Task { await listener.listen { source.yield($0) } }
        defer { listening.cancel() }
        var heard = hints.makeAsyncIterator()
        #expect(await heard.next() == .listening)
        let engine = PostgresWorkServer(database)
        try await engine.make(ContractOrder("A 1", units: ["id:1"]))
        #expect(await heard.next() == .order("A 1"))
        #expect(await heard.next() == .order("A 1"))
        try await database.ask(
            """
            SELECT count(pg_terminate_backend(pid))::text AS answer FROM pg_stat_activity
            WHERE datname = $1 AND usename = 'watcher'
            """, [.text(database.name)])
        #expect(await heard.next() == .listening)
        let version = try await engine.publish([("catalogue.yaml", [1])])
        #expect(await heard.next() == .catalogue(version))
        let sha256 = try await engine.put([2])
        try await engine.recall(sha256, because: "it bricks")
        #expect(await heard.next() == .recall(sha256))
    }

    @Test func `probes a silent connection`() async throws {
        let database = try await SharedServer.database()
        var settings = database.settings(as: "watcher", overTCP: true)
        settings.statementTimeout = .milliseconds(400)
        let (events, source) = AsyncStream.makeStream(of: String.self)
        let listener = WorkServerListener(
            settings, on: database.loop, time: database.time, timeout: .milliseconds(200))
        let listening = Task {
            await listener.listen(failed: { _ in source.yield("failed") }) { hint in source.yield("\(hint)") }
        }
        defer { listening.cancel() }
        var seen = events.makeAsyncIterator()
        #expect(await seen.next() == "listening")
        let found = try await database.ask(
            "SELECT max(pid)::text AS answer FROM pg_stat_activity WHERE datname = $1 AND usename = 'watcher'",
            [.text(database.name)])
        let process = try #require(found.flatMap { Int32($0) })
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        #expect(await seen.next() == "failed")
        #expect(await seen.next() == "listening")
    }
}
