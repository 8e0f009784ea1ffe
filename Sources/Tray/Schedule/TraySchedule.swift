/// Decides which unit of a tray may connect next, with which adapter, and which units wait.
///
/// `apply` takes an event and returns what to do. The schedule is a value: it awaits nothing and has no clock. It does
/// not know how a unit is updated, only that an update needs a link, has one, or has ended.
///
/// The first scarce resource is the connect queue: most adapters make one link at a time, and a unit that restarts into
/// its bootloader gets its next link before others begin. The second is the number of links that a controller holds,
/// which is learnt. (docs/decisions/0042)
package struct TraySchedule: Sendable {
    let rules: ScheduleRules
    /// The moment of the last event, since the run began.
    var now = Duration.zero
    var units: [TrayUnit]
    var adapters: [TrayAdapter]
    /// Units whose update has not begun, in the order of the tray.
    var waiting: [UnitNumber]
    /// Units whose update has begun and not ended, in the order of their start.
    var active: [UnitNumber] = []
    /// Units that blink or are about to, with the state of their link: their update does not begin meanwhile.
    var blinking: [UnitNumber: TrayUnit] = [:]
    var unheard: Set<UnitNumber>
    /// Units that were heard but whose best adapter is not clear yet.
    var undecided: Set<UnitNumber> = []
    var window = OutcomeWindow()
    /// The golden unit while its update has not ended; nil before it is chosen and afterwards.
    package internal(set) var golden: UnitNumber?
    /// When the first unit could begin; nil before.
    var firstReady: Duration?
    /// Whether the golden unit has passed, or the tray needs none: the others may begin.
    var isProven: Bool
    var isStopped = false
    /// Until when units that no adapter has heard are not given up.
    var searchEnd: Duration
    /// Why no further unit starts; nil if units start.
    package var hold: HoldReason? { holds.first }
    /// All reasons to hold, the oldest first: an external reason may be added to another one.
    var holds: [HoldReason] = []
    private var steps: [TrayStep] = []

    /// A run of `count` units over `adapters`, each with its link slots and the number of links that it makes at the
    /// same time (1 if `pending` does not say). The run starts at moment zero.
    package init(
        units count: Int, over adapters: [AdapterNumber: LinkSlots],
        connecting pending: [AdapterNumber: Int] = [:], by rules: ScheduleRules = ScheduleRules()
    ) {
        self.rules = rules
        searchEnd = rules.search
        units = Array(repeating: TrayUnit(), count: max(0, count))
        waiting = units.indices.map { UnitNumber($0) }
        unheard = Set(waiting)
        self.adapters = adapters.sorted { $0.key < $1.key }.map {
            TrayAdapter(number: $0.key, slots: $0.value, queue: ConnectQueue(most: pending[$0.key] ?? 1))
        }
        isProven = !rules.hasGolden
    }

    package var isOver: Bool { waiting.isEmpty && active.isEmpty && blinking.isEmpty }

    package func isThere(_ adapter: AdapterNumber) -> Bool {
        index(of: adapter).map { adapters[$0].isThere } ?? false
    }

    /// Units that have a link over `adapter`, or are getting one.
    package func links(over adapter: AdapterNumber) -> [UnitNumber] {
        linking.filter { self[linking: $0].adapter == adapter && self[linking: $0].hasLink }.sorted()
    }

    package func standingLinks(over adapter: AdapterNumber) -> Int {
        linking.count { self[linking: $0].adapter == adapter && self[linking: $0].phase == .linked }
    }

    /// The link slots of `adapter` as learnt so far; nil if it is not one of the tray's adapters.
    package func slots(of adapter: AdapterNumber) -> LinkSlots? {
        index(of: adapter).map { adapters[$0].slots }
    }

    /// Returns the steps that follow from `fact`, at the moment `now` since the run began. Ignores a fact that does not
    /// fit, for example one that was under way when the unit ended.
    package mutating func apply(_ fact: TrayFact, at now: Duration) -> [TrayStep] {
        self.now = max(self.now, now)
        note(fact)
        watchTime()
        decideAdapters()
        beginUnits()
        connect()
        for index in adapters.indices { tune(index) }
        listen()
        defer { steps = [] }
        return steps
    }

    mutating func emit(_ step: TrayStep) { steps.append(step) }

    subscript(_ unit: UnitNumber) -> TrayUnit {
        get { units[unit.value] }
        set { units[unit.value] = newValue }
    }

    func index(of adapter: AdapterNumber) -> Int? { adapters.firstIndex { $0.number == adapter } }

    /// The connection interval for the links that `adapter` will have: at most one per slot and per unit that is left.
    private func interval(of adapter: TrayAdapter, _ usage: Usage) -> Duration {
        let left = usage.units + (isProven ? waiting.count : 0)
        return CommonInterval.interval(for: max(usage.links, min(adapter.slots.limit, left)))
    }

    mutating func tune(_ index: Int) {
        let adapter = adapters[index]
        let usage = usage(of: adapter.number)
        guard usage.links > 0 else { return }
        let interval = interval(of: adapter, usage)
        guard interval != adapter.interval else { return }
        adapters[index].interval = interval
        if standingLinks(over: adapter.number) > 0 { emit(.retune(adapter.number, interval: interval)) }
    }

    var hasUnheard: Bool { unheard.contains { mayStart || self[$0].isResuming } }

    mutating func listen() {
        let hasUnheard = hasUnheard
        for index in adapters.indices {
            let adapter = adapters[index]
            // A lost adapter listens as well: only this shows that it is back.
            let hasLinks = usage(of: adapter.number).links > 0
            let isDue = !adapter.isThere || hasUnheard && ListeningPlan.isDue(at: now, hasLinks: hasLinks)
            guard isDue != adapter.isListening else { continue }
            adapters[index].isListening = isDue
            emit(isDue ? .listen(adapter.number) : .stopListening(adapter.number))
        }
    }

    /// Units that may have a link: those whose update has begun and not ended, and those that blink.
    var linking: [UnitNumber] { blinking.isEmpty ? active : active + blinking.keys.sorted() }

    /// The state of the unit's link: for its blink or its update, never for both.
    subscript(linking unit: UnitNumber) -> TrayUnit {
        get { blinking[unit] ?? self[unit] }
        set { if blinking[unit] != nil { blinking[unit] = newValue } else { self[unit] = newValue } }
    }

    /// Makes a unit blink, unless its update has begun and not ended.
    mutating func beginBlink(_ unit: UnitNumber) {
        if let refusal = blinkRefusal(of: unit) { return emit(.refuseBlink(unit, refusal)) }
        guard let adapter = bestAdapter(toBlink: unit) else { return emit(.refuseBlink(unit, .notHeard)) }
        var state = TrayUnit()
        (state.phase, state.adapter, state.begun) = (.away, adapter, now)
        blinking[unit] = state
        emit(.blink(unit, on: adapter))
    }

    private func blinkRefusal(of unit: UnitNumber) -> BlinkRefusal? {
        if isStopped { return .stopped }
        if blinking[unit] != nil { return .alreadyBlinking }
        return active.contains(unit) ? .atWork : nil
    }

    /// Of the adapters that hear the unit, those with a free slot come first, then the one that hears it best.
    private func bestAdapter(toBlink unit: UnitNumber) -> AdapterNumber? {
        let present = present
        var best: (adapter: AdapterNumber, hasFreeSlot: Int, advantage: Int)?
        for adapter in adapters where adapter.isThere {
            guard let advantage = self[unit].signals.advantage(of: adapter.number, over: present) else {
                continue
            }
            let hasFreeSlot = adapter.slots.free(taken: usage(of: adapter.number).slots) > 0 ? 1 : 0
            guard best.map({ ($0.hasFreeSlot, $0.advantage) < (hasFreeSlot, advantage) }) ?? true else {
                continue
            }
            best = (adapter.number, hasFreeSlot, advantage)
        }
        return best?.adapter
    }

    /// Records that a unit no longer blinks: its update may begin.
    mutating func endBlink(_ unit: UnitNumber) {
        guard blinking[unit] != nil else { return }
        _ = leaveConnectQueue(of: unit)
        blinking[unit] = nil
    }

    /// How long a unit may accept nothing during a transfer before it counts as stalled.
    static let stallTime = Duration.seconds(1)

    /// When `apply(.timePassed, at:)` is due without another event; nil if only events change anything.
    package var nextMoment: Duration? {
        guard !isOver else { return nil }
        var moments: [Duration?] = active.flatMap { [stallMoment(of: $0), giveUpMoment(of: $0)] }
        moments += linking.flatMap {
            [self[linking: $0].requestExpectedUntil, self[linking: $0].slotKeptUntil]
        }
        moments.append(hasOverrun ? nil : rules.trayTime)
        if isWaitingInVain { moments.append(searchEnd) }
        moments.append(goldenMoment)
        let present = present
        moments += undecided.map { self[$0].signals.decisionMoment(among: present) }
        for adapter in adapters {
            moments.append(adapter.queue.pausedUntil)
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
                emit(.stalled(unit))
            }
            if let moment = giveUpMoment(of: unit), moment <= now { giveUp(unit, .unitTime) }
        }
        if hasOverrun { for unit in waiting + active { giveUp(unit, .trayTime) } }
        if isStopped {
            for unit in waiting + active {
                let isBegun = self[unit].hasHadLink || self[unit].hasLink || self[unit].isResuming
                if !isBegun { giveUp(unit, .stopped) }
            }
        }
        if isWaitingInVain, now >= searchEnd {
            for unit in waiting { giveUp(unit, present.isEmpty ? .noAdapter : .notHeard) }
        }
    }

    private var hasOverrun: Bool { rules.trayTime.map { $0 <= now } ?? false }

    /// Whether only unheard units are left, and no hold keeps them from starting.
    private var isWaitingInVain: Bool {
        (hold == nil || isStopped) && active.isEmpty
            && waiting.allSatisfy { unheard.contains($0) || self[$0].isGivenUp }
    }

    private func stallMoment(of unit: UnitNumber) -> Duration? {
        self[unit].isStalled ? nil : self[unit].progress.map { $0 + Self.stallTime }
    }

    private func giveUpMoment(of unit: UnitNumber) -> Duration? {
        guard !self[unit].isGivenUp, let limit = rules.unitTime else { return nil }
        return self[unit].firstPermitted.map { $0 + limit }
    }

    private mutating func giveUp(_ unit: UnitNumber, _ reason: GiveUpReason) {
        guard !self[unit].isGivenUp else { return }
        self[unit].isGivenUp = true
        unheard.remove(unit)
        emit(.giveUp(unit, reason))
    }

    struct Usage {
        /// Links that are up or being made.
        var links = 0
        /// Link slots in use.
        var slots = 0
        /// Units whose update has begun and not ended.
        var units = 0
        /// Units that wait for their first link, or soon will.
        var prepared = 0
    }

    func usage(of adapter: AdapterNumber) -> Usage {
        var usage = Usage()
        usage.units = active.count { self[$0].adapter == adapter }
        for unit in linking.lazy.map({ self[linking: $0] }) where unit.adapter == adapter {
            if unit.hasLink { usage.links += 1 }
            if unit.hasSlot(at: now) { usage.slots += 1 }
            if !unit.hasHadLink,
                unit.askingSince != nil || unit.requestExpectedUntil.map({ $0 > now }) ?? false
            {
                usage.prepared += 1
            }
        }
        return usage
    }
}

/// When an adapter listens for units that were not heard yet. Listening takes air time from links: an adapter with
/// links listens for a short time and pauses for a longer one.
enum ListeningPlan {
    /// How long an adapter with links listens in each period: long enough for three adverts of a slow beacon.
    static let burst = Duration.seconds(3)
    static let period = Duration.seconds(12)

    /// Whether an adapter listens at `now`, counted from the start of the run.
    static func isDue(at now: Duration, hasLinks: Bool) -> Bool { !hasLinks || phase(of: now) < burst }

    /// When an adapter with links next starts or stops listening.
    static func change(after now: Duration) -> Duration {
        let phase = phase(of: now)
        return now - phase + (phase < burst ? burst : period)
    }

    private static func phase(of now: Duration) -> Duration { now - period * Int(now / period) }
}
