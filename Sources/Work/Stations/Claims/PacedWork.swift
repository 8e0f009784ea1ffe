package import Bluetooth

/// The work source of a station whose clock runs `pace` times as fast as the work server's: divides requested leases by
/// `pace`, and multiplies granted ones by it. Only for tests, which set BEACON_DFU_STATION_PACE: they cannot wait until
/// a real lease ends.
package struct PacedWork: WorkSource {
    private let base: any WorkSource
    private let pace: Double

    package init(_ base: any WorkSource, pace: Double) { (self.base, self.pace) = (base, pace) }

    package func sendHeartbeat(_ report: StationReport) async throws(WorkError) -> HeartbeatReply {
        try await base.sendHeartbeat(report)
    }

    package func claim(_ request: ClaimRequest) async throws(WorkError) -> ClaimAnswer {
        var paced = request
        paced.lease = request.lease / pace
        var answer = try await base.claim(paced)
        for index in answer.grants.indices {
            answer.grants[index].lease = answer.grants[index].lease.map { $0 * pace }
        }
        return answer
    }

    package func renew(_ claims: [WorkClaim], for lease: Duration) async throws(WorkError) -> [Renewal] {
        try await base.renew(claims, for: lease / pace).map { renewal in
            if case .renewed(let length?) = renewal { .renewed(for: length * pace) } else { renewal }
        }
    }

    package func release(_ claims: [WorkClaim]) async throws(WorkError) { try await base.release(claims) }

    package func deliver(_ results: [WorkResult]) async throws(WorkError) -> [DeliveryAnswer] {
        try await base.deliver(results)
    }

    package func catalogue(since known: Int64?) async throws(WorkError) -> PublishedCatalogue? {
        try await base.catalogue(since: known)
    }

    package func catalogue(version: Int64) async throws(WorkError) -> PublishedCatalogue {
        try await base.catalogue(version: version)
    }

    package func file(_ sha256: String) async throws(WorkError) -> [UInt8] { try await base.file(sha256) }
}

extension Timekeeper {
    /// The same time source, `pace` times as fast; for tests.
    package func paced(_ pace: Double) -> Timekeeper {
        Timekeeper(
            reading: { now * pace }, waiting: { try await sleep(until: $0 / pace) },
            setting: { moment, ring in alarm(after: max(.zero, moment / pace - now), ring) })
    }
}
