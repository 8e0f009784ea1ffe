import UpdateCore

/// Waiting for what Execute(init) writes, without knowing how long that takes.
///
/// An Execute of a data object is answered when the flash has nothing left to do. Right behind a valid init packet,
/// with nothing created yet, it does nothing else (nordic-secure.md, Timing); on SDK 12 to 14 it does not wait either,
/// so they are not asked.
extension SecureProcedure {
    /// Not where nobody tells the time: what is gained is mostly the knowledge of how long it took.
    var mayAskForIdleFlash: Bool {
        pacing.isKnown && settings.areUnderWay && !hasBarrierFailed && !flow.isOldTarget
    }

    /// An Execute was answered, and the flash of an old target begins with settings. Reckoned from then on, where
    /// somebody tells the time.
    mutating func noteSettings() {
        flashIdle =
            pacing.isKnown
            ? flow.settingsWritten(executed: pacing.now, behind: transfer.forecast?.idle) : nil
    }

    /// The flash is idle, or the device does not say: `isIdle` false leaves the long pause behind the first Create.
    mutating func foundFlash(isIdle: Bool) -> UpdateStep {
        if isIdle {
            if case .underWay(let start, isNew: true) = settings, let wait = pacing.wait {
                flow.note(settingsWithin: pacing.now - start, atOnce: flow.isAtOnce(wait))
            }
            settings = .none
        } else {
            hasBarrierFailed = true
        }
        return create(object(at: 0))
    }
}
