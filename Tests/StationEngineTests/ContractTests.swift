import Testing
import WorkContract

@Suite(.withPostgreSQL, .timeLimit(.minutes(5))) struct `Of an engine in PostgreSQL it holds that` {
    @Test(arguments: WorkFact<PostgresEngine>.all)
    func `every fact of the contract`(fact: WorkFact<PostgresEngine>) async throws {
        try await fact.check(on: PostgresEngine(try await SharedServer.database()))
    }

    @Test func `all facts at once, on one engine`() async throws {
        let engine = PostgresEngine(try await SharedServer.database())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fact in WorkFact<PostgresEngine>.all { group.addTask { try await fact.check(on: engine) } }
            try await group.waitForAll()
        }
    }
}
