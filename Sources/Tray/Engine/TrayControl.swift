/// A command to a running run, from the operator or the work server.
public enum TrayControl: Hashable, Sendable {
    /// No further unit starts until the tray is released.
    case pause
    /// No further unit starts, for an external reason, until the tray is released.
    case hold(HoldReason)
    /// That reason has passed; other reasons remain.
    case letGo(HoldReason)
    /// Continue after a pause or a hold.
    case release
    /// No operator is left who could release a hold: a hold that the work server does not lift ends the session, as in
    /// an unattended run.
    case unattended
    /// No further unit starts in this session; those at work continue to their end.
    case stop
    /// Like `stop`, and units at work end at their next safe point.
    case abort
    /// The unit is skipped; if it is at work, it ends at its next safe point.
    case skip(UnitNumber)
    /// The unit, which is not on its firmware, is tried again.
    case retry(UnitNumber)
    /// The unit, which is not at work, blinks.
    case show(UnitNumber)
}
