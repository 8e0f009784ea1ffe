/// What an operator may decide about a code that was refused.
public enum ScanOverride: String, CaseIterable, Sendable {
    /// The beacon lies in another slot now.
    case move
    /// Another beacon lies in the slot now.
    case replace
    /// The beacon belongs to the tray although nobody has heard of it.
    case unknown
    /// The beacon is updated once more.
    case again
}
