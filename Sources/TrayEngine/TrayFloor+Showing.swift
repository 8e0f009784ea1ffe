import BeaconIdentity
import Radio
import Tray

extension TrayFloor {
    /// Tells whether a unit can show itself, where that is news.
    mutating func noteShowable(_ unit: UnitNumber) {
        let can = hearing.finding(of: unit)?.beacon.map(run.planner.canShow) ?? false
        guard can != showable.contains(unit) else { return }
        if can { showable.insert(unit) } else { showable.remove(unit) }
        run.report(.canShow(unit, can))
    }

    /// Has a unit show itself.
    mutating func show(_ unit: UnitNumber, on number: AdapterNumber, _ group: inout DiscardingTaskGroup) {
        guard let seat = run.seats.first(where: { $0.number == number }),
            let beacon = hearing.finding(of: unit)?.beacon
        else {
            run.report(.showing(unit, .refused(.notHeard)))
            return desk.say(.showingEnded(unit))
        }
        let showing = UnitShowing(unit: unit, beacon: beacon, seat: seat, run: run, desk: desk)
        let sign = StopSign<Void>()
        showings[unit] = sign
        group.addTask { await showing.show(heeding: sign) }
    }
}
