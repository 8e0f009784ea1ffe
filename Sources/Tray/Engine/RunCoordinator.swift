import Bluetooth
import Firmware
import UpdateEngine

/// Has the state of a session, processes the messages of its mailbox, and performs the steps of the schedule.
struct RunCoordinator<Planner: UnitPlanner> {
    let run: TrayRun<Planner>
    let mailbox: RunMailbox
    let time: Timekeeper
    let begin: Duration
    var schedule: TraySchedule
    var hearing: TraySightings
    var records: [UnitRecord]
    /// The units to search for, with what was done to them.
    var targets: [TrayTarget]
    var usage = RunUsage()
    var stopTokens: [UnitNumber: StopToken<StopReason>] = [:]
    var blinks: [UnitNumber: StopToken<Void>] = [:]
    /// The waiting units that were heard, as last reported to observers.
    var waiting: [UnitNumber: UnitRecord] = [:]
    /// Units that can blink, by their latest adverts.
    var showable: Set<UnitNumber> = []
    var scanTokens: [AdapterNumber: StopToken<Void>] = [:]
    /// Units that have ended but are not recorded yet.
    var closing: Set<UnitNumber> = []
    /// Units that are to be tried again, until the journal has recorded this.
    var reopening: Set<UnitNumber> = []
    var hold: TrayRecord.Hold?
    var isAttended: Bool
    var loads: [AdapterNumber: [Int]] = [:]
    var alarm: Alarm?
    /// Why the journal cannot be written any more; nil while it can.
    var failure: (any Error)?

    init(_ run: TrayRun<Planner>, _ mailbox: RunMailbox, time: Timekeeper) {
        (self.run, self.mailbox, self.time) = (run, mailbox, time)
        begin = time.now
        isAttended = run.plan.waitsOnHold
        let slots = Dictionary(run.adapterSlots.map { ($0.number, $0.slots) }) { first, _ in first }
        let pending = Dictionary(
            run.adapterSlots.map { ($0.number, $0.adapter.pendingLinks) },
            uniquingKeysWith: { first, _ in first })
        schedule = TraySchedule(
            units: run.plan.targets.count, over: slots, connecting: pending, by: run.plan.rules)
        hearing = TraySightings(
            run.plan.targets, isComplete: run.adapterSlots.allSatisfy(\.adapter.passesEveryReport))
        records = run.plan.records
        targets = run.plan.targets
    }

    var now: Duration { time.now - begin }

    var isOver: Bool { schedule.isOver && closing.isEmpty && reopening.isEmpty && stopTokens.isEmpty }

    mutating func take(_ message: RunMailbox.Message, _ group: inout DiscardingTaskGroup) {
        switch message {
        case .fact(.timePassed):
            hear(hearing.settle(at: time.now), &group)
            tell(.timePassed, &group)
        case .fact(.adapter(let adapter, let isThere)): notePresence(of: adapter, isThere, &group)
        case .fact(let fact):
            if case .retried(let unit) = fact { reopening.remove(unit) }
            if case .blinkEnded(let unit) = fact { blinks[unit] = nil }
            tell(fact, &group)
        case .heard(let report, let adapter):
            notePresence(of: adapter, true, &group)
            hear(hearing.hear(report, by: adapter, at: time.now), &group)
        case .control(let control): handle(control, &group)
        case .changes(_, .configure): break
        case .changes(let unit, let change):
            targets[unit.value].mayBeInBootloader = true
            if case .activate = change { targets[unit.value].mayBeInstalled = true }
        case .left(let unit, let record): leave(unit, record, &group)
        case .ended(let unit, let record): end(unit, record, &group)
        case .broken(let error):
            failure = failure ?? error
            handle(.abort, &group)
        }
        arm()
    }

    mutating func close() {
        alarm?.stop()
        for token in scanTokens.values { token.stop(()) }
    }

    private mutating func hear(_ heard: [TraySightings.Heard], _ group: inout DiscardingTaskGroup) {
        for one in heard {
            noteShowable(one.unit)
            noteIdentity(of: one.unit)
            tell(.heard(one.unit, by: one.adapter, dBm: one.dBm), &group)
        }
    }

    mutating func tell(_ fact: TrayFact, _ group: inout DiscardingTaskGroup) {
        usage.note(fact, at: now)
        let steps = schedule.take(fact, at: now)
        for step in steps { perform(step, &group) }
        show()
    }

    private mutating func arm() {
        alarm?.stop()
        let moments = [schedule.nextMoment.map { $0 + begin }, hearing.nextMoment(after: time.now)]
        guard let next = moments.compactMap(\.self).min() else { return }
        alarm = time.alarm(after: max(.zero, next - time.now)) { [mailbox] in mailbox.say(.timePassed) }
    }

    private mutating func show() {
        for adapter in run.adapterSlots.map(\.number) {
            usage.note(links: schedule.standingLinks(over: adapter), of: adapter)
            let load = [schedule.links(over: adapter).count, schedule.slots(of: adapter)?.limit ?? 0]
            guard loads[adapter] != load else { continue }
            loads[adapter] = load
            run.report(.adapter(adapter, links: load[0], limit: load[1]))
        }
    }

    var ending: TrayRun<Planner>.Ending {
        TrayRun.Ending(
            records: records,
            adapters: run.adapterSlots.map { adapterSlot in
                let most = usage.mostLinks(of: adapterSlot.number)
                // After a refusal, the limit may be lower than the number of links that the adapter has held.
                return TrayRecord.Adapter(
                    name: adapterSlot.name, mostLinks: most,
                    limit: schedule.slots(of: adapterSlot.number).map { max($0.limit, most) })
            },
            limitedBy: usage.limitingFactor(records, session: run.plan.session))
    }

    mutating func noteShowable(_ unit: UnitNumber) {
        let can = hearing.finding(of: unit)?.beacon.map(run.planner.canShow) ?? false
        guard can != showable.contains(unit) else { return }
        if can { showable.insert(unit) } else { showable.remove(unit) }
        run.report(.canShow(unit, can))
    }

    /// Reports the identity of a waiting unit when it is known, and when it changes; ignores its signal strength.
    private mutating func noteIdentity(of unit: UnitNumber) {
        var record = records[unit.value]
        guard record.verdict == nil, stopTokens[unit] == nil, let finding = hearing.finding(of: unit),
            let beacon = finding.beacon
        else { return }
        let absent: DeviceAddress? = if case .bootloader(_, let absent) = finding { absent } else { nil }
        record.note(beacon, absent: absent)
        let known = waiting[unit].map { [$0.name, $0.identifier, $0.model, $0.address] }
        guard [record.name, record.identifier, record.model, record.address] != known else { return }
        waiting[unit] = record
        run.report(.heard(unit, record))
    }

    mutating func show(_ unit: UnitNumber, on number: AdapterNumber, _ group: inout DiscardingTaskGroup) {
        guard let adapterSlot = run.adapterSlots.first(where: { $0.number == number }),
            let beacon = hearing.finding(of: unit)?.beacon
        else {
            run.report(.blinking(unit, .refused(.notHeard)))
            return mailbox.say(.blinkEnded(unit))
        }
        let blinking = UnitBlink(
            unit: unit, beacon: beacon, adapterSlot: adapterSlot, run: run, mailbox: mailbox)
        let token = StopToken<Void>()
        blinks[unit] = token
        group.addTask { await blinking.show(obeying: token) }
    }
}
