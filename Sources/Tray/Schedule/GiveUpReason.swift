/// Why a unit's turn has to end though its update has not.
public enum GiveUpReason: Hashable, Sendable {
    /// The unit has had as long as one may take.
    case unitTime
    /// The tray has had as long as it may take.
    case trayTime
    /// No adapter has heard it, and there is nothing else left to do.
    case notHeard
    /// There is no adapter any more.
    case noAdapter
    /// The run was stopped before the unit had its first link.
    case stopped
}
