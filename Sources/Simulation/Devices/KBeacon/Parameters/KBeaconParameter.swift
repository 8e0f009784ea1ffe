import Bluetooth
import Bytes

/// A parameter and its valid values (kbeacon.md, Common parameters, Other parameters).
struct KBeaconParameter: Sendable {
    /// The valid values of a parameter.
    enum Rule: Sendable {
        /// Read-only.
        case fixed
        /// An integer.
        case number(ClosedRange<Int>)
        /// A number, with or without a fraction.
        case decimal(ClosedRange<Double>)
        /// A text of this length in characters.
        case text(ClosedRange<Int>)
        /// `0x` and this many bytes in hexadecimal.
        case bytes(Int)
        /// A UUID of 128 bits.
        case uuid
        /// The password, of this length in bytes; it cannot be read.
        case password(ClosedRange<Int>)
    }

    let key: String
    let rule: Rule

    init(_ key: String, _ rule: Rule) {
        self.key = key
        self.rule = rule
    }

    var isPassword: Bool { if case .password = rule { true } else { false } }

    /// Whether it may be set to `value`.
    func takes(_ value: KBeaconValue) -> Bool {
        switch (rule, value) {
        case (.number(let range), .number(let number)): range.contains(number)
        case (.decimal(let range), .number(let number)): range.contains(Double(number))
        case (.decimal(let range), .decimal(let number)): range.contains(number)
        case (.text(let range), .text(let text)): range.contains(text.count) && Self.isPlain(text)
        case (.password(let range), .text(let text)): range.contains(text.utf8.count)
        case (.bytes(let count), .text(let text)):
            text.hasPrefix("0x") && text.count == 2 + 2 * count
                && (try? HexText.decode(String(text.dropFirst(2))))?.count == count
        case (.uuid, .text(let text)): text.count == 36 && BluetoothUUID(text) != nil
        default: false
        }
    }

    /// Whether `text` needs no escapes in JSON.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }
    }
}
