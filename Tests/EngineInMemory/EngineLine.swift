import Synchronization
public import WorkOrders

/// A station's line to an engine, which fails to order.
public final class EngineLine: WorkSource {
    /// What goes wrong with a call.
    public enum Fault: Hashable, Sendable {
        /// It never arrives.
        case lost
        /// It is done, and its answer never arrives.
        case answerLost
        /// The engine cannot take anything.
        case full
    }

    /// The calls.
    public enum Call: Hashable, Sendable { case greet, claim, renew, release, deliver, catalogue, file }

    private struct State: Sendable {
        var faults: [Call: [Fault?]] = [:]
        var isCut = false
        var count: [Call: Int] = [:]
    }

    private let engine: EngineInMemory
    private let station: String
    private let state = Mutex(State())

    init(_ engine: EngineInMemory, _ station: String) { (self.engine, self.station) = (engine, station) }

    /// Cuts the line, or mends it.
    public func cut(_ isCut: Bool = true) { state.withLock { $0.isCut = isCut } }

    /// Has the next calls of a kind fail so, one after the other; nil for one that does not.
    public func fail(_ call: Call, _ faults: Fault?...) {
        state.withLock { $0.faults[call, default: []] += faults }
    }

    /// How often it was called.
    public func count(_ call: Call) -> Int { state.withLock { $0.count[call] ?? 0 } }

    /// Over the line.
    public func greet(_ report: StationReport) throws(WorkError) -> Greeting {
        try over(.greet) { () throws(WorkError) in try engine.greet(report) }
    }

    /// Over the line.
    public func claim(_ request: ClaimRequest) throws(WorkError) -> ClaimAnswer {
        try over(.claim) { () throws(WorkError) in try engine.claim(request, by: station) }
    }

    /// Over the line.
    public func renew(_ claims: [WorkClaim], for lease: Duration) throws(WorkError) -> [Renewal] {
        try over(.renew) { () throws(WorkError) in try engine.renew(claims, for: lease) }
    }

    /// Over the line.
    public func release(_ claims: [WorkClaim]) throws(WorkError) {
        try over(.release) { () throws(WorkError) in try engine.release(claims) }
    }

    /// Over the line.
    public func deliver(_ results: [WorkResult]) throws(WorkError) -> [DeliveryAnswer] {
        try over(.deliver) { () throws(WorkError) in try engine.deliver(results, by: station) }
    }

    /// Over the line.
    public func catalogue(since known: Int64?) throws(WorkError) -> PublishedCatalogue? {
        try over(.catalogue) { () throws(WorkError) in try engine.catalogue(since: known) }
    }

    /// Over the line.
    public func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        try over(.catalogue) { () throws(WorkError) in try engine.catalogue(version: version) }
    }

    /// Over the line.
    public func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        try over(.file) { () throws(WorkError) in try engine.file(sha256) }
    }

    private func over<Value>(
        _ call: Call, _ body: () throws(WorkError) -> Value
    ) throws(WorkError) -> Value {
        let fault: Fault? = state.withLock { state in
            state.count[call, default: 0] += 1
            if state.isCut { return .lost }
            guard state.faults[call]?.isEmpty == false else { return nil }
            return state.faults[call]?.removeFirst() ?? nil
        }
        switch fault {
        case nil: return try body()
        case .lost: break
        case .answerLost: _ = try body()
        case .full:
            throw WorkError(.unready, "engine-unready", during: "\(call)", message: "disk full")
        }
        throw WorkError(.unreachable, "engine-unreachable", during: "\(call)", message: "no answer")
    }
}
