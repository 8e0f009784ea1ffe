import UpdateModel

/// Waiting until the settings that Execute(init) writes are in flash, however long that takes.
///
/// Execute of a data object is acknowledged when the flash is idle. Right after a valid init packet, before a Create,
/// it does nothing else (nordic-secure.md, Timing). On SDK 12 to 14 it does not wait for the flash, so it is not used
/// there.
extension SecureProcedure {
    /// Only a bootloader is known to do nothing else then. Not used if times are unknown, because the main benefit is
    /// knowing how long the flash took, nor if that is known already and is shorter than the request takes.
    var mayAskForIdleFlash: Bool {
        receiver == .bootloader && link.pacing.isKnown && link.settings.areUnderWay
            && !update.hasBarrierFailed
            && !flow.isOldTarget
            && flow.settingsWithin == nil
    }

    /// An Execute was acknowledged, and the flash starts to write settings: always on an old target, elsewhere after
    /// a new init packet. Predicts the end of that, if times are known.
    mutating func noteSettings() {
        guard link.pacing.isKnown else {
            link.flashIdle = nil
            return
        }
        link.flashIdle =
            flow.settingsWritten(executed: link.pacing.exchange, after: link.transfer.forecast?.idle)
            ?? (link.settings.areUnderWay ? flow.quickSettings(executed: link.pacing.exchange) : nil)
    }

    /// The flash is idle, or with `isIdle` false, the device does not tell: then the long pause after the first
    /// Create stays.
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
