import Testing
import WorkContract

@Suite(.timeLimit(.minutes(1))) struct `Of an engine in memory it holds that` {
    @Test(arguments: WorkFact<MemoryEngine>.all)
    func `every fact of the contract`(fact: WorkFact<MemoryEngine>) async throws {
        try await fact.check(on: MemoryEngine())
    }

    @Test func `all facts one after the other, on one engine`() async throws {
        let engine = MemoryEngine()
        for fact in WorkFact<MemoryEngine>.all { try await fact.check(on: engine) }
    }
}
