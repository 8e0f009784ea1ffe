import Timing

extension SUOTABeacon {
    /// Lets everything happen that was due by `now`.
    func catchUp(to now: Duration) {
        if let due = resetDue, due <= now { restart(at: due) }
    }

    func restart(at moment: Duration) {
        resetDue = nil
        cutLink()
        link = nil
        boot = receiver.reset(at: moment)
        awakens = moment + boot.time + faults.bootloaderDelay
        persist(at: moment)
    }

    /// Ends the link without its waiting answers; what the receiver has begun goes on.
    func cutLink() {
        link?.schedule = DeliverySchedule()
        link?.isCut = true
        link?.outgoing.yield(.close)
        link?.endChannel?()
        link?.endChannel = nil
    }

    func disconnect(_ number: Int) {
        let now = time.now
        catchUp(to: now)
        guard link?.number == number else { return }
        link?.endChannel?()
        link = nil
        resetDue = receiver.disconnect(at: now)
        catchUp(to: now)
        persist(at: now)
    }

    /// Keeps the memory as it will be once everything that was begun is done.
    func persist(at now: Duration) {
        guard let keeper else {
            _ = receiver.flash.takeChanges()
            return
        }
        var flash = receiver.flash
        flash.advance(to: flash.idle(at: now))
        for range in receiver.flash.takeChanges() {
            keeper.remember(image: flash.content(range)[...], at: range.lowerBound)
        }
    }
}
