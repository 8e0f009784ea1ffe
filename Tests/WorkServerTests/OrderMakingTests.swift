import Testing
import UpdateModel
import Work
import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `The creation of an order` {
    @Test func `leaves nothing if one of its units cannot be listed`() async throws {
        let admin = try await SharedServer.database().admin(as: "planner")
        let plan = OrderPlan("A", .ofTray, expected: 2, isListed: true)
        for (code, keys) in [
            ("unit-exists", ["id:1", "ID:1"]), ("order-full", ["id:1", "id:2", "id:3"]),
            ("unit-unusable", [""]),
        ] {
            let error = await #expect(throws: WorkError.self) {
                try await admin.create(plan, units: keys.map { UnitPlan([$0]) })
            }
            #expect(error?.code.rawValue == code)
        }
        try await admin.create(plan, units: [UnitPlan(["id:1"]), UnitPlan(["id:2"])])
    }

    @Test func `can be followed by a change of the expected number of units`() async throws {
        let database = try await SharedServer.database()
        let admin = database.admin(as: "planner")
        try await admin.create(
            OrderPlan("A", .ofTray, expected: 3, isListed: true),
            units: [UnitPlan(["id:1"]), UnitPlan(["id:2"])])
        try await admin.setExpected(2, of: "A", by: "me")
        #expect(try await database.admin(as: "watcher").orders("A").first?.order.expected == 2)
        let error = await #expect(throws: WorkError.self) {
            try await admin.setExpected(1, of: "A", by: "me")
        }
        #expect(error?.code == .workServer.expectedTooFew)
    }
}
