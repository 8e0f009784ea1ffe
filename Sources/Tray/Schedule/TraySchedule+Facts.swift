import UpdateModel

extension TraySchedule {
    mutating func note(_ fact: TrayFact) {
        switch fact {
        case .timePassed: break
        case .heard(let unit, let adapter, let dBm):
            // A report that an adapter received before it was lost may arrive later.
            guard knows(unit), isThere(adapter) else { return }
            self[unit].signals.note(dBm, by: adapter, at: now)
            if unheard.remove(unit) != nil { undecided.insert(unit) }
        case .wantsLink(let unit):
            guard knows(unit), self[linking: unit].phase == .away else { return }
            self[linking: unit].phase = .asking(since: now)
        case .connected(let unit): connected(unit)
        case .notConnected(let unit, let refusal): notConnected(unit, refusal)
        case .progressed(let unit):
            guard knows(unit), self[unit].phase == .linked else { return }
            self[unit].progress = now
            self[unit].isStalled = false
        case .sentAll(let unit): if knows(unit) { endTransfer(unit) }
        case .disconnected(let unit):
            guard knows(unit), self[linking: unit].phase == .linked else { return }
            leaveLink(unit)
            self[linking: unit].phase = .away
            self[linking: unit].linkEnded = now
        case .finished(let unit, let verdict): finished(unit, verdict)
        case .adapterLost(let unit): restart(unit)
        case .retried(let unit): reinstate(unit)
        case .adapter(let adapter, let isThere):
            guard let index = index(of: adapter), adapters[index].isThere != isThere else { return }
            let wasAlone = present == [adapter] || present.isEmpty
            adapters[index].isThere = isThere
            if wasAlone { prolongSearch() }
            if !isThere { forget(adapter) }
        case .blinkRequested(let unit): if knows(unit) { beginBlink(unit) }
        case .blinkEnded(let unit): endBlink(unit)
        case .paused: addHold(.paused)
        case .held(let reason): addHold(reason)
        case .holdPassed(let reason): removeHold(reason)
        case .released: release()
        case .stopped:
            isStopped = true
            for unit in blinking.keys.sorted() { emit(.endBlink(unit)) }
        }
    }

    private func knows(_ unit: UnitNumber) -> Bool { units.indices.contains(unit.value) }

    /// Signals of a lost adapter do not count for units whose update has not begun.
    private mutating func forget(_ adapter: AdapterNumber) {
        for unit in waiting where !self[unit].isGivenUp {
            let isHeardByOthers = self[unit].signals.forget(adapter)
            guard !isHeardByOthers else { continue }
            unheard.insert(unit)
            undecided.remove(unit)
        }
    }

    private mutating func connected(_ unit: UnitNumber) {
        guard knows(unit), self[linking: unit].isConnecting, let index = leaveConnectQueue(of: unit) else {
            return
        }
        self[linking: unit].phase = .linked
        self[linking: unit].hasHadLink = true
        self[linking: unit].failures = 0
        let usage = usage(of: adapters[index].number)
        let isWaitedFor = mayBegin || active.contains { !self[$0].hasHadLink && self[$0].askingSince != nil }
        adapters[index].slots.succeeded(taken: usage.slots, isWaitedFor: isWaitedFor)
    }

    private mutating func notConnected(_ unit: UnitNumber, _ refusal: ConnectionRefusal) {
        guard knows(unit), case .connecting(let since) = self[linking: unit].phase,
            let index = leaveConnectQueue(of: unit)
        else { return }
        switch refusal {
        case .noAnswer:
            self[linking: unit].phase = .away
            self[linking: unit].linkEnded = now
            self[linking: unit].failures += 1
        case .tooManyLinks:
            self[linking: unit].phase = .asking(since: since)
            adapters[index].noteRefusal(with: standingLinks(over: adapters[index].number), at: now)
        }
    }

    /// Takes the unit out of its adapter's connect queue; returns the adapter's index, nil if the unit has none.
    mutating func leaveConnectQueue(of unit: UnitNumber) -> Int? {
        guard let index = self[linking: unit].adapter.flatMap(index(of:)) else { return nil }
        adapters[index].queue.remove(unit)
        return index
    }

    private mutating func endTransfer(_ unit: UnitNumber) {
        self[unit].progress = nil
        self[unit].isStalled = false
    }

    private mutating func leaveLink(_ unit: UnitNumber) {
        endTransfer(unit)
        guard let index = self[linking: unit].adapter.flatMap(index(of:)) else { return }
        adapters[index].noteEnd(at: now)
    }

    private mutating func finished(_ unit: UnitNumber, _ verdict: UnitVerdict) {
        guard knows(unit) else { return }
        if case .ended = self[unit].phase { return }
        if active.contains(unit) {
            if self[unit].phase == .linked { leaveLink(unit) }
            _ = leaveConnectQueue(of: unit)
        }
        self[unit].phase = .ended(verdict)
        waiting.removeAll { $0 == unit }
        active.removeAll { $0 == unit }
        unheard.remove(unit)
        let reason = window.note(verdict, rules.hold)
        if unit == golden {
            golden = nil
            isProven = verdict.outcome == .passed
            if let cause = verdict.failure { return addHold(.goldenFailed(unit, cause)) }
        }
        if let reason { addHold(reason) }
    }

    /// Puts a unit whose adapter is gone first among the waiting units, since it may be in its bootloader.
    private mutating func restart(_ unit: UnitNumber) {
        guard knows(unit), active.contains(unit) else { return }
        _ = leaveConnectQueue(of: unit)
        active.removeAll { $0 == unit }
        if unit == golden { golden = nil }
        let isResuming = self[unit].hasHadLink || self[unit].isResuming
        self[unit] = TrayUnit()
        self[unit].isResuming = isResuming
        waiting.insert(unit, at: 0)
        unheard.insert(unit)
        prolongSearch()
    }

    private mutating func prolongSearch() { searchEnd = max(searchEnd, now + rules.search) }

    private mutating func reinstate(_ unit: UnitNumber) {
        guard knows(unit), !isStopped, case .ended(let verdict) = self[unit].phase, !verdict.outcome.isGood
        else { return }
        self[unit] = TrayUnit()
        waiting.append(unit)
        unheard.insert(unit)
        prolongSearch()
    }

    /// Holds the tray. Only the first reason is published; an external one of another kind follows when it has passed.
    private mutating func addHold(_ reason: HoldReason) {
        guard holds.isEmpty || reason.isExternal, !holds.contains(where: reason.isSameExternalKind(as:))
        else {
            return
        }
        holds.append(reason)
        if holds.count == 1 { emit(.hold(reason)) }
    }

    /// Lifts the reasons that the operator can lift: neither a hold of the order nor a missing claim.
    private mutating func release() {
        holds.removeAll { !$0.isExternal }
        window = OutcomeWindow()
        prolongSearch()
        if let hold { emit(.hold(hold)) }
    }

    private mutating func removeHold(_ reason: HoldReason) {
        let wasFirst = hold?.isSameExternalKind(as: reason) == true
        holds.removeAll(where: reason.isSameExternalKind(as:))
        guard wasFirst else { return }
        prolongSearch()
        if let hold { emit(.hold(hold)) }
    }
}
