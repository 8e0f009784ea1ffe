/// The value of a device's setting. Numbers compare by value, however they are written.
public enum SettingValue: Hashable, Sendable {
    case number(Double)
    case text(String)
    /// Any other value, as JSON without spaces.
    case json(String)

    /// The value as a whole number; nil if a `Double` may have rounded it.
    public var integer: Int? {
        guard case .number(let number) = self, number.magnitude <= 0x1p53 else { return nil }
        return Int(exactly: number)
    }
}

extension SettingValue: CustomStringConvertible {
    /// The value for people, and for a file.
    public var description: String {
        switch self {
        case .number(let number): integer.map { "\($0)" } ?? "\(number)"
        case .text(let text), .json(let text): text
        }
    }
}
