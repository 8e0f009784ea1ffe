public import Tray
public import UpdateCore

/// What an observer of a run sees, by the unit's place in the tray's order.
public enum TrayEvent: Sendable {
    /// Who the unit is, before anything is done to it.
    case found(UnitNumber, UnitRecord)
    /// An attempt begins.
    case began(UnitNumber, AttemptRecord)
    /// What the unit is to get is known, and will be sent.
    case planned(UnitNumber, AttemptRecord)
    /// What happens in it.
    case update(UnitNumber, UpdateEvent)
    /// Something to know that stops nothing.
    case warning(UnitNumber, AttemptRecord.Warning)
    /// Whether the unit can show a person where it is, by what is heard of it; told where it is news.
    case canShow(UnitNumber, Bool)
    /// What becomes of a wish to see where the unit is.
    case blinking(UnitNumber, BlinkEvent)
    /// The unit has made no progress for a while.
    case stalled(UnitNumber)
    /// An attempt has ended; another one follows unless the unit's turn has ended.
    case attempted(UnitNumber, AttemptRecord)
    /// The unit's turn has ended.
    case ended(UnitNumber, UnitRecord)
    /// No further unit is begun, or they are again (`released`).
    case hold(TrayRecord.Hold)
    /// So many links stand, or are being made, and so many may.
    case adapter(AdapterNumber, links: Int, limit: Int)
    /// The adapter is gone, or back.
    case presence(AdapterNumber, isThere: Bool)
}
