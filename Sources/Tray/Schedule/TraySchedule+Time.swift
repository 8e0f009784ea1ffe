extension TraySchedule {
    /// How long a unit may accept nothing during a transfer before it counts as stalled.
    static let timeout = Duration.seconds(1)

    /// When `take(.timePassed, at:)` is due without another event; nil if only events change anything.
    public var nextMoment: Duration? {
        guard !isOver else { return nil }
        var moments: [Duration?] = active.flatMap {
            [stallMoment(of: $0), giveUpMoment(of: $0)]
        }
        moments += linking.flatMap { [self[linking: $0].expected, self[linking: $0].lease] }
        moments.append(hasOverrun ? nil : rules.trayTime)
        if isWaitingInVain { moments.append(searchEnd) }
        let present = present
        moments += unsettled.map { self[$0].signals.settled(among: present) }
        for adapter in adapters {
            moments.append(adapter.connector.restsUntil)
            if hasUnheard, usage(of: adapter.number).links > 0 {
                moments.append(ListeningPlan.change(after: now))
            }
        }
        return moments.compactMap(\.self).filter { $0 > now }.min()
    }

    /// Finds units without progress, or without time left.
    mutating func watchTime() {
        for unit in active {
            if let moment = stallMoment(of: unit), moment <= now {
                self[unit].isStalled = true
                tell(.stalled(unit))
            }
            if let moment = giveUpMoment(of: unit), moment <= now { giveUp(unit, .unitTime) }
        }
        if hasOverrun { for unit in waiting + active { giveUp(unit, .trayTime) } }
        if isStopped {
            for unit in waiting + active
            where !self[unit].hasStood && !self[unit].hasLink && !self[unit].isResuming {
                giveUp(unit, .stopped)
            }
        }
        if isWaitingInVain, now >= searchEnd {
            for unit in waiting { giveUp(unit, present.isEmpty ? .noAdapter : .notHeard) }
        }
    }

    private var hasOverrun: Bool { rules.trayTime.map { $0 <= now } ?? false }

    /// Whether only unheard units are left, and nothing keeps them from starting.
    private var isWaitingInVain: Bool {
        (hold == nil || isStopped) && active.isEmpty
            && waiting.allSatisfy { unheard.contains($0) || self[$0].isGivenUp }
    }

    private func stallMoment(of unit: UnitNumber) -> Duration? {
        guard !self[unit].isStalled else { return nil }
        return self[unit].progress.map { $0 + Self.timeout }
    }

    private func giveUpMoment(of unit: UnitNumber) -> Duration? {
        guard !self[unit].isGivenUp, let limit = rules.unitTime else { return nil }
        return self[unit].started.map { $0 + limit }
    }

    /// Once for each unit.
    private mutating func giveUp(_ unit: UnitNumber, _ reason: GiveUpReason) {
        guard !self[unit].isGivenUp else { return }
        self[unit].isGivenUp = true
        unheard.remove(unit)
        tell(.giveUp(unit, reason))
    }
}
