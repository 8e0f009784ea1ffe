public import UpdateModel

/// An event of a run for observers, by the unit's place in the tray's order.
public enum TrayEvent: Sendable {
    /// The identity of the unit, before anything is done to it.
    case found(UnitNumber, UnitRecord)
    /// An attempt begins.
    case began(UnitNumber, AttemptRecord)
    /// The unit's firmware is chosen and will be sent.
    case planned(UnitNumber, AttemptRecord)
    /// An event of the attempt's update.
    case update(UnitNumber, UpdateEvent)
    /// A problem that does not stop the attempt.
    case warning(UnitNumber, AttemptRecord.Warning)
    /// Whether the unit can blink, by its adverts; reported on change.
    case canShow(UnitNumber, Bool)
    /// The progress of a request to blink.
    case blinking(UnitNumber, BlinkEvent)
    /// The unit has made no progress for a while.
    case stalled(UnitNumber)
    /// An attempt has ended; another follows unless the unit has ended.
    case attempted(UnitNumber, AttemptRecord)
    /// The unit has ended.
    case ended(UnitNumber, UnitRecord)
    /// No further unit starts, or units start again (`released`).
    case hold(TrayRecord.Hold)
    /// Links that are up or being made, and the limit.
    case adapter(AdapterNumber, links: Int, limit: Int)
    /// The adapter is gone, or back.
    case presence(AdapterNumber, isThere: Bool)
}
