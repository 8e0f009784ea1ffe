/// How a tray selects its beacons.
public enum TrayUnits: Hashable, Sendable {
    /// By slots, in their listed order.
    case slots([TraySlot])
    /// By a rule.
    case rule(TrayRule)
}
