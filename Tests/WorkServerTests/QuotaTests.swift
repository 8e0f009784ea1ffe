import Bytes
import Foundation
import Testing
import Tray
import UpdateModel
import Work
import WorkServer

/// What a station's login may leave on the work server, whatever its requests.
@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A quota of a work server` {
    private func sendHeartbeat(
        _ work: PostgresWork, _ name: String, machine: String? = nil, incarnation: String? = nil
    ) async -> WorkError? {
        let sample = StationIdentity.sample(name)
        let station = StationIdentity(
            name: name, incarnation: incarnation ?? sample.incarnation, machine: machine ?? sample.machine)
        do throws(WorkError) {
            _ = try await work.sendHeartbeat(
                StationReport(station, program: "1", lastSequence: 0, clock: .now))
            return nil
        } catch { return error }
    }

    @Test func `gives a login some names, and keeps its old ones`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET names = 3")
        let work = database.work()
        for number in 1...3 { #expect(await sendHeartbeat(work, "line\(number)") == nil) }
        let error = await sendHeartbeat(work, "line4")
        #expect(error?.code == .workServer.stationNamesMany)
        #expect(error?.kind == .refused)
        #expect(error?.nextStep != nil)
        #expect(await sendHeartbeat(work, "line3", incarnation: UUID().uuidString.lowercased()) == nil)
        // Another bench's login has its own.
        #expect(await sendHeartbeat(database.work(as: "bench2"), "line4") == nil)
        #expect(try await database.ask("SELECT count(*)::text AS answer FROM beacon_dfu.station") == "4")
    }

    @Test(arguments: [256, 1 << 20]) func `accepts no machine's name of`(bytes: Int) async throws {
        let database = try await SharedServer.database()
        let work = database.work()
        let error = await sendHeartbeat(work, "line1", machine: String(repeating: "m", count: bytes))
        #expect(error?.code == .workServer.stationText)
        #expect(try await database.ask("SELECT count(*)::text AS answer FROM beacon_dfu.station") == "0")
        #expect(await sendHeartbeat(work, "line1", machine: String(repeating: "m", count: 255)) == nil)
    }

    @Test func `allows a station a number of new journals per day`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET journals = 2")
        let work = database.work()
        #expect(await sendHeartbeat(work, "line1") == nil)
        #expect(await sendHeartbeat(work, "line1") == nil)
        #expect(await sendHeartbeat(work, "line1")?.code == .workServer.stationJournalsMany)
        try await database.ask("UPDATE beacon_dfu.journal SET begun = begun - interval '25 hours'")
        #expect(await sendHeartbeat(work, "line1") == nil)
    }

    @Test func `defers what exceeds a day's quota, and accepts it the next day, without loss`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET results = 3")
        let work = database.work()
        #expect(await sendHeartbeat(work, "line1") == nil)
        #expect(try await work.deliver([.sample(1), .sample(2)]).count == 2)
        let rest = [WorkResult.sample(3), .sample(4)]
        let error = await #expect(throws: WorkError.self) { try await work.deliver(rest) }
        #expect(error?.code == .workServer.stationQuota)
        #expect(error?.mayPass == true)
        #expect(try await database.ask("SELECT count(*)::text AS answer FROM beacon_dfu.result") == "2")
        try await database.ask("UPDATE beacon_dfu.station_day SET day = day - 1")
        #expect(try await work.deliver(rest) == [.stored(.unplanned), .stored(.unplanned)])
    }

    @Test func `accepts the first delivery of a day, however low it is`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET results = 1, result_bytes = 1")
        let work = database.work()
        #expect(await sendHeartbeat(work, "line1") == nil)
        #expect(try await work.deliver([.sample(1), .sample(2)]).count == 2)
        let error = await #expect(throws: WorkError.self) { try await work.deliver([.sample(3)]) }
        #expect(error?.code == .workServer.stationQuota)
    }

    /// The error code of the work server for a statement of a bench with the journal `incarnation`.
    private func code(
        of sql: String, _ connection: PostgresConnection, _ incarnation: String
    ) async -> String? {
        let error = await #expect(throws: PostgresError.self, "\(sql)") {
            try await connection.run(sql, [.text(incarnation)], during: "trying")
        }
        guard case .server(let message)? = error?.problem else { return nil }
        return message.constraint
    }

    @Test func `refuses results whose arrays differ in length, and keeps nothing of them`() async throws {
        let database = try await SharedServer.database()
        let incarnation = UUID().uuidString.lowercased()
        #expect(await sendHeartbeat(database.work(), "line1", incarnation: incarnation) == nil)
        let connection = try await database.connect(as: "bench1")
        func sql(_ arrays: [String]) -> String {
            "SELECT answer FROM beacon_dfu.deliver('line1', $1::uuid, \(arrays.joined(separator: ", ")))"
        }
        let whole = ["x", "1", "A", "b", "1", "c", "d", "e", "f", "1"].map { "'{\($0)}'" }
        for place in whole.indices {
            for wrong in ["NULL", "'{}'", "'{1,1}'"] {
                let arrays = whole.enumerated().map { $0.offset == place ? wrong : $0.element }
                #expect(await code(of: sql(arrays), connection, incarnation) == "result-unusable")
            }
        }
        let numbers = [1, 4, 9]
        let many = whole.indices.map {
            "array_fill(NULL::\(numbers.contains($0) ? "bigint" : "text"), ARRAY[1001])"
        }
        #expect(await code(of: sql(many), connection, incarnation) == "result-unusable")
        for table in ["refused_result", "result", "station_day"] {
            let count = try await database.ask("SELECT count(*)::text AS answer FROM beacon_dfu.\(table)")
            #expect(count == "0", "\(table)")
        }
        let rows = try await connection.run(sql(whole), [.text(incarnation)], during: "trying")
        #expect(try rows.first?.textIfAny("answer") == "refused")
        await connection.close()
    }

    @Test(arguments: ["NULL", "'{}'", "'{0}'", "'{0,NULL}'", "'{0,1,1}'"])
    func `refuses keys that are not a beacon's`(
        beacons: String
    ) async throws {
        let database = try await SharedServer.database()
        let incarnation = UUID().uuidString.lowercased()
        #expect(await sendHeartbeat(database.work(), "line1", incarnation: incarnation) == nil)
        let connection = try await database.connect(as: "bench1")
        let sql =
            "SELECT * FROM beacon_dfu.claim(1, 'A', 'line1', $1::uuid, '{id:1,id:2}', \(beacons), 1, 60000)"
        #expect(await code(of: sql, connection, incarnation) == "claim-too-large")
        await connection.close()
    }

    @Test func `counts the bytes of results`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET result_bytes = 3000000")
        let work = database.work()
        #expect(await sendHeartbeat(work, "line1") == nil)
        func large(_ sequence: Int64) -> WorkResult {
            var result = WorkResult.sample(sequence)
            result.body = "{\"a\":\"" + String(repeating: "x", count: 1_000_000) + "\"}"
            result.sha256 = HexText.encode(SHA256Digest.digest(result.body.utf8))
            return result
        }
        #expect(try await work.deliver([large(1), large(2)]).count == 2)
        let error = await #expect(throws: WorkError.self) { try await work.deliver([large(3)]) }
        #expect(error?.code == .workServer.stationQuota)
    }

    @Test func `bounds the units of an open order, and the names of a beacon`() async throws {
        let database = try await SharedServer.database()
        let planner = database.admin(as: "planner")
        try await planner.create(OrderPlan("A", .ofTray, isListed: false))
        try await database.admin(as: "foreman").release("A", by: "me")
        try await database.ask("UPDATE beacon_dfu.policy SET units = 2")
        let work = database.work()
        #expect(await sendHeartbeat(work, "line1") == nil)
        func claim(_ beacons: [[String]]) async throws -> ClaimAnswer {
            try await work.claim(
                ClaimRequest("A", beacons: beacons.map { .init($0) }, most: 10, for: .seconds(60)))
        }
        let answer = try await claim((1...3).map { ["id:\($0)"] })
        #expect(answer.grants.count == 2)
        #expect(answer.denied.map(\.reason) == [.full])
        for turn in 0..<8 {
            _ = try await claim([["id:1"] + (0..<15).map { "id:\(turn)-\($0)" }])
        }
        let many = try await database.ask(
            "SELECT max(n)::text AS answer FROM (SELECT count(*) AS n FROM beacon_dfu.unit_alias GROUP BY unit_id) x"
        )
        #expect(try #require(many.flatMap { Int($0) }) == 64)
        for beacons in [[(0..<17).map { "id:x\($0)" }], (0..<20_001).map { ["id:y\($0)"] }] {
            let error = await #expect(throws: WorkError.self) { _ = try await claim(beacons) }
            #expect(error?.code == .workServer.claimTooLarge)
        }
    }
}
