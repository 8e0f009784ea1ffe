import Synchronization
import Tray
import WorkOrders

/// What a call does, once it has arrived.
extension EngineInMemory {
    func greet(_ report: StationReport) throws(WorkError) -> Greeting {
        try checked("greeting") { state in
            let identity = report.station
            if let journal = state.journals[identity.incarnation] {
                guard journal.station == identity else {
                    throw WorkError(
                        .refused, "journal-copied", during: "greeting",
                        message: "the journal is that of \(journal.station.name)")
                }
                guard report.lastSequence >= journal.sequences.keys.max() ?? 0 else {
                    throw WorkError(
                        .refused, "journal-restored", during: "greeting",
                        message: "the engine has later results of this journal")
                }
            } else {
                state.journals[identity.incarnation] = (identity, [:])
            }
            var contiguous: Int64 = 0
            while state.journals[identity.incarnation]?.sequences[contiguous + 1] != nil { contiguous += 1 }
            return Greeting(contiguous: contiguous)
        }
    }

    func claim(_ request: ClaimRequest, by station: String) throws(WorkError) -> ClaimAnswer {
        try checked("claiming units") { state in
            guard let order = state.orders[request.order] else {
                throw WorkError(
                    .refused, "order-unknown", during: "claiming units",
                    message: "there is no order \(request.order)")
            }
            var answer = ClaimAnswer(order: order, grants: [])
            guard order.state == .open || order.state == .golden else { return answer }
            let wishes = request.beacons ?? (state.units[order.number] ?? []).map { .init([$0.key]) }
            let now = clock()
            for beacon in wishes where answer.grants.count < request.most {
                switch grant(beacon, of: order.number, to: station, for: request.lease, now, &state) {
                case .success(let grant): answer.grants.append(grant)
                case .failure(let withheld):
                    if request.beacons != nil { answer.withheld.append(withheld.withheld) }
                }
            }
            return answer
        }
    }

    private struct Refusal: Error { let withheld: ClaimAnswer.Withheld }

    private func grant(
        _ beacon: ClaimRequest.Beacon, of order: String, to station: String, for lease: Duration,
        _ now: Duration, _ state: inout State
    ) -> Result<ClaimAnswer.Grant, Refusal> {
        func no(_ reason: ClaimAnswer.Withheld.Reason) -> Result<ClaimAnswer.Grant, Refusal> {
            .failure(Refusal(withheld: .init(beacon.keys.first ?? "", reason)))
        }
        guard let index = state.units[order]?.firstIndex(where: { beacon.keys.contains($0.key) }),
            var unit = state.units[order]?[index]
        else { return no(.notInOrder) }
        for key in beacon.keys + [unit.key] {
            guard let live = state.live[key],
                let other = state.units[live.order]?.first(where: { $0.key == live.key }),
                other.state == .claimed, other.leaseEnd > now, other.station != station
            else { continue }
            let (by, left) = (other.station ?? "", other.leaseEnd - now)
            return no(
                live.order == order
                    ? .claimed(by: by, left: left)
                    : .claimedElsewhere(order: live.order, by: by, left: left))
        }
        switch unit.state {
        case .verified: return no(.done)
        case .failed: return no(.failed)
        case .waiting, .claimed: break
        }
        let wasBegun = unit.epoch > 0
        unit.epoch += 1
        (unit.state, unit.station, unit.leaseEnd) = (.claimed, station, now + lease)
        state.units[order]?[index] = unit
        let claim = WorkClaim(order: order, key: unit.key, epoch: unit.epoch)
        for key in beacon.keys + [unit.key] { state.live[key] = claim }
        return .success(.init(claim, lease: lease, wasBegun: wasBegun, selector: unit.key))
    }

    func renew(_ claims: [WorkClaim], for lease: Duration) throws(WorkError) -> [Renewal] {
        try checked("asking for more time") { state in
            claims.map { claim in
                guard let index = index(of: claim, state) else { return .lost }
                state.units[claim.order]?[index].leaseEnd = clock() + lease
                return .renewed(for: lease)
            }
        }
    }

    func release(_ claims: [WorkClaim]) throws(WorkError) {
        try checked("giving units back") { state in
            for claim in claims {
                guard let index = index(of: claim, state) else { continue }
                state.units[claim.order]?[index].state = .waiting
            }
        }
    }

    func deliver(_ results: [WorkResult], by station: String) throws(WorkError) -> [DeliveryAnswer] {
        try checked("handing in results") { state in results.map { take($0, by: station, &state) } }
    }

    private func take(_ result: WorkResult, by station: String, _ state: inout State) -> DeliveryAnswer {
        guard let journal = state.journals.first(where: { $0.value.station.name == station })?.key else {
            return .refused(code: "station-unknown", message: station)
        }
        if let kept = state.results[result.id] {
            guard kept.result.sha256 == result.sha256 else {
                return .refused(code: "result-conflict", message: "its key is that of another result")
            }
            state.journals[journal]?.sequences[result.sequence] = result.id
            return .duplicate(kept.standing)
        }
        guard state.journals[journal]?.sequences[result.sequence] == nil else {
            return .refused(code: "sequence-conflict", message: "its number is that of another result")
        }
        var standing = Standing.unplanned
        if let claim = result.claim,
            let index = state.units[claim.order]?.firstIndex(where: { $0.key == claim.key }),
            var unit = state.units[claim.order]?[index]
        {
            standing = unit.epoch == claim.epoch ? .current : .late
            if standing == .current {
                unit.state =
                    result.outcome.isGood
                    ? .verified : result.outcome.isOfUnit ? .failed : .waiting
                state.units[claim.order]?[index] = unit
            }
        }
        state.results[result.id] = (result, standing)
        state.journals[journal]?.sequences[result.sequence] = result.id
        return .stored(standing)
    }

    private func index(of claim: WorkClaim, _ state: State) -> Int? {
        state.units[claim.order]?.firstIndex {
            $0.key == claim.key && $0.epoch == claim.epoch && $0.state == .claimed
        }
    }

    func catalogue(since known: Int64?) throws(WorkError) -> PublishedCatalogue? {
        try checked("reading the catalogue") { $0.catalogue?.version == known ? nil : $0.catalogue }
    }

    func catalogue(version: Int64) throws(WorkError) -> PublishedCatalogue {
        try checked("reading the catalogue") { state in
            guard let catalogue = state.catalogue, catalogue.version == version else {
                throw WorkError(
                    .refused, "catalogue-unknown", during: "reading the catalogue",
                    message: "there is no version \(version)")
            }
            return catalogue
        }
    }

    func file(_ sha256: String) throws(WorkError) -> [UInt8] {
        try checked("fetching a file") { state in
            guard let bytes = state.files[sha256] else {
                throw WorkError(
                    .refused, "file-unpublished", during: "fetching a file", message: "no file \(sha256)")
            }
            return bytes
        }
    }

    private func checked<Value: Sendable>(
        _ step: String, _ body: (inout State) throws -> Value
    ) throws(WorkError) -> Value {
        let result: Result<Value, WorkError> = state.withLock { state in
            do { return .success(try body(&state)) } catch let error as WorkError {
                return .failure(error)
            } catch {
                return .failure(WorkError(.notUnderstood, "internal", during: step, message: "\(error)"))
            }
        }
        return try result.get()
    }
}
