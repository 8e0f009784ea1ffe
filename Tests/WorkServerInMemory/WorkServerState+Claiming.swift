import Work

/// Claims and leases of units.
extension WorkServerState {
    /// The longest lease of any claim, as in a work server with the default policy.
    private static let longestLease = Duration.seconds(86400)

    private func granted(_ lease: Duration) -> Duration {
        min(max(lease, .milliseconds(1)), Self.longestLease)
    }

    mutating func claim(
        _ request: ClaimRequest, by station: StationIdentity?, at now: Duration
    ) throws(WorkError) -> ClaimAnswer {
        let during = "claiming units"
        let identity = try known(station, during)
        let station = identity.name
        // Of two programs with a journal each, only the one that registered last.
        guard request.most <= 0 || stations[station]?.incarnation == identity.incarnation else {
            throw WorkError(
                .unready, .workServer.stationNotGreeted, during: during,
                message: "another journal has sent a heartbeat since")
        }
        let order = try order(request.order, during)
        try requireNotRecalled(order.sheet.firmware, during)
        var answer = ClaimAnswer(order: order.sheet, grants: [], recalledFiles: recalledFiles)
        guard order.sheet.state == .golden || order.sheet.state == .open else { return answer }
        for beacon in request.beacons ?? next(of: request.order, at: now) {
            guard let asked = beacon.keys.first else { continue }
            let keys = beacon.keys.map(\.normalKey)
            let found = unit(of: request.order, keys)
            if let found, answer.grants.contains(where: { $0.claim.key == units[found].key }) { continue }
            if let reason = reason(against: found, keys, in: order, for: station, at: now) {
                if request.beacons != nil { answer.denied.append(.init(asked, reason)) }
                continue
            }
            guard answer.grants.count < request.most, hasRoom(for: found, in: order, at: now) else {
                continue
            }
            answer.grants.append(
                grant(found, keys, of: request, to: station, at: now, asked: asked))
        }
        return answer
    }

    /// The next unit: expired claims first, the oldest of them first, then waiting units.
    private func next(of order: String, at now: Duration) -> [ClaimRequest.Beacon] {
        let units = units.filter { $0.order == order && !$0.isHeld(at: now) }
        let over = units.filter { $0.state == .claimed }.sorted { $0.leaseEnd < $1.leaseEnd }
        return (over + units.filter { $0.state == .waiting }).map { .init([$0.key]) }
    }

    private func reason(
        against index: Int?, _ keys: [String], in order: WorkServerOrder, for station: String,
        at now: Duration
    ) -> ClaimAnswer.Denial.Reason? {
        switch index.map({ units[$0].state }) {
        case .verified: return .done
        case .failed: return .failed
        case .waiting, .claimed, nil: break
        }
        // One bench per beacon, over all orders. A station may claim its own unit again, but no other unit for the same
        // beacon.
        let all = (index.map { units[$0].keys } ?? []).union(keys)
        let holder = units.indices.first {
            units[$0].isHeld(at: now) && !units[$0].names.isDisjoint(with: all)
                && ($0 != index || units[$0].station != station)
        }
        if let unit = holder.map({ units[$0] }) {
            let left = unit.leaseEnd - now
            return unit.order == order.sheet.number
                ? .claimed(by: unit.station, left: left)
                : .claimedElsewhere(order: unit.order, by: unit.station, left: left)
        }
        guard index == nil else { return nil }
        guard !order.isListed else { return .notInOrder }
        let count = units.count { $0.order == order.sheet.number }
        return count >= order.sheet.expected ?? .max ? .full : nil
    }

    /// Whether one more unit may be worked at now. A station's own counts already.
    private func hasRoom(for index: Int?, in order: WorkServerOrder, at now: Duration) -> Bool {
        guard order.sheet.state == .golden, index.map({ units[$0].isHeld(at: now) }) != true else {
            return true
        }
        let number = order.sheet.number
        let running = units.count { $0.order == number && $0.isHeld(at: now) }
        return running + passed(of: number) < order.golden
    }

    private mutating func grant(
        _ found: Int?, _ keys: [String], of request: ClaimRequest, to station: String, at now: Duration,
        asked: String
    ) -> ClaimAnswer.Grant {
        let index = found ?? units.count
        if found == nil { units.append(WorkServerUnit(request.order, keys)) }
        // All other names of the beacon belong to the unit from now on.
        let learnt = keys.filter { unit(of: request.order, [$0]) == nil }
        units[index].keys.formUnion(learnt)
        units[index].asked = Set(keys)
        for other in units.indices
        where other != index && units[other].state == .claimed
            && !units[other].names.isDisjoint(with: units[index].names)
        {
            // Its lease has expired: the beacon belongs to another unit now.
            units[other].state = .waiting
        }
        let lease = granted(request.lease)
        units[index].state = .claimed
        units[index].epoch += 1
        units[index].station = station
        units[index].leaseEnd = now + lease
        let claimed = units[index]
        return ClaimAnswer.Grant(
            WorkClaim(order: claimed.order, key: claimed.key, epoch: claimed.epoch), lease: lease,
            wasClaimedBefore: claimed.epoch > 1, selector: claimed.key, requestedKey: asked)
    }

    mutating func renew(
        _ claims: [WorkClaim], for lease: Duration, by station: StationIdentity?, at now: Duration
    ) throws(WorkError) -> [Renewal] {
        let station = try known(station, "renewing claims").name
        return claims.map { claim in
            guard let index = index(of: claim, station) else { return .lost }
            units[index].leaseEnd = now + granted(lease)
            return .renewed(for: granted(lease))
        }
    }

    mutating func release(_ claims: [WorkClaim], by station: StationIdentity?) throws(WorkError) {
        let station = try known(station, "releasing units").name
        for claim in claims {
            if let index = index(of: claim, station) { units[index].state = .waiting }
        }
    }

    private func index(of claim: WorkClaim, _ station: String) -> Int? {
        units.firstIndex {
            $0.order == claim.order && $0.key == claim.key && $0.epoch == claim.epoch
                && $0.state == .claimed && $0.station == station
        }
    }
}
