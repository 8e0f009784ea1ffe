import Bluetooth
import Identity

extension RunCoordinator {
    /// Reports whether a unit can blink, on change.
    mutating func noteShowable(_ unit: UnitNumber) {
        let can = hearing.finding(of: unit)?.beacon.map(run.planner.canShow) ?? false
        guard can != showable.contains(unit) else { return }
        if can { showable.insert(unit) } else { showable.remove(unit) }
        run.report(.canShow(unit, can))
    }

    /// Makes a unit blink.
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
