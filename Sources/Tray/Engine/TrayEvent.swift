package import UpdateModel

/// An event of a run, for observers.
package enum TrayEvent: Sendable {
    /// The identity of a unit that waits; reported on change.
    case heard(UnitNumber, UnitRecord)
    /// The identity of a unit whose update begins, before anything is done to it.
    case found(UnitNumber, UnitRecord)
    case began(UnitNumber, AttemptRecord)
    /// The unit's firmware is chosen and will be sent.
    case planned(UnitNumber, AttemptRecord)
    case update(UnitNumber, UpdateEvent)
    case warning(UnitNumber, AttemptRecord.Warning)
    /// Whether the unit can blink, by its adverts; reported on change.
    case canBlink(UnitNumber, Bool)
    case blinking(UnitNumber, BlinkEvent)
    case stalled(UnitNumber)
    /// An attempt has ended; another follows unless the unit has ended.
    case attempted(UnitNumber, AttemptRecord)
    case ended(UnitNumber, UnitRecord)
    /// No further unit starts, or units start again (`released`).
    case hold(TrayRecord.Hold)
    /// The number of links of an adapter that are up or being made, and its limit.
    case adapter(AdapterNumber, links: Int, limit: Int)
    case presence(AdapterNumber, isThere: Bool)
}

/// A command to a run, from the operator or the work server.
package enum TrayControl: Hashable, Sendable {
    /// No further unit starts until the tray is released.
    case pause
    /// No further unit starts, for an external reason, until the tray is released.
    case hold(HoldReason)
    /// This external reason has passed; other reasons remain.
    case endHold(HoldReason)
    case release
    /// No operator can release a hold any more: from now on, a hold that needs one ends the session, as in an unattended
    /// run.
    case unattended
    /// No further unit starts in this session; those at work continue to their end.
    case stop
    /// Like `stop`, and units at work end at their next safe point.
    case abort
    /// The unit is skipped; if it is at work, it ends at its next safe point.
    case skip(UnitNumber)
    /// The unit, which has ended without its firmware, is tried again.
    case retry(UnitNumber)
    /// The unit, which is not at work, blinks.
    case blink(UnitNumber)
}
