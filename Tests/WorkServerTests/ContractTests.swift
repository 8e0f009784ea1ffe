import Testing
import WorkContract

@Suite(.withPostgreSQL, .timeLimit(.minutes(5))) struct `A work server in PostgreSQL fulfils` {
    /// A work server whose stations share a login.
    private func engine() async throws -> PostgresWorkServer {
        let database = try await SharedServer.database()
        try await database.ask("UPDATE beacon_dfu.policy SET names = 10000")
        return PostgresWorkServer(database)
    }

    @Test(arguments: WorkFact<PostgresWorkServer>.all)
    func `every fact of the contract`(fact: WorkFact<PostgresWorkServer>) async throws {
        try await fact.check(on: try await engine())
    }

    @Test func `all facts at once, on one work server`() async throws {
        let engine = try await engine()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fact in WorkFact<PostgresWorkServer>.all {
                group.addTask { try await fact.check(on: engine) }
            }
            try await group.waitForAll()
        }
    }
}
