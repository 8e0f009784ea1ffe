/// When to start no further unit until the operator has looked.
///
/// Only outcomes since the run began or was last released count, so that old failures do not trip a rule again.
public enum HoldRule: Hashable, Sendable {
    /// This many units in a row have failed.
    case consecutive(Int)
    /// This many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// This many units have ended for the same reason, the unit's or the bench's.
    case sameCause(Int)
}
