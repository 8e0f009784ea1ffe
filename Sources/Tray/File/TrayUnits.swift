/// Which beacons a tray is about.
public enum TrayUnits: Hashable, Sendable {
    /// Those in its slots, in the order in which they are listed.
    case slots([TraySlot])
    /// All that a rule means.
    case rule(TrayRule)
}
