/// A setting that is not as it should be.
public struct SettingDifference<Path: Hashable & Sendable & CustomStringConvertible>: Equatable, Sendable {
    /// Where it stands.
    public let path: Path
    /// What the device has; nil where it has nothing there.
    public let found: SettingValue?
    /// What it should be.
    public let wanted: SettingValue
    /// Whether its maker names it.
    public let isKnown: Bool
}

extension SettingDifference: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(path) is \(found?.description ?? "not there"), not \(wanted)" }
}
