public import UpdateCore

/// Why no further unit starts.
public enum HoldReason: Hashable, Sendable {
    /// The unit that was to prove the firmware did not pass.
    case goldenFailed(UnitNumber, FailureCode)
    /// So many in a row have failed.
    case consecutive(Int)
    /// So many of the last ones have failed.
    case share(failures: Int, ofLast: Int)
    /// So many have ended for this reason.
    case sameCause(FailureCode, Int)
    /// A person wants it.
    case asked
}
