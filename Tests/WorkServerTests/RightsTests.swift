import Testing
import UpdateModel
import Work

@testable import WorkServer

@Suite(.withPostgreSQL, .timeLimit(.minutes(2))) struct `A right that a login lacks` {
    @Test func `is one that the schema has granted to others`() async throws {
        let database = try await SharedServer.database()
        let connection = try await database.connect()
        let rows = try await connection.run(
            """
            SELECT o.name, string_agg(substr(r.rolname, 12), ' ' ORDER BY r.rolname) AS roles FROM (
              SELECT proname::text AS name, oid AS function, NULL::oid AS view FROM pg_proc
              WHERE pronamespace = 'beacon_dfu'::regnamespace
              UNION ALL SELECT relname, NULL, oid FROM pg_class WHERE relnamespace = 'beacon_dfu'::regnamespace AND relkind IN ('v', 'r')) o
            JOIN pg_roles r ON r.rolname ~ '^beacon_dfu_' AND
              CASE WHEN o.view IS NULL THEN has_function_privilege(r.oid, o.function, 'EXECUTE')
                ELSE has_table_privilege(r.oid, o.view, 'SELECT') END
            GROUP BY o.name
            """, during: "reading grants")
        var granted: [String: Set<String>] = [:]
        for row in rows {
            granted[try row.text("name")] = Set(try row.text("roles").split(separator: " ").map(String.init))
        }
        await connection.close()
        #expect(granted == WorkServerRights.roles.mapValues { Set($0.map(\.rawValue)) })
    }

    @Test func `is named in the next step, and never a role that it has`() async throws {
        let database = try await SharedServer.database()
        let status = await #expect(throws: WorkError.self) {
            try await database.admin(as: "bench1").orders()
        }
        #expect(status?.code == .workServer.notAllowed)
        #expect(status?.nextStep?.contains("beacon_dfu_viewer") == true)
        #expect(status?.nextStep?.contains("beacon_dfu_station") == false)
        let release = await #expect(throws: WorkError.self) {
            try await database.admin(as: "planner").release("A", by: "me")
        }
        #expect(release?.nextStep?.contains("beacon_dfu_approver") == true)
        #expect(release?.nextStep?.contains("beacon_dfu_admin") == false)
        let order = await #expect(throws: WorkError.self) {
            try await database.admin(as: "foreman").create(OrderPlan("B", .ofTray, isListed: true))
        }
        #expect(order?.nextStep?.contains("beacon_dfu_admin") == true)
        try await database.ask("CREATE ROLE nobody4 LOGIN")
        let nobody = await #expect(throws: WorkError.self) {
            try await database.admin(as: "nobody4").orders()
        }
        #expect(nobody?.nextStep?.contains("beacon_dfu_…") == true)
    }
}
