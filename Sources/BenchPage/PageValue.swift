import Bytes
import FoundationEssentials

/// A JSON value. Objects omit unknown members, so that `null` in a patch can mean that a value is no longer known.
package enum PageValue: Hashable, Sendable {
    /// In a patch: the member was removed.
    case null
    /// A boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number.
    case number(Double)
    case text(String)
    /// Values in their order.
    case list([PageValue])
    /// Values by name.
    case object([String: PageValue])

    /// An object with the members that are not nil.
    static func members(_ members: [String: PageValue?]) -> PageValue {
        .object(members.compactMapValues(\.self))
    }

    /// A number with at most three decimals; nil if it is not finite.
    static func rounded(_ value: Double?) -> PageValue? {
        guard let value, value.isFinite else { return nil }
        let rounded = (value * 1000).rounded() / 1000
        // The same value as after parsing.
        if let whole = Int(exactly: rounded) { return .integer(whole) }
        return .number(rounded)
    }
}

extension PageValue {
    /// The member `name` of an object.
    package subscript(_ name: String) -> PageValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, if it is one.
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The whole number, if it is one.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The boolean, if it is one.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, if it is one.
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
    /// The values, if it is a list.
    package var list: [PageValue]? { if case .list(let values) = self { values } else { nil } }
}

extension PageValue: Codable {
    /// Decodes any JSON value.
    package init(from decoder: any Decoder) throws {
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

    /// Encodes the plain value.
    package func encode(to encoder: any Encoder) throws {
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

    /// The maximum nesting depth. Each level costs time for each value in it, and no accepted value has more than four.
    private static let mostLevels = 8

    /// Parses `text`; nil if it is not JSON or too deeply nested.
    package init?(parsing text: some Sequence<UInt8>) {
        let data = Data(text)
        // The decoder also accepts UTF-16 and UTF-32, whose brackets were not counted; both contain zero bytes.
        guard !data.contains(0), Self.levels(of: data) <= Self.mostLevels,
            let value = try? JSONDecoder().decode(PageValue.self, from: data)
        else { return nil }
        self = value
    }

    /// The nesting depth of lists and objects.
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

    /// One line of JSON with sorted names. Invisible characters are escaped, as in all output of the program.
    package var line: String { VisibleText.json(self) }
}

extension PageValue {
    /// The patch that turns `earlier` into this value (RFC 7396, JSON Merge Patch); nil if they are equal.
    func patch(from earlier: PageValue) -> PageValue? {
        guard self != earlier else { return nil }
        guard case .object(let new) = self, case .object(let old) = earlier else { return self }
        var changes: [String: PageValue] = [:]
        for (name, value) in new {
            guard let before = old[name] else {
                changes[name] = value
                continue
            }
            if let change = value.patch(from: before) { changes[name] = change }
        }
        for name in old.keys where new[name] == nil { changes[name] = .null }
        return .object(changes)
    }

    /// This value with `patch` applied.
    package func patched(by patch: PageValue) -> PageValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: PageValue] = [:]
        if case .object(let old) = self { members = old }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).patched(by: change)
        }
        return .object(members)
    }
}
