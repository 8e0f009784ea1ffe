import Bluetooth
import Testing
import Tray
import UpdateModel
import Work
import WorkContract

@testable import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A work server's schema` {
    /// The present one and a further step, which requires more of stations.
    private static let later = WorkServerSchema(
        steps: WorkServerSchema.current.steps + [
            "CREATE TABLE later (n integer); ALTER TABLE unit ADD COLUMN later text"
        ],
        leastProtocol: 2, mostProtocol: 2)

    @Test func `is created once, however many create it at the same time`() async throws {
        let database = try await SharedServer.emptyDatabase()
        let outcomes = try await withThrowingTaskGroup(of: WorkServerInstallation.Outcome.self) { group in
            for _ in 0..<6 { group.addTask { try await database.install() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.map(\.before).sorted() == [0, 1, 1, 1, 1, 1])
        #expect(outcomes.allSatisfy { $0.after == 1 })
    }

    @Test func `is created completely or not at all`() async throws {
        let database = try await SharedServer.emptyDatabase()
        let broken = WorkServerSchema(
            steps: WorkServerSchema.current.steps + ["CREATE TABLE half (n integer); SELECT 1 / 0"],
            leastProtocol: 1,
            mostProtocol: 1)
        await #expect(throws: WorkError.self) { try await database.install(broken) }
        #expect(try await database.ask("SELECT to_regnamespace('beacon_dfu')::text AS answer") == nil)
    }

    @Test func `can be upgraded while stations work, whose results are still accepted`() async throws {
        let database = try await SharedServer.database()
        let work = database.work()
        let station = StationIdentity.sample("line1")
        try await PostgresWorkServer(database).make(ContractOrder("A", units: ["id:1", "id:2"]))
        _ = try await work.sendHeartbeat(StationReport(station, program: "1", lastSequence: 0, clock: .now))
        let request = ClaimRequest("A", beacons: nil, most: 1, for: .seconds(60))
        let claim = try #require(try await work.claim(request).grants.first?.claim)
        #expect(try await database.install(Self.later) == .init(before: 1, after: 2))
        #expect(try await database.install(Self.later) == .init(before: 2, after: 2))
        let error = await #expect(throws: WorkError.self) { try await work.claim(request) }
        #expect(error?.code == .workServer.programTooOld)
        #expect(try await work.deliver([.sample(1, claim)]) == [.stored(.current)])
        let heartbeatReply = try await work.sendHeartbeat(
            StationReport(station, program: "1", lastSequence: 1, clock: .now))
        #expect(heartbeatReply.claimRefusal?.code == .workServer.programTooOld)
        #expect(heartbeatReply.contiguous == 1)
        // A program that is older than the schema leaves it alone.
        let older = await #expect(throws: WorkError.self) { try await database.install() }
        #expect(older?.code == .workServer.newer)
    }

    @Test func `that is older than a station gives it no work, but accepts its results`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.schema_version SET least_protocol = 0, most_protocol = 0")
        let work = database.work()
        let heartbeatReply = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        #expect(heartbeatReply.claimRefusal?.code == .workServer.tooOld)
        #expect(try await work.deliver([.sample(1)]) == [.stored(.unplanned)])
    }

    @Test
    func `is created by a login that may create a schema in its database, without access to the server`()
        async throws
    {
        let closed = try await SharedServer.emptyDatabase(mayCreate: false)
        let error = await #expect(throws: WorkError.self) { try await closed.install() }
        #expect(error?.code == .workServer.createMissing)
        #expect(error?.nextStep?.contains("GRANT CREATE ON DATABASE \(closed.name) TO maker") == true)
        let database = try await SharedServer.emptyDatabase()
        #expect(try await database.install() == .init(before: 0, after: 1))
        let connection = try await database.connect(as: "maker")
        for sql in [
            "GRANT pg_execute_server_program TO maker", "COPY (SELECT 1) TO PROGRAM 'cat >/dev/null'",
            "COPY (SELECT 1) TO '/tmp/x'", "CREATE ROLE friend", "ALTER ROLE maker SUPERUSER",
            "GRANT beacon_dfu_admin TO maker", "CREATE DATABASE more", "SELECT pg_read_file('/etc/passwd')",
            "CREATE LANGUAGE plpython3u", "CREATE TABLE public.x (n integer)", "ALTER SYSTEM SET port = 1",
        ] {
            let error = await #expect(throws: PostgresError.self, "\(sql)") {
                try await connection.run(sql, during: "trying")
            }
            #expect(["42501", "0A000"].contains(error?.sqlstate), "\(sql): \(String(describing: error))")
        }
        await connection.close()
    }

    @Test func `reports missing roles, and creates them if the login may`() async throws {
        // On a server of its own: roles belong to the whole server.
        let server = try PostgresServer(options: ["fsync=off"])
        try server.start()
        defer { server.stop() }
        let loop = try EventLoop.shared.get()
        let everything = TestDatabase(server: server, name: "postgres", loop: loop)
        try await everything.ask("CREATE ROLE maker LOGIN")
        try await everything.ask("CREATE ROLE beacon_dfu_viewer")
        try await everything.ask("GRANT CREATE ON DATABASE postgres TO maker")
        let error = await #expect(throws: WorkError.self) { try await everything.install() }
        #expect(error?.code == .workServer.rolesMissing)
        #expect(
            error?.nextStep?.contains(
                "CREATE ROLE beacon_dfu_station; CREATE ROLE beacon_dfu_approver; CREATE ROLE beacon_dfu_admin"
            )
                == true)
        try await everything.ask("ALTER ROLE maker CREATEROLE")
        #expect(try await everything.install() == .init(before: 0, after: 1))
        let survey = try await WorkServerSurvey.examine(
            everything.settings(as: "maker"), on: loop, time: everything.time
        ) { RecordedTime.now.milliseconds }
        // From 16 on, a login that creates roles cannot grant itself those of the server.
        let number = try await everything.ask("SELECT current_setting('server_version_num') AS answer")
        let version = try #require(number.flatMap { Int($0) })
        #expect(survey.findings.map(\.code.rawValue).contains("engine-owner-powerful") == (version < 160_000))
        try await everything.ask("ALTER ROLE maker NOCREATEROLE")
        let mended = try await WorkServerSurvey.examine(
            everything.settings(as: "maker"), on: loop, time: everything.time
        ) { RecordedTime.now.milliseconds }
        #expect(mended.canOwnerRunPrograms == false)
    }

    @Test func `is reported as missing if it is`() async throws {
        let database = try await SharedServer.emptyDatabase()
        let error = await #expect(throws: WorkError.self) {
            try await database.work().sendHeartbeat(
                StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        }
        #expect(error?.code == .workServer.schema)
        #expect(error?.kind == .refused)
    }
}
