public import Tray

/// What a person, or the engine that gives the work, may want of a run while it lasts.
public enum TrayControl: Hashable, Sendable {
    /// No further unit is begun until the tray is released.
    case pause
    /// No further unit is begun, for a reason from outside, until the tray is released.
    case hold(HoldReason)
    /// That reason is over; what else holds the tray stays.
    case letGo(HoldReason)
    /// Go on after a pause or a hold.
    case release
    /// There is nobody any more who could release a hold: one that no engine lifts ends the session, as where nobody was there.
    case unattended
    /// No further unit is begun in this session; those that run go on to their end.
    case stop
    /// Those that run end at their next safe point, too.
    case abort
    /// The unit is left out; where it runs, it ends at its next safe point.
    case skip(UnitNumber)
    /// The unit, which is not on its firmware, gets another turn.
    case retry(UnitNumber)
    /// The unit, which is not at work, shows where it is.
    case show(UnitNumber)
}
