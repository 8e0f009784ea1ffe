/// What is to be done on a tray next, by whoever drives `TraySchedule`.
public enum TrayStep: Hashable, Sendable {
    /// Start the unit's update over this adapter. It may listen, and has to ask (`TrayFact.wantsLink`) before each link.
    case begin(UnitNumber, on: AdapterNumber)
    /// Make one attempt to connect, and say what became of it.
    case connect(ConnectionPlan)
    /// The unit gets no link: its adapter is gone.
    case refuse(UnitNumber)
    /// Have the unit show itself over this adapter, which has to ask (`TrayFact.wantsLink`) before its link, and say
    /// `TrayFact.blinkEnded`.
    case show(UnitNumber, on: AdapterNumber)
    /// Have the unit show itself no longer.
    case endBlink(UnitNumber)
    /// Say why the unit does not show itself.
    case refuseBlink(UnitNumber, BlinkRefusal)
    /// Give all links of the adapter another interval, where the adapter can.
    case retune(AdapterNumber, interval: Duration)
    /// Listen for units that were not heard yet.
    case listen(AdapterNumber)
    /// Listen no more, for the sake of the links.
    case rest(AdapterNumber)
    /// Show that the unit has made no progress for a while. It goes on by its own deadlines.
    case stalled(UnitNumber)
    /// Show that no further unit starts until the tray is released, and why.
    case hold(HoldReason)
    /// End the unit's update at a safe point, if it has begun, and say `TrayFact.finished`.
    case giveUp(UnitNumber, GiveUpReason)
}
