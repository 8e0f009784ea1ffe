import Synchronization
package import Work

/// A station's line to a work server, with scripted failures.
package final class WorkServerLine: WorkSource {
    /// A failure of a call.
    package enum Fault: Hashable, Sendable {
        /// The call never arrives.
        case lost
        /// The call is carried out, and its answer never arrives.
        case answerLost
        /// The work server cannot accept anything.
        case full
    }

    /// The calls.
    package enum Call: Hashable, Sendable {
        case sendHeartbeat, claim, renew, release, deliver, catalogue, file
    }

    private struct State: Sendable {
        var faults: [Call: [Fault?]] = [:]
        var isCut = false
        var count: [Call: Int] = [:]
        /// The station of the last answered heartbeat.
        var station: StationIdentity?
    }

    private let engine: WorkServerInMemory
    private let state: Mutex<State>

    init(_ engine: WorkServerInMemory, _ station: StationIdentity?) {
        self.engine = engine
        state = Mutex(State(station: station))
    }

    private var station: StationIdentity? { state.withLock { $0.station } }

    /// Whether the line is cut.
    package var isCut: Bool { state.withLock { $0.isCut } }

    /// Cuts the line, or restores it.
    package func cut(_ isCut: Bool = true) { state.withLock { $0.isCut = isCut } }

    /// Fails the next calls of a kind, one after the other; nil lets a call succeed.
    package func fail(_ call: Call, _ faults: Fault?...) {
        state.withLock { $0.faults[call, default: []] += faults }
    }

    /// The number of calls.
    package func count(_ call: Call) -> Int { state.withLock { $0.count[call] ?? 0 } }

    /// Over the line.
    package func sendHeartbeat(_ report: StationReport) throws(WorkError) -> HeartbeatReply {
        let heartbeatReply = try over(.sendHeartbeat) { (engine, now) throws(WorkError) in
            try engine.sendHeartbeat(report, at: now)
        }
        state.withLock { $0.station = report.station }
        return heartbeatReply
    }

    /// Over the line.
    package func claim(_ request: ClaimRequest) throws(WorkError) -> ClaimAnswer {
        try over(.claim) { (engine, now) throws(WorkError) in
            try engine.claim(request, by: station, at: now)
        }
    }

    /// Over the line.
    package func renew(_ claims: [WorkClaim], for lease: Duration) throws(WorkError) -> [Renewal] {
        try over(.renew) { (engine, now) throws(WorkError) in
            try engine.renew(claims, for: lease, by: station, at: now)
        }
    }

    /// Over the line.
    package func release(_ claims: [WorkClaim]) throws(WorkError) {
        try over(.release) { (engine, _) throws(WorkError) in try engine.release(claims, by: station) }
    }

    /// Over the line.
    package func deliver(_ results: [WorkResult]) throws(WorkError) -> [DeliveryAnswer] {
        try over(.deliver) { (engine, now) throws(WorkError) in
            try engine.deliver(results, by: station, at: now)
        }
    }

    /// Over the line.
    package func catalogue(since known: Int64?) throws(WorkError) -> PublishedCatalogue? {
        try over(.catalogue) { engine, _ in engine.catalogue(since: known) }
    }

    /// Over the line.
    package func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        try over(.catalogue) { (engine, _) throws(WorkError) in try engine.catalogue(version: version) }
    }

    /// Over the line.
    package func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        try over(.file) { (engine, _) throws(WorkError) in try engine.file(sha256) }
    }

    private func over<Value: Sendable>(
        _ call: Call, _ body: (inout WorkServerState, _ now: Duration) throws(WorkError) -> Value
    ) throws(WorkError) -> Value {
        let fault: Fault? = state.withLock { state in
            state.count[call, default: 0] += 1
            if state.isCut { return .lost }
            guard state.faults[call]?.isEmpty == false else { return nil }
            return state.faults[call]?.removeFirst() ?? nil
        }
        switch fault {
        case nil: return try engine.work(body)
        case .lost: break
        case .answerLost: _ = try engine.work(body)
        case .full:
            throw WorkError(.unready, .workServer.unready, during: "\(call)", message: "disk full")
        }
        throw WorkError(.unreachable, .workServer.unreachable, during: "\(call)", message: "no answer")
    }
}
