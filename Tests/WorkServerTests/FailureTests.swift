import Bluetooth
import Foundation
import Testing
import Tray
import UpdateModel
import Work
import WorkContract
import WorkServer

/// Work servers that end, follow, fill up or hang, each on a PostgreSQL server of its own.
@Suite(.withPostgreSQL, .serialized, .timeLimit(.minutes(5))) struct `A work server` {
    /// The results that a station knows to be stored, and those that it has sent.
    private struct Ledger: Sendable {
        var acknowledged: [String] = []
        var sent: [WorkResult] = []
    }

    private func report(_ station: StationIdentity, last: Int64) -> StationReport {
        StationReport(station, program: "1", lastSequence: last, clock: .now)
    }

    @Test func `that is killed during deliveries has every result that it acknowledged`() async throws {
        let server = try PostgresServer()
        try server.start()
        let database = try await server.firstDatabase()
        let stations = (0..<4).map { StationIdentity.sample("line\($0)") }
        let (taken, taking) = AsyncStream.makeStream(of: Void.self)
        let ledgers = try await withThrowingTaskGroup(of: (Int, Ledger).self) { group in
            for (number, station) in stations.enumerated() {
                group.addTask {
                    let work = database.work(statementTimeout: .seconds(5))
                    _ = try await work.sendHeartbeat(report(station, last: 0))
                    var ledger = Ledger()
                    for sequence in 1... {
                        let result = WorkResult.sample(Int64(sequence))
                        ledger.sent.append(result)
                        do throws(WorkError) { _ = try await work.deliver([result]) } catch {
                            #expect(error.mayPass, "\(error)")
                            return (number, ledger)
                        }
                        ledger.acknowledged.append(result.id)
                        taking.yield()
                    }
                    return (number, ledger)
                }
            }
            var count = 0
            for await _ in taken {
                count += 1
                if count > 20 { break }
            }
            try server.killPostmaster()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        try server.start()
        #expect(ledgers.values.map(\.acknowledged.count).reduce(0, +) > 20)
        for (number, ledger) in ledgers {
            let work = database.work(statementTimeout: .seconds(5))
            let station = stations[number]
            let heartbeatReply = try await work.sendHeartbeat(report(station, last: Int64(ledger.sent.count)))
            #expect(heartbeatReply.contiguous >= Int64(ledger.acknowledged.count))
            let answers = try await work.deliver(ledger.sent)
            let duplicates = Set(
                zip(ledger.sent, answers).filter { $1 == .duplicate(.unplanned) }.map(\.0.id))
            #expect(duplicates.isSuperset(of: ledger.acknowledged))
            // Their number is the stored count, no more and no less.
            let stored = try await database.ask(
                "SELECT count(*) AS answer FROM beacon_dfu.result WHERE station = $1", [.text(station.name)])
            #expect(stored == "\(ledger.sent.count)")
        }
        server.stop()
    }

    @Test func `with a standby gets again what the standby has lost`() async throws {
        let primary = try PostgresServer()
        try primary.start()
        let database = try await primary.firstDatabase()
        let station = StationIdentity.sample("line1")
        let work = database.work()
        _ = try await work.sendHeartbeat(report(station, last: 0))
        let results = (1...6).map { WorkResult.sample(Int64($0)) }
        _ = try await work.deliver(Array(results[..<3]))
        let standby = try PostgresServer(following: primary)
        try standby.start()
        let follower = TestDatabase(server: standby, name: database.name, loop: database.loop)
        // It accepts nothing before it is promoted.
        let error = await #expect(throws: WorkError.self) {
            try await follower.work().sendHeartbeat(report(station, last: 3))
        }
        #expect(error?.code == .workServer.readOnly)
        #expect(error?.kind == .unready)
        try await waitUntil(follower) {
            try await $0.ask("SELECT count(*)::text AS answer FROM beacon_dfu.result") == "3"
        }
        // It receives no more, and the primary is gone with the rest.
        standby.stop()
        #expect(try await work.deliver(Array(results[3...])).count == 3)
        try primary.killPostmaster()
        try standby.start()
        try standby.promote()
        let again = follower.work()
        let heartbeatReply = try await again.sendHeartbeat(report(station, last: 6))
        #expect(heartbeatReply.contiguous == 3)
        let resent = results.filter { $0.sequence > heartbeatReply.contiguous }
        #expect(try await again.deliver(resent).allSatisfy { $0 == .stored(.unplanned) })
        #expect(try await again.sendHeartbeat(report(station, last: 6)).contiguous == 6)
        standby.stop()
    }

    @Test func `that is read-only is unready, and accepts changes later`() async throws {
        let database = try await SharedServer.database()
        let station = StationIdentity.sample("line1")
        let work = database.work()
        _ = try await work.sendHeartbeat(report(station, last: 0))
        try await database.ask("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        await work.close()
        let error = await #expect(throws: WorkError.self) { try await work.deliver([.sample(1)]) }
        #expect(error?.code == .workServer.readOnly)
        #expect(error?.mayPass == true)
        let superuser = try await database.connect()
        _ = try await superuser.run("SET default_transaction_read_only = off", during: "trying")
        _ = try await superuser.run(
            "ALTER DATABASE \(database.name) RESET default_transaction_read_only", during: "trying")
        await work.close()
        #expect(try await work.deliver([.sample(1)]) == [.stored(.unplanned)])
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount a small disk"))
    func `with a full disk is unready, and accepts the same results when there is space`() async throws {
        let disk = try SmallDisk(megabytes: 90)
        defer { disk.remove() }
        let server = try PostgresServer(
            options: [
                "fsync=off", "max_wal_size=32MB", "min_wal_size=32MB", "wal_keep_size=0", "autovacuum=off",
            ],
            data: disk.path + "/data")
        try server.start()
        let database = try await server.firstDatabase()
        let station = StationIdentity.sample("line1")
        let work = database.work()
        _ = try await work.sendHeartbeat(report(station, last: 0))
        try disk.fill()
        var taken: Int64 = 0
        var failure: WorkError?
        while failure == nil, taken < 10_000 {
            let results = (1...100).map { WorkResult.sample(taken + Int64($0)) }
            do throws(WorkError) {
                _ = try await work.deliver(results)
                taken += 100
            } catch {
                failure = error
            }
        }
        #expect(failure?.mayPass == true, "\(String(describing: failure))")
        try disk.empty()
        // A server without space for its log stops: its next start needs space as well.
        if (try? await database.ask("SELECT 'there' AS answer")) == nil {
            server.stop()
            try server.start()
        }
        let again = database.work()
        let heartbeatReply = try await again.sendHeartbeat(report(station, last: 20_000))
        #expect(heartbeatReply.contiguous == taken)
        #expect(try await again.deliver([.sample(taken + 1)]) == [.stored(.unplanned)])
        server.stop()
    }

    @Test func `that hangs is given up after the deadline, and reached again by the next call`()
        async throws
    {
        let database = try await SharedServer.database()
        let station = StationIdentity.sample("line1")
        let work = database.work(overTCP: true, statementTimeout: .milliseconds(700))
        _ = try await work.sendHeartbeat(report(station, last: 0))
        let found = try await database.ask(
            "SELECT max(pid)::text AS answer FROM pg_stat_activity WHERE datname = $1 AND usename = 'bench1'",
            [.text(database.name)])
        let process = try #require(found.flatMap { Int32($0) })
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        let error = await #expect(throws: WorkError.self) { try await work.deliver([.sample(1)]) }
        #expect(error?.kind == .unreachable)
        #expect(try await work.deliver([.sample(2)]).count == 1)
    }

    @Test func `that ends a session is reached again by the same call`() async throws {
        let database = try await SharedServer.database()
        let work = database.work()
        _ = try await work.sendHeartbeat(report(.sample("line1"), last: 0))
        for sequence in 1...3 as ClosedRange<Int64> {
            try await database.ask(
                """
                SELECT count(pg_terminate_backend(pid))::text AS answer FROM pg_stat_activity
                WHERE datname = $1 AND usename = 'bench1'
                """, [.text(database.name)])
            #expect(try await work.deliver([.sample(sequence)]) == [.stored(.unplanned)])
        }
    }

    private func waitUntil(
        _ database: TestDatabase, _ isSo: (TestDatabase) async throws -> Bool
    ) async throws {
        for _ in 0..<200 {
            if (try? await isSo(database)) == true { return }
            try await database.time.sleep(for: .milliseconds(50))
        }
        Issue.record("timed out")
    }
}
