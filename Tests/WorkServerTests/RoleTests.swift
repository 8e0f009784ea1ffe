import Testing
import Tray
import UpdateModel
import Work
import WorkServer

/// Statements that are refused, by login.
@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A login of a work server` {
    /// A statement, and the login that may not run it.
    static let refused: [(login: String, sql: String)] = [
        ("bench1", "SELECT beacon_dfu.release_order('A', 'me')"),
        ("bench1", "SELECT beacon_dfu.hold_order('A', 'x', 'me')"),
        ("bench1", "SELECT beacon_dfu.recall_file(repeat('0', 64), 'x')"),
        ("bench1", "SELECT beacon_dfu.readmit_station('s')"),
        ("bench1", "SELECT * FROM beacon_dfu.orders"),
        ("bench1", "SELECT * FROM beacon_dfu.result"),
        ("bench1", "SELECT beacon_dfu.secure('{1}', '{}', '{}', now())"),
        ("bench1", "SELECT beacon_dfu.deliver_one('s', NULL, '', 1, '', '', 1, '', '', '', '', 1)"),
        ("watcher", "SELECT * FROM beacon_dfu.claim(1, 'A', 's', gen_random_uuid(), NULL, NULL, 1, 1)"),
        ("watcher", "SELECT beacon_dfu.release_order('A', 'me')"),
        ("watcher", "SELECT * FROM beacon_dfu.unit"),
        ("foreman", "SELECT beacon_dfu.publish_catalogue('{a}', '{b}')"),
        ("foreman", "SELECT beacon_dfu.create_order('B', NULL, NULL, NULL, false, 1, false, 0, 1, NULL)"),
        ("planner", "SELECT beacon_dfu.release_order('A', 'me')"),
        ("planner", "UPDATE beacon_dfu.result SET outcome = 'passed'"),
        ("planner", "DELETE FROM beacon_dfu.result"),
        (
            "planner",
            "SELECT * FROM beacon_dfu.greet(1, 's', gen_random_uuid(), 'm', '1', 0, 0, NULL, NULL, '{}', 0)"
        ),
        ("nobody2", "SELECT * FROM beacon_dfu.about"),
    ]

    @Test func `may do what its role allows, and nothing else`() async throws {
        let database = try await SharedServer.database()
        try await database.ask("CREATE ROLE nobody2 LOGIN")
        for (login, sql) in Self.refused {
            let connection = try await database.connect(as: login)
            let error = await #expect(throws: PostgresError.self, "\(login): \(sql)") {
                try await connection.run(sql, during: "trying")
            }
            #expect(error?.sqlstate == "42501", "\(login): \(sql): \(String(describing: error))")
        }
    }

    @Test func `cannot act for another's station`() async throws {
        let database = try await SharedServer.database()
        let engine = PostgresWorkServer(database)
        try await database.admin(as: "planner").create(OrderPlan("A", .ofTray, expected: 2, isListed: false))
        try await engine.release("A")
        let (mine, theirs) = (database.work(as: "bench1"), database.work(as: "bench2"))
        let report = StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now)
        _ = try await mine.sendHeartbeat(report)
        await #expect(throws: WorkError.self) { try await theirs.sendHeartbeat(report) }
        let claims = try await mine.claim(
            ClaimRequest("A", beacons: [.init(["id:1"])], most: 1, for: .seconds(60)))
        #expect(claims.grants.count == 1)
        // Another login that claims to be the station, in all calls.
        let connection = try await database.connect(as: "bench2")
        for call in [
            "release('line1', $1::uuid, '{A}', '{id:1}', '{1}')",
            "renew('line1', $1::uuid, '{A}', '{id:1}', '{1}', 1)",
        ] {
            let error = await #expect(throws: PostgresError.self) {
                try await connection.run(
                    "SELECT beacon_dfu.\(call)", [.text(report.station.incarnation)], during: "trying")
            }
            guard case .server(let message)? = error?.problem else { continue }
            #expect(message.constraint == "station-taken")
        }
        // Until an administrator lets the station come from there.
        try await database.admin(as: "planner").readmit("line1")
        _ = try await theirs.sendHeartbeat(report)
        let error = await #expect(throws: WorkError.self) { try await mine.sendHeartbeat(report) }
        #expect(error?.code == .workServer.stationTaken)
    }

    @Test(arguments: ["UPDATE", "DELETE", "TRUNCATE"]) func `cannot change stored results, even as the owner`(
        verb: String
    ) async throws {
        let database = try await SharedServer.database()
        let work = database.work()
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        #expect(try await work.deliver([.sample(1)]) == [.stored(.unplanned)])
        let sql =
            switch verb {
            case "UPDATE": "UPDATE beacon_dfu.result SET outcome = 'failed'"
            case "DELETE": "DELETE FROM beacon_dfu.result"
            default: "TRUNCATE beacon_dfu.result"
            }
        for login in ["maker", "owner_of_all"] {
            let connection = try await database.connect(as: login)
            let error = await #expect(throws: PostgresError.self) {
                try await connection.run(sql, during: "trying")
            }
            #expect(error?.sqlstate == "BD001")
        }
        #expect(try await database.ask("SELECT outcome AS answer FROM beacon_dfu.result") == "passed")
    }
}
