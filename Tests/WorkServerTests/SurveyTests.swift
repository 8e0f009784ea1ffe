import Foundation
import Testing
import Tray
import UpdateModel
import Work
import WorkContract
import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A survey of a work server` {
    @Test func `reports the problems of a server`() async throws {
        let database = try await SharedServer.database()
        let survey = try await WorkServerSurvey.examine(
            database.settings(as: "bench1"), on: database.loop, time: database.time
        ) { RecordedTime.now.milliseconds + 3_600_000 }
        #expect(survey.login == "bench1")
        #expect(survey.roles == [.station])
        #expect(survey.schema == 1)
        #expect(survey.keepsServerProcess == true)
        // The tests' own server does not wait for its disk.
        #expect(survey.findings.map(\.code.rawValue) == ["engine-forgetful", "clock-skew"])
    }

    @Test func `reports a login without a role, and a database without a work server`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("CREATE ROLE nobody3 LOGIN")
        let survey = try await WorkServerSurvey.examine(
            database.settings(as: "nobody3"), on: database.loop, time: database.time
        ) { RecordedTime.now.milliseconds }
        #expect(
            survey.findings.map(\.code.rawValue) == [
                "engine-schema", "engine-not-allowed", "engine-forgetful",
            ])
        let empty = try await SharedServer.emptyDatabase()
        let other = try await WorkServerSurvey.examine(
            empty.settings(as: "bench1"), on: empty.loop, time: empty.time
        ) { RecordedTime.now.milliseconds }
        #expect(other.findings.map(\.code.rawValue) == ["engine-schema", "engine-forgetful"])
    }

    @Test(.enabled(if: PostgresServer.pool != nil, "PgBouncer is not installed (apt-get install pgbouncer)"))
    func `reports a pool with transaction pooling, through which work continues`()
        async throws
    {
        let database = try await SharedServer.database()
        let port = try database.server.startPool(for: Array(TestDatabase.logins.keys))
        defer { database.server.stopPool() }
        let settings = PostgresSettings(
            "hostaddr=127.0.0.1 port=\(port) dbname=\(database.name) user=bench1", applicationName: "tests")
        let survey = try await WorkServerSurvey.examine(settings, on: database.loop, time: database.time) {
            RecordedTime.now.milliseconds
        }
        #expect(survey.keepsServerProcess == false)
        #expect(survey.findings.map(\.code.rawValue).contains("engine-pooled"))
        try await PostgresWorkServer(database).make(ContractOrder("A", units: ["id:1"]))
        let work = PostgresWork(over: WorkServerSession(settings, on: database.loop, time: database.time))
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        let claim = try await work.claim(ClaimRequest("A", beacons: nil, most: 1, for: .seconds(60)))
        #expect(claim.grants.count == 1)
    }
}
