/// An operator's decision to accept a code that was refused.
public enum ScanOverride: String, CaseIterable, Sendable {
    /// The beacon was moved to another slot.
    case move
    /// The slot's beacon was replaced by another.
    case replace
    /// The beacon belongs to the tray although it was not heard.
    case unknown
    /// The beacon is updated again although it has passed.
    case again
}
