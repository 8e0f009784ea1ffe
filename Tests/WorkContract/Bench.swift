import Bytes
import Synchronization
import Tray
import UpdateModel
import Work

/// A bench of a fact: a station with a journal.
final class Bench<Source: WorkSource>: Sendable {
    let source: Source
    let identity: StationIdentity
    private let sequence = Mutex<Int64>(0)

    init(_ source: Source, _ name: String, incarnation: String = Names.uuid(), machine: String = "m1") {
        self.source = source
        identity = StationIdentity(name: name, incarnation: incarnation, machine: machine)
    }

    var lastSequence: Int64 { sequence.withLock { $0 } }

    func report(last: Int64? = nil) -> StationReport {
        StationReport(identity, program: "1.0.0", lastSequence: last ?? lastSequence, clock: .now)
    }

    @discardableResult func sendHeartbeat(last: Int64? = nil) async throws(WorkError) -> HeartbeatReply {
        try await source.sendHeartbeat(report(last: last))
    }

    func claim(
        _ order: String, _ beacons: [[String]]? = nil, most: Int = 100, for lease: Duration = .seconds(120)
    ) async throws(WorkError) -> ClaimAnswer {
        try await source.claim(
            ClaimRequest(order, beacons: beacons?.map { .init($0) }, most: most, for: lease))
    }

    /// The next result of the journal.
    func result(
        _ claim: WorkClaim?, _ outcome: UnitOutcome = .passed, code: String? = nil, order: String? = nil,
        key: String = "",
        body: String = "{\"note\":\"it is \\\"so\\\"\"}"
    ) -> WorkResult {
        let number = sequence.withLock { sequence in
            sequence += 1
            return sequence
        }
        return WorkResult(
            id: Names.uuid(), sequence: number, claim: claim, order: order ?? claim?.order,
            key: claim?.key ?? key, outcome: outcome, code: code, body: body,
            sha256: HexText.encode(SHA256Digest.digest(body.utf8)), observed: .now)
    }

    @discardableResult func deliver(
        _ claim: WorkClaim?, _ outcome: UnitOutcome = .passed, code: String? = nil
    ) async throws -> DeliveryAnswer {
        try await deliver(result(claim, outcome, code: code))
    }

    @discardableResult func deliver(_ result: WorkResult) async throws -> DeliveryAnswer {
        let answers = try await source.deliver([result])
        try require(answers.count, is: 1)
        return answers[0]
    }
}

extension WorkServerUnderTest {
    /// A bench after its first heartbeat.
    func bench(_ name: String, machine: String = "m1") async throws -> Bench<Source> {
        let bench = Bench(try await source(), name, machine: machine)
        try await bench.sendHeartbeat()
        return bench
    }

    /// Two benches after their first heartbeats.
    func benches(_ names: Names) async throws -> (Bench<Source>, Bench<Source>) {
        (try await bench(names.station("s1")), try await bench(names.station("s2")))
    }
}

extension ClaimAnswer {
    var keys: [String] { grants.map(\.claim.key) }
    var first: WorkClaim {
        get throws(BrokenFact) {
            guard let grant = grants.first else { throw BrokenFact("nothing was granted: \(self)") }
            return grant.claim
        }
    }

    func reason(of key: String) -> Denial.Reason? { denied.first { $0.key == key }?.reason }
}

/// Reports a violation unless `body` is refused with `code`.
func requireRefusal(
    _ code: FailureCode, _ kind: WorkError.Kind = .refused, _ body: () async throws -> Void
) async throws {
    do { try await body() } catch let error as WorkError {
        try require(error.code, is: code)
        try require(error.kind, is: kind)
        return
    }
    throw BrokenFact("it was not refused")
}
