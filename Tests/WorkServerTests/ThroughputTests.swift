import Bluetooth
import Foundation
import Testing
import Tray
import Work
import WorkContract
import WorkServer

/// Measures, on request: BEACON_DFU_ENGINE_BENCH=1. Its numbers are in docs/decisions/0053.
@Suite(
    .withPostgreSQL, .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ProcessInfo.processInfo.environment["BEACON_DFU_ENGINE_BENCH"] != nil, "only on request"))
struct `The throughput of a work server` {
    private static let clients = 16
    private static let length = Duration.seconds(15)

    /// The operations of all clients per second, until the time is over or one has nothing left. Each has `claimed`
    /// units.
    private func rate(
        _ database: TestDatabase, claimed: Int = 0,
        _ body: @escaping @Sendable (PostgresWork, [WorkClaim], Int) async throws -> Int
    ) async throws -> Double {
        let time = database.time
        var benches: [(PostgresWork, [WorkClaim])] = []
        for _ in 0..<Self.clients {
            let station = StationIdentity.sample("s-\(UUID().uuidString)")
            let work = database.work()
            _ = try await work.sendHeartbeat(
                StationReport(station, program: "1", lastSequence: 0, clock: .now))
            let request = ClaimRequest("A", beacons: nil, most: claimed, for: .seconds(36000))
            benches.append((work, try await work.claim(request).grants.map(\.claim)))
        }
        let begun = time.now
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for (work, claims) in benches {
                group.addTask {
                    var (count, turn) = (0, 0)
                    while time.now - begun < Self.length {
                        let more = try await body(work, claims, turn)
                        guard more > 0 else { break }
                        count += more
                        turn += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(total) / ((time.now - begun) / .seconds(1))
    }

    @Test func `of claims and deliveries`() async throws {
        let server = try PostgresServer(options: ["fsync=on", "synchronous_commit=on"])
        try server.start()
        let database = try await server.firstDatabase()
        let keys = (0..<80_000).map { "id:\($0)" }
        try await PostgresWorkServer(database).make(ContractOrder("A", units: Array(keys[..<10_000])))
        for start in stride(from: 10_000, to: keys.count, by: 10_000) {
            let units = keys[start..<start + 10_000].map { UnitPlan([$0]) }
            try await database.admin(as: "planner").add(units, to: "A")
        }
        let single = ClaimRequest("A", beacons: nil, most: 1, for: .seconds(36000))
        // 16 000 units are claimed meanwhile.
        let claims = try await rate(database, claimed: 1000) { work, _, _ in
            try await work.claim(single).grants.count
        }
        let one = try await rate(database, claimed: 1000) { work, claims, turn in
            guard turn < claims.count else { return 0 }
            let answers = try await work.deliver([.sample(Int64(turn) + 1, claims[turn])])
            return answers == [.stored(.current)] ? 1 : 0
        }
        let many = try await rate(database, claimed: 1000) { work, claims, turn in
            let results = claims.indices.dropFirst(turn * 50).prefix(50).map {
                WorkResult.sample(Int64($0) + 1, claims[$0])
            }
            return try await work.deliver(results).filter { $0 == .stored(.current) }.count
        }
        print("claims/s \(claims), deliveries/s \(one), results/s in fifties \(many)")
        server.stop()
    }
}
