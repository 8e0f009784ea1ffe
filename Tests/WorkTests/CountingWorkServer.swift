import Synchronization
import TestSupport
import Work

/// A work server that only accepts results. It refuses those without a hash, and settles their numbers too; it loses
/// results on request, and denies calls.
final class CountingWorkServer: WorkSource {
    struct State: Sendable {
        var kept: [Int64: String] = [:]
        var refused: Set<Int64> = []
        var calls = 0
        /// Why `deliver` is not allowed; nil if it is.
        var denial: WorkError?
        /// The answer to a heartbeat, in addition to the number.
        var heartbeatReply = HeartbeatReply(contiguous: 0)
        /// The reports received, the latest last.
        var reports: [StationReport] = []
    }

    let state = Mutex(State())

    var contiguous: Int64 {
        state.withLock { state in
            var number: Int64 = 0
            while state.kept[number + 1] != nil || state.refused.contains(number + 1) { number += 1 }
            return number
        }
    }

    func sendHeartbeat(_ report: StationReport) -> HeartbeatReply {
        state.withLock { $0.reports.append(report) }
        var heartbeatReply = state.withLock { $0.heartbeatReply }
        heartbeatReply.contiguous = contiguous
        return heartbeatReply
    }

    func deliver(_ results: [WorkResult]) throws(WorkError) -> [DeliveryAnswer] {
        let answers: Result<[DeliveryAnswer], WorkError> = state.withLock { state in
            state.calls += 1
            if let denial = state.denial { return .failure(denial) }
            return .success(
                results.map { result in
                    guard result.sha256.count == 64 else {
                        state.refused.insert(result.sequence)
                        return .refused(code: "result-unusable", message: "its hash is no SHA-256")
                    }
                    state.kept[result.sequence] = result.id
                    return .stored(.current)
                })
        }
        return try answers.get()
    }

    func claim(_ request: ClaimRequest) throws(WorkError) -> ClaimAnswer { throw Self.none }
    func renew(_ claims: [WorkClaim], for lease: Duration) throws(WorkError) -> [Renewal] { throw Self.none }
    func release(_ claims: [WorkClaim]) throws(WorkError) { throw Self.none }
    func catalogue(since known: Int64?) throws(WorkError) -> PublishedCatalogue? { throw Self.none }
    func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue { throw Self.none }
    func file(_ sha256: String) throws(WorkError) -> [UInt8] { throw Self.none }

    private static let none = WorkError(.refused, "no-work", during: "", message: "")
}
