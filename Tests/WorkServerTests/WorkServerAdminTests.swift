import Testing
import Tray
import UpdateModel
import Work
import WorkContract
import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `The administration of a work server` {
    @Test func `has orders, units, stations and results as they are`() async throws {
        let database = try await SharedServer.database()
        try await PostgresWorkServer(database).make(
            ContractOrder("A", units: ["id:1", "id:2", "id:3", "id:4"]))
        let work = database.work()
        let station = StationIdentity.sample("line1")
        _ = try await work.sendHeartbeat(
            StationReport(station, program: "1.2.3", lastSequence: 0, waiting: 7, clock: .now))
        let claims = try await work.claim(
            ClaimRequest("A", beacons: nil, most: 3, for: .seconds(60))
        ).grants.map(\.claim)
        let answers = try await work.deliver([
            .sample(1, claims[0]), .sample(2, claims[1], outcome: .failed), .sample(3),
            .sample(4, WorkClaim(order: "A", key: claims[2].key, epoch: 9)),
        ])
        #expect(answers == [.stored(.current), .stored(.current), .stored(.unplanned), .stored(.late)])
        let admin = database.admin(as: "watcher")
        let order = try #require(try await admin.orders("A").first)
        #expect(order.order.state == .open)
        #expect(
            [order.units, order.waiting, order.claimed, order.verified, order.failed] == [4, 1, 1, 1, 1])
        #expect(order.yield == 0.5)
        #expect([order.results, order.late, order.unplanned] == [3, 1, 0])
        #expect(order.releasedBy == "the foreman")
        let units = try await admin.units(of: "A")
        #expect(units.map(\.state) == [.verified, .failed, .claimed, .waiting])
        #expect(units.map(\.station) == ["line1", "line1", "line1", nil])
        let seen = try #require(try await admin.stations().first)
        #expect(seen.name == "line1")
        #expect(seen.program == "1.2.3")
        #expect(seen.waiting == 7)
        #expect(seen.contiguous == 4)
        #expect(seen.claims == 1)
        #expect(seen.clockAhead < .seconds(5) && seen.clockAhead > .seconds(-5))
        let results = try await admin.results(of: "A", most: 2)
        #expect(results.map(\.sequence) == [4, 2])
        #expect(results.map(\.standing) == [.late, .current])
    }

    @Test func `reports why an order is invalid`() async throws {
        let database = try await SharedServer.database()
        let admin = database.admin(as: "planner")
        let unknown = String(repeating: "0", count: 64)
        let plans: [(String, OrderPlan)] = [
            ("file-unknown", OrderPlan("A", .file(name: "a", sha256: unknown), isListed: true)),
            ("catalogue-unknown", OrderPlan("A", .catalogue(version: 9, withBeta: false), isListed: true)),
            ("hash-unusable", OrderPlan("A", .file(name: "a", sha256: "x"), isListed: true)),
            ("order-unusable", OrderPlan("A", .ofTray, expected: 0, isListed: true)),
            ("order-unusable", OrderPlan("", .ofTray, isListed: true)),
            (
                "stop-rule-unusable",
                OrderPlan("A", .ofTray, isListed: true, stopRule: StopRule(consecutive: 0))
            ),
            (
                "stop-rule-unusable",
                OrderPlan("A", .ofTray, isListed: true, stopRule: StopRule(share: .init(5, ofLast: 4)))
            ),
        ]
        for (code, plan) in plans {
            let error = await #expect(throws: WorkError.self) { try await admin.create(plan) }
            #expect(error?.code.rawValue == code, "\(String(describing: error))")
        }
        try await admin.create(OrderPlan("A", .ofTray, expected: 2, isListed: true))
        let again = await #expect(throws: WorkError.self) {
            try await admin.create(OrderPlan("A", .ofTray, isListed: true))
        }
        #expect(again?.code == .workServer.orderExists)
        for (code, units) in [
            ("order-full", ["id:1", "id:2", "id:3"]), ("unit-exists", ["id:1", "ID:1"]),
            ("unit-unusable", [""]),
        ] {
            let error = await #expect(throws: WorkError.self) {
                try await admin.add(units.map { UnitPlan([$0]) }, to: "A")
            }
            #expect(error?.code.rawValue == code, "\(String(describing: error))")
        }
        let foreman = database.admin(as: "foreman")
        let empty = await #expect(throws: WorkError.self) { try await foreman.release("A", by: "me") }
        #expect(empty?.code == .workServer.orderEmpty)
        try await admin.add([UnitPlan(["id:1"])], to: "A")
        #expect(try await foreman.release("A", by: "me") == .open)
        let open = await #expect(throws: WorkError.self) { try await foreman.release("A", by: "me") }
        #expect(open?.code == .workServer.orderState)
        #expect(try await foreman.remove(["id:1"], from: "A", by: "me") == 1)
    }

    @Test func `removes a unit of a bench that stopped once its lease has expired, and the order is done`()
        async throws
    {
        let database = try await SharedServer.database()
        let engine = PostgresWorkServer(database)
        try await engine.make(ContractOrder("A", units: ["id:1", "id:2"]))
        let work = database.work()
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        let claims = try await work.claim(ClaimRequest("A", beacons: nil, most: 2, for: .seconds(60))).grants
            .map(\.claim)
        _ = try await work.deliver([.sample(1, claims[0])])
        let foreman = database.admin(as: "foreman")
        #expect(try await foreman.remove(["id:2"], from: "A", by: "me") == 0, "a station has it")
        try await engine.endLeases(of: "A")
        #expect(try await foreman.remove(["id:2"], from: "A", by: "me") == 1)
        #expect(try await database.admin(as: "watcher").orders("A").first?.order.state == .done)
        #expect(try await database.ask("SELECT count(*)::text AS answer FROM beacon_dfu.live_alias") == "0")
    }

    @Test func `has the reason of a unit's failure, whatever its bench left undone afterwards`() async throws
    {
        let database = try await SharedServer.database()
        try await PostgresWorkServer(database).make(ContractOrder("A", units: ["id:1"]))
        let work = database.work()
        _ = try await work.sendHeartbeat(
            StationReport(.sample("line1"), program: "1", lastSequence: 0, clock: .now))
        let claim = try #require(
            try await work.claim(ClaimRequest("A", beacons: nil, most: 1, for: .seconds(60))).grants.first?
                .claim)
        let answers = try await work.deliver([
            .sample(1, claim, outcome: .failed, code: "refused"),
            .sample(2, claim, outcome: .aborted, code: "claim-lost"),
        ])
        #expect(answers == [.stored(.current), .stored(.current)])
        let unit = try #require(try await database.admin(as: "watcher").units(of: "A").first)
        #expect(unit.state == .failed && unit.outcome == .failed && unit.code == "refused", "\(unit)")
    }

    @Test func `publishes no catalogue that was signed before another one, unless forced`()
        async throws
    {
        let admin = try await SharedServer.database().admin(as: "planner")
        func publish(_ text: String, _ number: Int?, allowsOlder: Bool = false) async throws -> String {
            let seal = number.map { "seal: 2\ncounter: \($0)\nexpires: 1\n" }
            let files = [("catalogue.yaml", text)] + (seal.map { [("catalogue.seal", $0)] } ?? [])
            let catalogue = files.map { WorkServerAdmin.CatalogueFile($0.0, Array($0.1.utf8)) }
            do throws(WorkError) {
                return "\(try await admin.publish(catalogue, allowsOlder: allowsOlder))"
            } catch {
                return error.code.rawValue
            }
        }
        #expect(try await publish("a", nil) == "1")
        #expect(try await publish("b", 3) == "2")
        #expect(try await publish("a", 2) == "catalogue-rolled-back")
        #expect(try await publish("a", nil) == "catalogue-rolled-back")
        #expect(try await publish("c", 3) == "catalogue-number-reused")
        // The same files again, for longer.
        #expect(try await publish("b", 3) == "3")
        #expect(try await publish("a", 2, allowsOlder: true) == "4")
        #expect(try await publish("a", 2) == "catalogue-rolled-back")
        #expect(try await publish("d", 4) == "5")
    }

    @Test(arguments: ["../a", "/a", "a/./b", "a//b", "a\\b", "", "a/.."])
    func `publishes no file outside its folder`(
        path: String
    ) async throws {
        let admin = try await SharedServer.database().admin(as: "planner")
        let error = await #expect(throws: WorkError.self) {
            try await admin.publish([.init("catalogue.yaml", [1]), .init(path, [2])])
        }
        #expect(error?.code == .workServer.catalogueUnusable)
    }
}
