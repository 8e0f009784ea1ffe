import BluetoothTypes
import Radio
import Timing
import Tray
import UpdateEngine

/// The state of a session: takes what is handed in, and has done what the schedule says.
struct RunCoordinator<Planner: UnitPlanner> {
    let run: TrayRun<Planner>
    let mailbox: RunMailbox
    let time: Timekeeper
    let begin: Duration
    var schedule: TraySchedule
    var hearing: TrayHearing
    var records: [UnitRecord]
    /// The units that are looked for, with what was done to them.
    var targets: [TrayTarget]
    var usage = RunUsage()
    /// Ends the turns that run.
    var signs: [UnitNumber: StopToken<StopReason>] = [:]
    /// Ends the showing of units that are shown.
    var blinks: [UnitNumber: StopToken<Void>] = [:]
    /// Who can show itself, by what was heard last.
    var showable: Set<UnitNumber> = []
    /// Ends the listening of adapters that listen.
    var ears: [AdapterNumber: StopToken<Void>] = [:]
    /// Whose turn is over, and not written down yet.
    var closing: Set<UnitNumber> = []
    /// Who gets another turn, which is not written down yet.
    var reopening: Set<UnitNumber> = []
    var hold: TrayRecord.Hold?
    /// Whether there is somebody who can release a hold.
    var isAttended: Bool
    var loads: [AdapterNumber: [Int]] = [:]
    var alarm: Alarm?
    /// Why nothing can be written down any more.
    var failure: (any Error)?

    init(_ run: TrayRun<Planner>, _ mailbox: RunMailbox, time: Timekeeper) {
        self.run = run
        self.mailbox = mailbox
        self.time = time
        begin = time.now
        isAttended = run.plan.waitsOnHold
        let slots = Dictionary(run.adapterSlots.map { ($0.number, $0.slots) }) { first, _ in first }
        schedule = TraySchedule(units: run.plan.targets.count, over: slots, by: run.plan.rules)
        hearing = TrayHearing(
            run.plan.targets, isComplete: run.adapterSlots.allSatisfy(\.adapter.passesEveryReport))
        records = run.plan.records
        targets = run.plan.targets
    }

    /// Since the session began.
    var now: Duration { time.now - begin }

    /// Whether there is nothing left to do.
    var isOver: Bool { schedule.isOver && closing.isEmpty && reopening.isEmpty && signs.isEmpty }

    /// Takes what was handed in.
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

    /// What is left to be tidied when the session is over.
    mutating func close() {
        alarm?.stop()
        for sign in ears.values { sign.stop(()) }
    }

    private mutating func hear(_ heard: [TrayHearing.Heard], _ group: inout DiscardingTaskGroup) {
        for one in heard {
            noteShowable(one.unit)
            tell(.heard(one.unit, by: one.adapter, dBm: one.dBm), &group)
        }
    }

    /// Tells the schedule, and does what it says.
    mutating func tell(_ fact: TrayFact, _ group: inout DiscardingTaskGroup) {
        usage.note(fact, at: now)
        let steps = schedule.take(fact, at: now)
        for step in steps { perform(step, &group) }
        show()
    }

    /// Wakes us when the schedule or the hearing has something to say.
    private mutating func arm() {
        alarm?.stop()
        let moments = [schedule.nextMoment.map { $0 + begin }, hearing.nextMoment(after: time.now)]
        guard let next = moments.compactMap(\.self).min() else { return }
        alarm = time.alarm(after: max(.zero, next - time.now)) { [mailbox] in mailbox.say(.timePassed) }
    }

    private mutating func show() {
        for adapterSlot in run.adapterSlots {
            usage.note(links: schedule.standingLinks(over: adapterSlot.number), of: adapterSlot.number)
            let load = [schedule.links(over: adapterSlot.number).count, schedule.slots(of: adapterSlot.number)?.limit ?? 0]
            guard loads[adapterSlot.number] != load else { continue }
            loads[adapterSlot.number] = load
            run.report(.adapter(adapterSlot.number, links: load[0], limit: load[1]))
        }
    }

    func slot(_ unit: UnitNumber) -> String { run.plan.targets[unit.value].slot }

    /// What the session has come to.
    var ending: TrayRun<Planner>.Ending {
        TrayRun.Ending(
            records: records,
            adapters: run.adapterSlots.map { adapterSlot in
                let most = usage.mostLinks(of: adapterSlot.number)
                // One that has held more than it takes now was found to hold as many.
                return TrayRecord.Adapter(
                    name: adapterSlot.name, mostLinks: most,
                    limit: schedule.slots(of: adapterSlot.number).map { max($0.limit, most) })
            },
            limitedBy: usage.limitingFactor(records, session: run.plan.session))
    }
}
