/// The next step on a tray, for the driver of `TraySchedule`.
public enum TrayStep: Hashable, Sendable {
    /// Start the unit's update over this adapter. It may listen, and has to ask (`TrayFact.wantsLink`) before each
    /// link.
    case begin(UnitNumber, on: AdapterNumber)
    /// Make one connection attempt, and report the outcome.
    case connect(ConnectionPlan)
    /// The unit gets no link: its adapter is gone.
    case refuse(UnitNumber)
    /// Make the unit blink over this adapter: ask (`TrayFact.wantsLink`) before its link, and report
    /// `TrayFact.blinkEnded`.
    case show(UnitNumber, on: AdapterNumber)
    /// Stop the unit's blink.
    case endBlink(UnitNumber)
    /// Report why the unit does not blink.
    case refuseBlink(UnitNumber, BlinkRefusal)
    /// Set another interval on all links of the adapter, if the adapter can.
    case retune(AdapterNumber, interval: Duration)
    /// Listen for units that were not heard yet.
    case listen(AdapterNumber)
    /// Stop listening, to leave the air to the links.
    case rest(AdapterNumber)
    /// Show that the unit has made no progress for a while. It continues by its own deadlines.
    case stalled(UnitNumber)
    /// Show that no further unit starts until the tray is released, and why.
    case hold(HoldReason)
    /// End the unit's update at a safe point, if it has begun, and report `TrayFact.finished`.
    case giveUp(UnitNumber, GiveUpReason)
}
