import ByteCoding
import FoundationEssentials

/// A JSON value. Objects leave out what is not known, so that a patch can say with `null` that something is not known any more.
public enum PageValue: Hashable, Sendable {
    /// In a patch: it is gone.
    case null
    /// A truth.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case text(String)
    /// Values in their order.
    case list([PageValue])
    /// Values by name.
    case object([String: PageValue])

    /// An object of what is known of `members`.
    static func members(_ members: [String: PageValue?]) -> PageValue {
        .object(members.compactMapValues(\.self))
    }

    /// A number with at most three decimals; nil for what is no number.
    static func rounded(_ value: Double?) -> PageValue? {
        guard let value, value.isFinite else { return nil }
        let rounded = (value * 1000).rounded() / 1000
        // As it is read again.
        if let whole = Int(exactly: rounded) { return .integer(whole) }
        return .number(rounded)
    }
}

extension PageValue {
    /// The member `name` of an object.
    public subscript(_ name: String) -> PageValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, where it is one.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The whole number, where it is one.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The truth, where it is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, where it is one.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    /// The values, where it is a list.
    public var list: [PageValue]? { if case .list(let values) = self { values } else { nil } }
}

extension PageValue: Codable {
    /// Any value of JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([PageValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: PageValue].self))
        }
    }

    /// The value itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The most levels of a value that is read. Each costs time for each value in it, and nothing that is read here has more than four.
    private static let mostLevels = 8

    /// The value that `text` is; nil where it is none, or has too many levels.
    public init?(parsing text: some Sequence<UInt8>) {
        let data = Data(text)
        // A decoder also takes UTF-16 and UTF-32, whose brackets nobody has counted; each has zero bytes in it.
        guard !data.contains(0), Self.levels(of: data) <= Self.mostLevels,
            let value = try? JSONDecoder().decode(PageValue.self, from: data)
        else { return nil }
        self = value
    }

    /// How deep lists and objects lie in each other.
    private static func levels(of text: Data) -> Int {
        var (level, deepest, isText, isEscaped) = (0, 0, false, false)
        for byte in text {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): if !isText { level += 1 }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { level -= 1 }
            default: break
            }
            deepest = max(deepest, level)
        }
        return deepest
    }

    /// One line of JSON, with the names in their order. What nobody would see is escaped, as in all output of the program.
    public var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Fails for numbers that are not finite only, and `rounded` lets none pass.
        let data = (try? encoder.encode(self)) ?? Data()
        return VisibleText.escaped(json: String(decoding: data, as: UTF8.self))
    }
}
