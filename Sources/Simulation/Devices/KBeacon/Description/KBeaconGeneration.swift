/// The generation of a KBeacon, which determines the keys of its messages (kbeacon.md, Messages, Generations).
public enum KBeaconGeneration: Int, Hashable, Sendable, CaseIterable {
    /// `stype` and `modle`.
    case first = 1
    /// `type` and `model`.
    case second
}
