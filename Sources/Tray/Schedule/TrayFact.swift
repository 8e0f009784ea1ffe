/// An event on a tray, for `TraySchedule`.
public enum TrayFact: Hashable, Sendable {
    /// Time has passed, at least up to `TraySchedule.nextMoment`.
    case timePassed
    /// An adapter has heard a unit, with this strength in dBm if known.
    case heard(UnitNumber, by: AdapterNumber, dBm: Int8?)
    /// The unit's update, or its blink, is about to connect: it was heard, and everything needed before is known.
    case wantsLink(UnitNumber)
    /// The permitted link is up.
    case connected(UnitNumber)
    /// The permitted link was not made. After `.noAnswer` the unit's update asks again when it needs to; after
    /// `.tooManyLinks` it still waits and need not ask.
    case notConnected(UnitNumber, ConnectionRefusal)
    /// The unit has accepted more firmware.
    case progressed(UnitNumber)
    /// The unit has accepted everything that this link was for: silence is no longer a stall.
    case sentAll(UnitNumber)
    /// The unit's link is gone; its update continues.
    case disconnected(UnitNumber)
    /// The unit has ended.
    case finished(UnitNumber, UnitOutcome)
    /// The unit's adapter is gone: the unit starts again with any adapter that hears it.
    case left(UnitNumber)
    /// A unit that has ended is tried again: it has to be heard again.
    case retried(UnitNumber)
    /// An adapter was unplugged or switched off, or is back.
    case adapter(AdapterNumber, isThere: Bool)
    /// The operator wants the unit to blink.
    case blinkRequested(UnitNumber)
    /// The unit no longer blinks, or could not be made to.
    case blinkEnded(UnitNumber)
    /// The operator pauses the run: no further unit is to start for now.
    case paused
    /// No further unit is to start, for an external reason.
    case held(HoldReason)
    /// This external reason has passed. Other reasons remain.
    case passed(HoldReason)
    /// The operator releases a held tray.
    case released
    /// No further unit is to start in this run. Units that have had a link continue.
    case stopped
}
