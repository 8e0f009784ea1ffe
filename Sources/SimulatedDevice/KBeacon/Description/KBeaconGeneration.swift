/// Which words a KBeacon's session has (kbeacon.md, 6.1 and 6.2).
public enum KBeaconGeneration: Int, Hashable, Sendable, CaseIterable {
    /// `stype` and `modle`.
    case first = 1
    /// `type` and `model`.
    case second
}
