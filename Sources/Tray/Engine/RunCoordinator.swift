import Bluetooth
import Firmware
import UpdateEngine
import UpdateModel

/// Holds the state of a session, handles the messages of its mailbox, and performs the steps of the schedule.
struct RunCoordinator<Planner: UnitPlanner> {
    let run: TrayRun<Planner>
    let mailbox: RunMailbox
    let time: Timekeeper
    let begin: Duration
    var schedule: TraySchedule
    var sightings: TraySightings
    var records: [UnitRecord]
    /// The units to search for, with what was done to them.
    var targets: [TrayTarget]
    var usage = RunUsage()
    var stopTokens: [UnitNumber: StopToken<StopReason>] = [:]
    var blinks: [UnitNumber: StopToken<Void>] = [:]
    /// The waiting units that were heard, as last reported to observers.
    var waiting: [UnitNumber: UnitRecord] = [:]
    /// Units that can blink, by their latest adverts.
    var blinkable: Set<UnitNumber> = []
    var scanTokens: [AdapterNumber: StopToken<Void>] = [:]
    /// Units that have ended but are not recorded yet.
    var closing: Set<UnitNumber> = []
    /// Units that are to be tried again, until the journal has recorded this.
    var reopening: Set<UnitNumber> = []
    var hold: TrayRecord.Hold?
    var isAttended: Bool
    var reportedLoads: [AdapterNumber: [Int]] = [:]
    var alarm: Alarm?
    /// Why the journal cannot be written any more; nil while it can.
    var failure: (any Error)?

    init(_ run: TrayRun<Planner>, _ mailbox: RunMailbox, time: Timekeeper) {
        (self.run, self.mailbox, self.time) = (run, mailbox, time)
        begin = time.now
        isAttended = run.plan.waitsOnHold
        let slots = Dictionary(run.adapters.map { ($0.number, $0.slots) }) { first, _ in first }
        let pending = Dictionary(
            run.adapters.map { ($0.number, $0.adapter.pendingLinks) },
            uniquingKeysWith: { first, _ in first })
        schedule = TraySchedule(
            units: run.plan.targets.count, over: slots, connecting: pending, by: run.plan.rules)
        sightings = TraySightings(
            run.plan.targets, isComplete: run.adapters.allSatisfy(\.adapter.passesEveryReport))
        records = run.plan.records
        targets = run.plan.targets
    }

    var now: Duration { time.now - begin }

    var isOver: Bool { schedule.isOver && closing.isEmpty && reopening.isEmpty && stopTokens.isEmpty }

    mutating func handle(_ message: RunMailbox.Message, _ group: inout DiscardingTaskGroup) {
        switch message {
        case .fact(.timePassed):
            noteHeard(sightings.identify(at: time.now), &group)
            apply(.timePassed, &group)
        case .fact(.adapter(let adapter, let isThere)): notePresence(of: adapter, isThere, &group)
        case .fact(let fact):
            if case .retried(let unit) = fact { reopening.remove(unit) }
            if case .blinkEnded(let unit) = fact { blinks[unit] = nil }
            apply(fact, &group)
        case .heard(let report, let adapter):
            notePresence(of: adapter, true, &group)
            noteHeard(sightings.hear(report, by: adapter, at: time.now), &group)
        case .control(let control): handle(control, &group)
        case .willChange(_, .configure): break
        case .willChange(let unit, _): targets[unit.value].mayBeInBootloader = true
        case .mayBeInstalled(let unit, let mayBe): targets[unit.value].mayBeInstalled = mayBe
        case .adapterLost(let unit, let record): restart(unit, record, &group)
        case .ended(let unit, let record): finish(unit, record, &group)
        case .journalFailed(let error):
            failure = failure ?? error
            handle(.abort, &group)
        }
        setAlarm()
    }

    mutating func close() {
        alarm?.stop()
        for token in scanTokens.values { token.stop(()) }
    }

    private mutating func noteHeard(_ heard: [TraySightings.Heard], _ group: inout DiscardingTaskGroup) {
        for one in heard {
            noteBlinkable(one.unit)
            noteIdentity(of: one.unit)
            apply(.heard(one.unit, by: one.adapter, dBm: one.dBm), &group)
        }
    }

    private mutating func apply(_ fact: TrayFact, _ group: inout DiscardingTaskGroup) {
        usage.note(fact, at: now)
        let steps = schedule.apply(fact, at: now)
        for step in steps { perform(step, &group) }
        reportLoads()
    }

    private mutating func setAlarm() {
        alarm?.stop()
        let moments = [schedule.nextMoment.map { $0 + begin }, sightings.nextMoment(after: time.now)]
        guard let next = moments.compactMap(\.self).min() else { return }
        alarm = time.alarm(after: max(.zero, next - time.now)) { [mailbox] in
            mailbox.send(.fact(.timePassed))
        }
    }

    private mutating func reportLoads() {
        for adapter in run.adapters.map(\.number) {
            usage.note(links: schedule.standingLinks(over: adapter), of: adapter)
            let load = [schedule.links(over: adapter).count, schedule.slots(of: adapter)?.limit ?? 0]
            guard reportedLoads[adapter] != load else { continue }
            reportedLoads[adapter] = load
            run.report(.adapter(adapter, links: load[0], limit: load[1]))
        }
    }

    var result: RunResult {
        RunResult(
            records: records,
            adapters: run.adapters.map { runAdapter in
                let most = usage.mostLinks(of: runAdapter.number)
                // After a refusal, the limit may be lower than the number of links that the adapter has held.
                return TrayRecord.Adapter(
                    name: runAdapter.name, mostLinks: most,
                    limit: schedule.slots(of: runAdapter.number).map { max($0.limit, most) })
            },
            limitedBy: usage.limitingFactor(records, session: run.plan.session))
    }

    private mutating func noteBlinkable(_ unit: UnitNumber) {
        let can = sightings.finding(of: unit)?.beacon.map(run.planner.canBlink) ?? false
        guard can != blinkable.contains(unit) else { return }
        if can { blinkable.insert(unit) } else { blinkable.remove(unit) }
        run.report(.canBlink(unit, can))
    }

    /// Reports a waiting unit when its beacon is known, and again when its record changes in more than signal strength.
    private mutating func noteIdentity(of unit: UnitNumber) {
        var record = records[unit.value]
        guard record.verdict == nil, stopTokens[unit] == nil, let finding = sightings.finding(of: unit),
            let beacon = finding.beacon
        else { return }
        let silentApplication: DeviceAddress? =
            if case .bootloader(_, let application) = finding { application } else { nil }
        record.note(beacon, silentApplication: silentApplication)
        var last = waiting[unit]
        last?.rssi = record.rssi
        guard record != last else { return }
        waiting[unit] = record
        run.report(.heard(unit, record))
    }

    private mutating func blink(
        _ unit: UnitNumber, on number: AdapterNumber, _ group: inout DiscardingTaskGroup
    ) {
        guard let runAdapter = run.adapters.first(where: { $0.number == number }),
            let beacon = sightings.finding(of: unit)?.beacon
        else {
            run.report(.blinking(unit, .refused(.notHeard)))
            return mailbox.send(.fact(.blinkEnded(unit)))
        }
        let blinking = UnitBlink(
            unit: unit, beacon: beacon, runAdapter: runAdapter, run: run, mailbox: mailbox)
        let token = StopToken<Void>()
        blinks[unit] = token
        group.addTask { await blinking.run(obeying: token) }
    }
}

// MARK: Steps

extension RunCoordinator {
    private mutating func perform(_ step: TrayStep, _ group: inout DiscardingTaskGroup) {
        switch step {
        case .begin(let unit, let adapter): beginAttempts(at: unit, on: adapter, &group)
        case .connect(let plan):
            usage.began(plan, at: now)
            mailbox.answer(plan.unit, .success(plan))
        case .refuse(let unit): mailbox.answer(unit, .failure(.unavailable("the adapter is gone")))
        case .blink(let unit, let adapter): blink(unit, on: adapter, &group)
        case .endBlink(let unit): blinks[unit]?.stop(())
        case .refuseBlink(let unit, let refusal): run.report(.blinking(unit, .refused(refusal)))
        case .retune(let adapter, let interval): retune(adapter, to: interval, &group)
        case .listen(let adapter): listen(with: adapter, &group)
        case .stopListening(let adapter): scanTokens.removeValue(forKey: adapter)?.stop(())
        case .stalled(let unit): run.report(.stalled(unit))
        case .hold(let reason): beginHold(reason, &group)
        case .giveUp(let unit, let reason): giveUp(unit, .givenUp(reason), &group)
        }
    }

    private mutating func beginAttempts(
        at unit: UnitNumber, on number: AdapterNumber, _ group: inout DiscardingTaskGroup
    ) {
        guard let runAdapter = run.adapters.first(where: { $0.number == number }),
            let finding = sightings.finding(of: unit), !closing.contains(unit)
        else { return }
        let wasTried = records[unit.value].attempts.contains { $0.session == run.plan.session }
        var target = targets[unit.value]
        target.earlier = records[unit.value].attempts.last { $0.firmware != nil }?.firmware
        let attempts = UnitAttempts(
            run: run, unit: unit, target: target, finding: finding,
            heard: sightings.allAddresses(
                except: finding.application, wasChanged: target.mayBeInBootloader, chosen: target.bootloaders),
            since: wasTried ? nil : begin, runAdapter: runAdapter, mailbox: mailbox)
        var record = records[unit.value]
        record.isGolden = run.plan.rules.hasGolden && schedule.golden == unit
        let token = StopToken<StopReason>()
        stopTokens[unit] = token
        group.addTask { [mailbox] in
            do { mailbox.send(try await attempts.perform(record, obeying: token)) } catch {
                mailbox.send(.journalFailed(error))
                mailbox.send(.ended(unit, record))
            }
        }
    }

    private func retune(_ number: AdapterNumber, to interval: Duration, _ group: inout DiscardingTaskGroup) {
        guard let runAdapter = run.adapters.first(where: { $0.number == number }) else { return }
        group.addTask { await runAdapter.adapter.retune(interval: interval) }
    }

    private mutating func listen(with number: AdapterNumber, _ group: inout DiscardingTaskGroup) {
        guard let runAdapter = run.adapters.first(where: { $0.number == number }) else { return }
        let token = StopToken<Void>()
        scanTokens[number] = token
        group.addTask { [mailbox, log = run.log] in
            await token.run { await runAdapter.listen(for: mailbox, log) }
        }
    }

    private mutating func beginHold(_ reason: HoldReason, _ group: inout DiscardingTaskGroup) {
        let hold = TrayRecord.Hold(began: .now, code: reason.code, message: reason.words(run.plan.slot))
        self.hold = hold
        write(hold, &group)
        if !isAttended, reason.endsUnattended { mailbox.send(.fact(.stopped)) }
    }

    private mutating func write(_ hold: TrayRecord.Hold, _ group: inout DiscardingTaskGroup) {
        run.report(.hold(hold))
        group.addTask { [mailbox, journal = run.journal] in
            do { try await journal.note(hold) } catch { mailbox.send(.journalFailed(error)) }
        }
    }

    /// Ends a unit that is at work or has not begun.
    private mutating func giveUp(_ unit: UnitNumber, _ stop: StopReason, _ group: inout DiscardingTaskGroup) {
        let isHeld = stop == .givenUp(.stopped) && !targets[unit.value].mayBeInBootloader
        let stop = if let hold, isHeld { StopReason.held(hold) } else { stop }
        if let token = stopTokens[unit] { return token.stop(stop) }
        guard !closing.contains(unit), records[unit.value].verdict == nil else { return }
        closing.insert(unit)
        var record = records[unit.value]
        record.verdict = record.completing(
            stop.verdict(run.plan.rules), mayBeNew: targets[unit.value].mayBeInstalled)
        record.verdict?.addNextStep(from: run.planner)
        group.addTask { [mailbox, journal = run.journal, record] in
            do { try await journal.close(record) } catch { mailbox.send(.journalFailed(error)) }
            mailbox.send(.ended(unit, record))
        }
    }

    private mutating func finish(_ unit: UnitNumber, _ record: UnitRecord, _ group: inout DiscardingTaskGroup)
    {
        records[unit.value] = record
        stopTokens[unit] = nil
        closing.remove(unit)
        run.report(.ended(unit, record))
        apply(.finished(unit, record.verdict ?? UnitVerdict(.aborted)), &group)
    }

    /// Lets a unit whose adapter is gone start again with any adapter that hears it.
    private mutating func restart(
        _ unit: UnitNumber, _ record: UnitRecord, _ group: inout DiscardingTaskGroup
    ) {
        records[unit.value] = record
        records[unit.value].isGolden = false
        let stop = stopTokens.removeValue(forKey: unit)?.reason
        sightings.forget(unit, wasChanged: targets[unit.value].mayBeInBootloader)
        if let runAdapter = run.adapters.first(where: { $0.name == record.attempts.last?.adapter }) {
            notePresence(of: runAdapter.number, false, &group)
        }
        apply(.adapterLost(unit), &group)
        if let stop { giveUp(unit, stop, &group) }
    }

    private mutating func notePresence(
        of adapter: AdapterNumber, _ isThere: Bool, _ group: inout DiscardingTaskGroup
    ) {
        guard schedule.isThere(adapter) != isThere else { return }
        run.report(.presence(adapter, isThere: isThere))
        apply(.adapter(adapter, isThere: isThere), &group)
    }

    /// Tries a unit again, if it has ended without its firmware.
    private mutating func retry(_ unit: UnitNumber, _ group: inout DiscardingTaskGroup) {
        guard records.indices.contains(unit.value), let verdict = records[unit.value].verdict,
            !verdict.outcome.isGood
        else { return }
        records[unit.value].verdict = nil
        reopening.insert(unit)
        sightings.forget(unit, wasChanged: targets[unit.value].mayBeInBootloader)
        group.addTask { [mailbox, journal = run.journal, slot = run.plan.slot(unit)] in
            do { try await journal.reopen(slot) } catch { mailbox.send(.journalFailed(error)) }
            mailbox.send(.fact(.retried(unit)))
        }
    }

    private mutating func endHold(_ group: inout DiscardingTaskGroup) {
        guard var over = hold else { return }
        over.released = .now
        hold = nil
        write(over, &group)
    }

    private mutating func handle(_ control: TrayControl, _ group: inout DiscardingTaskGroup) {
        switch control {
        case .pause: apply(.paused, &group)
        case .hold(let reason): apply(.held(reason), &group)
        case .endHold(let reason):
            if schedule.hold?.code == reason.code { endHold(&group) }
            apply(.holdPassed(reason), &group)
        case .unattended:
            isAttended = false
            // The operator who has paused the run can no longer release it.
            if let reason = schedule.hold, reason.endsUnattended || reason == .paused {
                mailbox.send(.fact(.stopped))
            }
        case .release:
            endHold(&group)
            apply(.released, &group)
        case .stop: apply(.stopped, &group)
        case .abort:
            apply(.stopped, &group)
            // This also ends units whose adapter is gone, which would continue when it is back.
            for index in records.indices { giveUp(UnitNumber(index), .aborted, &group) }
        case .skip(let unit): giveUp(unit, .skipped, &group)
        case .retry(let unit): retry(unit, &group)
        case .blink(let unit): apply(.blinkRequested(unit), &group)
        }
    }
}
