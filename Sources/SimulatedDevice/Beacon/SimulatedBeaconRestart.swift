extension SimulatedBeacon {
    /// Lets everything happen that was due by `now`.
    func catchUp(to now: Duration) {
        if let due = resetDue, due <= now { restart(at: due) }
        while program == .bootloader, resetDue == nil, let deadline = bootloader.inactivityDeadline,
            deadline <= now
        {
            restart(at: deadline)
        }
    }

    func restart(at moment: Duration) {
        let restart = bootloader.reset(at: moment, entering: isEntering)
        isEntering = false
        application.disconnected()
        program = restart.program
        resetDue = nil
        awakens = moment + restart.time + (program == .bootloader ? faults.bootloaderDelay : .zero)
        // Whoever is still connected talks to nobody; the end of the link is all that is left to tell.
        cutLink()
        link = nil
        persist(at: moment)
    }

    func persist(at now: Duration) {
        let changes = bootloader.flash.takeChanges()
        guard let keeper else { return }
        var settled = bootloader.settled(at: now)
        var program = program
        if let resetDue { program = settled.reset(at: resetDue, entering: isEntering).program }
        let start = description.layout.applicationStart
        for range in changes + settled.flash.takeChanges() {
            keeper.remember(image: settled.flash.content(range)[...], at: range.lowerBound - start)
        }
        keeper.remember(RetainedState(settled, program))
    }
}
