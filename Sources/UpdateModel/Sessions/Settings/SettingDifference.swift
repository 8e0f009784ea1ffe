/// A setting with another value than required.
public struct SettingDifference<Path: Hashable & Sendable & CustomStringConvertible>: Equatable, Sendable {
    /// The path of the setting.
    public let path: Path
    /// The device's value; nil if it has none.
    public let found: SettingValue?
    /// The required value.
    public let wanted: SettingValue
    /// Whether its maker documents it.
    public let isKnown: Bool
}

extension SettingDifference: CustomStringConvertible {
    /// One line for people.
    public var description: String { "\(path) is \(found?.description ?? "not there"), not \(wanted)" }
}
