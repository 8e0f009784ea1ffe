import Testing
import Work
import WorkContract
import WorkServerInMemory

/// The work server in memory, for the contract. Its time passes for all orders.
struct MemoryWorkServer: WorkServerUnderTest {
    private let clock: ManualTime
    private let engine: WorkServerInMemory

    init() {
        let clock = ManualTime()
        self.clock = clock
        engine = WorkServerInMemory { clock.now }
    }

    func source() -> WorkServerLine { engine.line() }

    func make(_ order: ContractOrder) throws {
        var plan = WorkServerOrder(order.number, order.firmware, expected: order.expected)
        plan.isListed = order.units != nil
        (plan.golden, plan.attempts) = (order.golden, order.attempts)
        (plan.consecutive, plan.share, plan.sameCause) = (order.consecutive, order.share, order.sameCause)
        engine.make(plan, units: order.units ?? [])
        try engine.release(order.number)
    }

    func release(_ number: String) throws { try engine.release(number) }
    func hold(_ number: String, because reason: String) throws { try engine.hold(number, because: reason) }
    func cancel(_ number: String) throws { try engine.cancel(number) }
    func retryUnits(of number: String) throws { try engine.retryUnits(of: number) }

    func endLeases(of number: String) {
        let ends = engine.units(of: number).filter { $0.state == .claimed }.map(\.leaseEnd)
        clock.pass(to: (ends.max() ?? clock.now) + .seconds(1))
    }

    func passMinutes(without station: String) { clock.pass(to: clock.now + .seconds(300)) }

    func put(_ bytes: [UInt8]) -> String { engine.put(bytes) }
    func publish(_ files: [(path: String, bytes: [UInt8])]) -> Int64 { engine.publish(files) }
    func withdraw(_ version: Int64, because why: String) throws { try engine.withdraw(version, because: why) }
    func recall(_ sha256: String, because why: String) { engine.recall(sha256, because: why) }
}

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
