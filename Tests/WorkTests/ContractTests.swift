import Testing
import WorkContract

@Suite(.timeLimit(.minutes(1))) struct `A work server in memory fulfils` {
    @Test(arguments: WorkFact<MemoryWorkServer>.all)
    func `every fact of the contract`(fact: WorkFact<MemoryWorkServer>) async throws {
        try await fact.check(on: MemoryWorkServer())
    }

    @Test func `all facts one after the other, on one work server`() async throws {
        let engine = MemoryWorkServer()
        for fact in WorkFact<MemoryWorkServer>.all { try await fact.check(on: engine) }
    }
}
