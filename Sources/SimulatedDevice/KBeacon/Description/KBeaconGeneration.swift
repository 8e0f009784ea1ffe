/// Which words a KBeacon's session has (kbeacon.md, Messages, Generations).
public enum KBeaconGeneration: Int, Hashable, Sendable, CaseIterable {
    /// `stype` and `modle`.
    case first = 1
    /// `type` and `model`.
    case second
}
