/// When no further unit is to start until a person has looked.
///
/// Only what a run has shown since it began or was last released counts, so that old failures do not trip a rule again.
public enum HoldRule: Hashable, Sendable {
    /// So many units in a row have failed.
    case consecutive(Int)
    /// So many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// So many have ended for the same reason, whether the unit's or the bench's.
    case sameCause(Int)
}
