public import Tray

/// What a person may want of a run while it lasts.
public enum TrayControl: Hashable, Sendable {
    /// No further unit is begun until the tray is released.
    case pause
    /// Go on after a pause or a hold.
    case release
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
