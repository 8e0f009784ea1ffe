import Sessions

extension SettingValue {
    /// What a beacon says; nil for what no setting is.
    init?(_ value: JSONValue, _ form: KBeaconSettingKey.Form) {
        switch (value, form) {
        case (.number(let number), _): self = .number(number)
        case (.truth(let truth), _): self = .number(truth ? 1 : 0)
        case (.text(let text), .digits), (.text(let text), .uuid): self = .text(text.lowercased())
        case (.text(let text), .text): self = .text(text)
        case (.text(let text), _):
            let isHexadecimal = text.lowercased().hasPrefix("0x")
            let number = isHexadecimal ? Int(text.dropFirst(2), radix: 16).map(Double.init) : Double(text)
            guard let number, number.isFinite else { return nil }
            self = .number(number)
        default: return nil
        }
    }

    /// As a member of a message.
    var message: KBeaconMessage.Value {
        switch self {
        case .number(let number): Int(exactly: number).map { .number($0) } ?? .decimal(number)
        case .text(let text): .text(text)
        }
    }
}

extension KBeaconSettingKey {
    /// The value that `text` is; nil where it may not be the key's.
    func value(_ text: String) -> SettingValue? {
        switch form {
        case .whole(let range): return Self.whole(text, in: range)
        case .power: return Self.whole(text, in: -128...127)
        case .decimal(let range):
            let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
            guard isPlain, let number = Double(text), range.contains(number) else { return nil }
            return .number(number)
        case .text(let lengths):
            let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && !#""\"#.utf8.contains($0) }
            return isPlain && lengths.contains(text.utf8.count) ? .text(text) : nil
        case .digits(let count):
            let digits = text.lowercased()
            guard digits.hasPrefix("0x"), digits.utf8.count == count + 2 else { return nil }
            return digits.dropFirst(2).allSatisfy(Self.isDigit) ? .text(digits) : nil
        case .uuid:
            let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts.joined().allSatisfy(Self.isDigit) else {
                return nil
            }
            return .text(text.lowercased())
        }
    }

    /// What its value may be, in words.
    var range: String {
        switch form {
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .power: "a whole number of dBm"
        case .decimal(let range): "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .text(let lengths):
            "\(lengths.lowerBound) to \(lengths.upperBound) characters of ASCII without quotes and backslashes"
        case .digits(let count): "0x and \(count) hexadecimal digits"
        case .uuid: "a UUID of 32 hexadecimal digits with hyphens"
        }
    }

    private static func whole(_ text: String, in range: ClosedRange<Int>) -> SettingValue? {
        let isHexadecimal = text.lowercased().hasPrefix("0x")
        guard let number = isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text) else { return nil }
        return range.contains(number) ? .number(Double(number)) : nil
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isHexDigit
    }
}
