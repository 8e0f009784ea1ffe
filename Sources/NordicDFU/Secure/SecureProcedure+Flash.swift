import Sessions
import UpdateCore

/// Waiting for what Execute(init) writes, without knowing how long that takes.
///
/// An Execute of a data object is answered when the flash has nothing left to do. Right after a valid init packet,
/// with nothing created yet, it does nothing else (nordic-secure.md, Timing); on SDK 12 to 14 it does not wait either,
/// so they are not asked.
extension SecureProcedure {
    /// Only a bootloader is known to do nothing else then. Not where nobody tells the time: what is gained is mostly the
    /// knowledge of how long it took. Not where that was learned before either, and is less than the question takes.
    var mayAskForIdleFlash: Bool {
        receiver == .bootloader && link.pacing.isKnown && link.settings.areUnderWay
            && !update.hasBarrierFailed
            && !flow.isOldTarget
            && flow.settingsWithin == nil
    }

    /// An Execute was answered, and the flash begins with settings: that of an old target always, others' after a new
    /// init packet. Reckoned from then on, where somebody tells the time.
    mutating func noteSettings() {
        guard link.pacing.isKnown else {
            link.flashIdle = nil
            return
        }
        link.flashIdle =
            flow.settingsWritten(executed: link.pacing.exchange, after: link.transfer.forecast?.idle)
            ?? (link.settings.areUnderWay ? flow.quickSettings(executed: link.pacing.exchange) : nil)
    }

    /// The flash is idle, or the device does not say: `isIdle` false leaves the long pause after the first Create.
    mutating func foundFlash(isIdle: Bool) -> UpdateStep {
        if isIdle {
            if case .underWay(let start, isNew: true) = link.settings, let wait = link.pacing.wait {
                flow.note(settingsWithin: link.pacing.now - start, atOnce: flow.isAtOnce(wait))
            }
            link.settings = .none
        } else {
            update.hasBarrierFailed = true
        }
        return create(object(at: 0))
    }
}
