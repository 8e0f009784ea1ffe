import Bytes
import UpdateModel

extension SettingValue {
    /// A beacon's value for an unknown key.
    init(_ value: JSONValue) {
        switch value {
        case .number(let digits): self = Self.number(digits) ?? .json(digits)
        case .text(let text): self = .text(text)
        default: self = .json(value.json)
        }
    }

    /// A beacon's or a file's value for `key`: booleans and quoted numbers become numbers if the key requires
    /// them. Invalid values stay unchanged.
    init(_ value: JSONValue, _ key: KBeaconSettingKey) {
        switch (value, key.form) {
        case (.bool(let truth), _) where key.form.isNumber: self = .number(truth ? 1 : 0)
        case (.text(let text), _) where key.form.isNumber:
            let whole = Int32(decimalOrHexadecimal: text).map { SettingValue.number(Double($0)) }
            self = whole ?? Self.number(text) ?? .text(text)
        case (.text(let text), .digits), (.text(let text), .uuid): self = key.form.value(text) ?? .text(text)
        default: self.init(value)
        }
    }

    /// The number with `digits`, as in JSON; nil if it would lose precision, overflow, or become 0 by underflow.
    private static func number(_ digits: String) -> SettingValue? {
        let mantissa = digits.prefix { $0 != "e" && $0 != "E" }
        let isShort = mantissa.filter(\.isNumber).count <= 15
        guard isShort, let number = Double(digits), number.isFinite,
            number != 0 || !mantissa.contains(where: { ("1"..."9").contains($0) })
        else { return nil }
        return .number(number)
    }

    /// The value in a settings file, under `unchecked`.
    var tree: JSONValue {
        switch self {
        case .number: .number("\(self)")
        case .text(let text): .text(text)
        // The text is JSON, so parsing it succeeds.
        case .json(let text): (try? JSONValue(json: Array(text.utf8))) ?? .text(text)
        }
    }

    /// The value in a message to the beacon.
    var message: KBeaconMessage.Value {
        if case .text(let text) = self { .text(text) } else { .json("\(self)") }
    }
}

extension KBeaconSettingKey.Form {
    /// The value of `text`; nil if the form does not allow it.
    func value(_ text: String) -> SettingValue? {
        switch self {
        case .integer(let range): return Self.integer(text, in: range)
        case .power: return Self.integer(text, in: -128...127)
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

    func accepts(_ value: SettingValue) -> Bool {
        if case .json = value { return false }
        return self.value("\(value)") == value
    }

    /// Whether values are numbers, written without quotes.
    var isNumber: Bool {
        switch self {
        case .integer, .decimal, .power: true
        case .text, .digits, .uuid: false
        }
    }

    var range: String {
        switch self {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .power: "a whole number of dBm"
        case .decimal(let range): "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .text(let lengths):
            "\(lengths.lowerBound) to \(lengths.upperBound) characters of ASCII without quotes and backslashes"
        case .digits(let count): "0x and \(count) hexadecimal digits"
        case .uuid: "a UUID of 32 hexadecimal digits with hyphens"
        }
    }

    private static func integer(_ text: String, in range: ClosedRange<Int>) -> SettingValue? {
        guard let number = Int(decimalOrHexadecimal: text), range.contains(number) else { return nil }
        return .number(Double(number))
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isHexDigit }
}
