/// A value of a device's setting. Numbers are equal whatever they are written with.
public enum SettingValue: Hashable, Sendable {
    case number(Double)
    case text(String)
}

extension SettingValue: CustomStringConvertible {
    /// As people read it, and as a file has it.
    public var description: String {
        switch self {
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        }
    }
}
