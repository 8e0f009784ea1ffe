extension SimulatedBeacon {
    /// Applies everything that was due by `now`.
    func catchUp(to now: Duration) {
        if let due = resetDue, due <= now { restart(at: due) }
        while resetDue == nil, let deadline = device.inactivityDeadline, deadline <= now {
            restart(at: deadline)
        }
    }

    func restart(at moment: Duration) {
        let time = device.reset(at: moment)
        resetDue = nil
        awakens = moment + time + (device.startsSlowly ? faults.startDelay : .zero)
        // The central is still connected to a program that no longer runs: the end of the link is all that is left to
        // report.
        if link != nil { watch?.tell(.disconnected) }
        link?.cut()
        link = nil
        watch?.tell(.restarted)
        persist(at: moment)
    }

    /// Stores the memory as it will be after all pending operations.
    func persist(at now: Duration) {
        let changes = device.flash.takeChanges()
        guard let keeper else { return }
        var settled = device.settled(at: now, before: resetDue)
        if let state = settled.retained { keeper.begin(with: state) }
        for range in changes + settled.flash.takeChanges() {
            keeper.remember(
                image: settled.flash.content(range)[...], at: range.lowerBound - device.memoryStart)
        }
        if let state = settled.retained { keeper.remember(state) }
    }
}
