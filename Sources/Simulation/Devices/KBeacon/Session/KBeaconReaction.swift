/// A session's timed action on its link.
enum KBeaconReaction: Hashable, Sendable {
    /// Notifies this value of FEA2.
    case notify([UInt8], at: Duration)
    /// Indicates this value of FEA3.
    case indicate([UInt8], at: Duration)
    /// Ends the link.
    case disconnect(at: Duration)
}
