/// Why a unit ends before its update has finished.
public enum GiveUpReason: Hashable, Sendable {
    /// The unit's time limit has passed.
    case unitTime
    /// The tray's time limit has passed.
    case trayTime
    /// No adapter has heard it, and no other work is left.
    case notHeard
    /// No adapter is left.
    case noAdapter
    /// The run was stopped before the unit had its first link.
    case stopped
}
