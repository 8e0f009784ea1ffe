extension TraySchedule {
    /// Whether units may have their first link.
    var mayStart: Bool { hold == nil && !isStopped }

    /// Whether another unit's update may begin.
    var mayBegin: Bool { mayStart && (isProven || active.isEmpty) && !waiting.isEmpty }

    var present: [AdapterNumber] { adapters.filter(\.isThere).map(\.number) }

    /// How long the choice of the golden unit waits for the tray's first unit after another unit could begin: long
    /// enough for two advertisements of a beacon that sends one per second.
    private static let goldenTime = Duration.seconds(2)

    /// Until when the choice of the golden unit waits; nil if it does not wait.
    var goldenMoment: Duration? {
        guard !isProven, active.isEmpty, let moment = firstReady.map({ $0 + Self.goldenTime }), now < moment,
            let first = waiting.first(where: { !self[$0].isGivenUp }), !isReady(first),
            waiting.contains(where: isReady)
        else { return nil }
        return moment
    }

    private func isReady(_ unit: UnitNumber) -> Bool { !unheard.contains(unit) && !undecided.contains(unit) }

    /// Lets units begin for which the best adapter can be chosen by now.
    mutating func decideAdapters() {
        let present = present
        for unit in undecided where self[unit].signals.decisionMoment(among: present) ?? now <= now {
            undecided.remove(unit)
        }
        if firstReady == nil, waiting.contains(where: isReady) { firstReady = now }
    }

    /// Starts the updates of as many units as can soon connect, and of one more on each adapter: an update listens for
    /// a second before it asks for its link, and the adapter should not be idle meanwhile.
    mutating func beginUnits() {
        while let (unit, adapter) = nextBeginning() {
            if !isProven, active.isEmpty { golden = unit }
            self[unit].adapter = adapter
            self[unit].phase = .away
            self[unit].begun = now
            waiting.removeAll { $0 == unit }
            active.append(unit)
            emit(.begin(unit, on: adapter))
        }
    }

    /// The next unit to begin, and its adapter; nil if none can begin. The adapters choose, the one with the lowest load
    /// per slot first, among the units that no other adapter hears better. If none finds a unit, they choose among all.
    private func nextBeginning() -> (UnitNumber, AdapterNumber)? {
        guard goldenMoment == nil else { return nil }
        let candidates =
            adapters.filter(\.isThere)
            .map { (adapter: $0, usage: usage(of: $0.number)) }
            .filter { $0.usage.prepared <= $0.adapter.slots.free(taken: $0.usage.slots) }
            .sorted { one, other in
                let load = one.usage.units * other.adapter.slots.limit
                let otherLoad = other.usage.units * one.adapter.slots.limit
                return load == otherLoad ? one.adapter.number < other.adapter.number : load < otherLoad
            }
        for fit in [0, Int.min] {
            for (adapter, _) in candidates {
                if let unit = best(for: adapter.number, atLeast: fit) { return (unit, adapter.number) }
            }
        }
        return nil
    }

    /// The waiting unit with the greatest advantage of `adapter` over the other adapters, if it is at least `fit`; of
    /// equals, the first of the tray.
    private func best(for adapter: AdapterNumber, atLeast fit: Int) -> UnitNumber? {
        let (present, mayBegin) = (present, mayBegin)
        var best: (unit: UnitNumber, advantage: Int)?
        for unit in waiting where !self[unit].isGivenUp && !undecided.contains(unit) && blinking[unit] == nil
        {
            guard mayBegin || self[unit].isResuming,
                let advantage = self[unit].signals.advantage(of: adapter, over: present), advantage >= fit,
                best.map({ $0.advantage < advantage }) ?? true
            else { continue }
            best = (unit, advantage)
        }
        return best?.unit
    }

    /// Lets units connect with each adapter whose connect queue is free.
    mutating func connect() {
        for index in adapters.indices {
            guard adapters[index].isThere else {
                for unit in asking(adapters[index]) {
                    self[linking: unit].phase = .away
                    emit(.refuse(unit))
                }
                continue
            }
            while adapters[index].queue.isFree(at: now), let unit = nextLink(of: adapters[index]) {
                adapters[index].queue.add(unit)
                let asked = self[linking: unit].askingSince ?? now
                self[linking: unit].phase = .connecting(since: asked)
                self[linking: unit].firstPermitted = self[linking: unit].firstPermitted ?? now
                tune(index)
                emit(.connect(plan(for: unit, with: adapters[index])))
            }
        }
    }

    private func asking(_ adapter: TrayAdapter) -> [UnitNumber] {
        linking.filter { self[linking: $0].adapter == adapter.number && self[linking: $0].askingSince != nil }
    }

    /// The next unit to connect. Units that had a link come first, since bootloaders do not wait forever; then units
    /// that are to blink, since a person waits; then the others. Within each group, units with fewer failed attempts
    /// come first, then those that asked first.
    private func nextLink(of adapter: TrayAdapter) -> UnitNumber? {
        let asking = asking(adapter)
        guard !asking.isEmpty else { return nil }
        let usage = usage(of: adapter.number)
        guard usage.links < adapter.slots.limit else { return nil }
        let hasFreeSlot = adapter.slots.free(taken: usage.slots) > 0
        return asking.filter { unit in
            guard blinking[unit] == nil else { return hasFreeSlot }
            return self[unit].hasHadLink || hasFreeSlot && (mayStart || self[unit].isResuming)
        }
        .min { precedence(of: $0) < precedence(of: $1) }
    }

    private func precedence(of unit: UnitNumber) -> (Int, Int, Duration, UnitNumber) {
        let state = self[linking: unit]
        let rank = blinking[unit] != nil ? 1 : state.hasHadLink ? 0 : 2
        return (rank, state.failures, state.askingSince ?? now, unit)
    }

    private func plan(for unit: UnitNumber, with adapter: TrayAdapter) -> ConnectionPlan {
        ConnectionPlan(
            unit: unit, adapter: adapter.number, interval: adapter.interval ?? CommonInterval.shortest,
            limit: self[linking: unit].failures == 0 ? ConnectionPlan.firstLimit : ConnectionPlan.laterLimit,
            isFirst: !self[linking: unit].hasHadLink)
    }
}

/// The common connection interval of all links of an adapter.
///
/// A controller places the events of its links one after another within the interval. Links with the same interval
/// never collide while the interval has room for all their events; links with unrelated intervals do. Every interval
/// here is twice the next shorter one, so that a link that still has another of them does not collide either.
enum CommonInterval {
    /// A full packet in each direction on LE 1M (2468 µs), rounded up to a multiple of 1.25 ms, the unit of intervals.
    static let event = Duration.microseconds(2500)
    /// The interval for one to four links.
    static let shortest = Duration.milliseconds(10)

    /// The shortest interval that holds the events of `links`.
    static func interval(for links: Int) -> Duration {
        var interval = shortest
        while event * links > interval { interval *= 2 }
        return interval
    }
}

package struct ConnectionPlan: Hashable, Sendable {
    /// Time limit of the first attempt at each link: a beacon with one advert per second has three chances.
    static let firstLimit = Duration.seconds(3)
    /// Time limit of the attempts after a failed one: the kernel's own limit.
    static let laterLimit = Duration.seconds(4)

    package let unit: UnitNumber
    package let adapter: AdapterNumber
    /// The time between two connection events, the same for all links of the adapter.
    package let interval: Duration
    package let limit: Duration
    /// Whether the unit has had no link before.
    package let isFirst: Bool
}

package enum ConnectionRefusal: Hashable, Sendable {
    /// The unit did not reply in time.
    case noAnswer
    /// The controller or the kernel has no capacity for another link: Connection Limit Exceeded (0x09) or `EMLINK`. The
    /// unit is not the cause.
    case tooManyLinks
}
