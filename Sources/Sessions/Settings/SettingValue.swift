/// A value of a device's setting. Numbers are equal whatever they are written with.
public enum SettingValue: Hashable, Sendable {
    case number(Double)
    case text(String)
    /// What is neither, as JSON without spaces.
    case json(String)

    /// The whole number that it is; nil for what a `Double` may have rounded.
    public var integer: Int? {
        guard case .number(let number) = self, number.magnitude <= 0x1p53 else { return nil }
        return Int(exactly: number)
    }
}

extension SettingValue: CustomStringConvertible {
    /// As people read it, and as a file has it.
    public var description: String {
        switch self {
        case .number(let number): integer.map { "\($0)" } ?? "\(number)"
        case .text(let text), .json(let text): text
        }
    }
}
