import Work
import WorkContract
import WorkServer

/// The work server of a database, for the contract.
struct PostgresWorkServer: WorkServerUnderTest {
    let database: TestDatabase
    private let planner: WorkServerAdmin
    private let foreman: WorkServerAdmin

    init(_ database: TestDatabase) {
        self.database = database
        planner = database.admin(as: "planner")
        foreman = database.admin(as: "foreman")
    }

    func source() async throws -> PostgresWork { database.work() }

    func make(_ order: ContractOrder) async throws {
        let plan = OrderPlan(
            order.number, order.firmware, expected: order.expected, isListed: order.units != nil,
            golden: order.golden, attempts: order.attempts,
            stopRule: StopRule(
                consecutive: order.consecutive,
                share: order.share.map { StopRule.Share($0.failures, ofLast: $0.ofLast) },
                sameCause: order.sameCause))
        try await planner.create(plan)
        if let units = order.units { try await planner.add(units.map { UnitPlan($0) }, to: order.number) }
        try await foreman.release(order.number, by: "the foreman")
    }

    func release(_ number: String) async throws { try await foreman.release(number, by: "the foreman") }

    func hold(_ number: String, because reason: String) async throws {
        try await foreman.hold(number, because: reason, by: "the foreman")
    }

    func cancel(_ number: String) async throws {
        try await foreman.cancel(number, because: "it is over", by: "the foreman")
    }

    func retryUnits(of number: String) async throws {
        try await foreman.retry(nil, of: number, by: "the foreman")
    }

    func endLeases(of number: String) async throws {
        try await database.ask(
            """
            UPDATE beacon_dfu.unit SET lease_until = clock_timestamp() - interval '1 second'
            WHERE order_number = $1 AND state = 'claimed'
            """, [.text(number)])
    }

    func passMinutes(without station: String) async throws {
        try await database.ask(
            "UPDATE beacon_dfu.station SET seen = clock_timestamp() - interval '5 minutes' WHERE name = $1",
            [.text(station)])
    }

    func put(_ bytes: [UInt8]) async throws -> String { try await planner.put(bytes) }

    func publish(_ files: [(path: String, bytes: [UInt8])]) async throws -> Int64 {
        try await planner.publish(files.map { WorkServerAdmin.CatalogueFile($0.path, $0.bytes) })
    }

    func withdraw(_ version: Int64, because why: String) async throws {
        try await planner.withdraw(catalogue: version, because: why)
    }

    func recall(_ sha256: String, because why: String) async throws {
        try await planner.recall(file: sha256, because: why)
    }
}
