import FoundationEssentials

/// A value of a JSON text.
enum JSONValue: Equatable, Sendable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    indirect case list([JSONValue])
    indirect case members([String: JSONValue])

    /// The whole number that it is.
    var integer: Int? {
        guard case .number(let value) = self else { return nil }
        return Int(exactly: value)
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .list(values)
        } else {
            self = .members(try container.decode([String: JSONValue].self))
        }
    }

    /// The members of the object that a beacon has answered; nil where it is none. Some escape what needs no escape, and
    /// wrongly.
    static func members(inAnswer answer: some Collection<UInt8>) -> [String: JSONValue]? {
        members(in: answer) ?? members(in: answer.filter { $0 != UInt8(ascii: "\\") })
    }

    /// The members of an object in `text`; nil where it is none.
    static func members(in text: some Sequence<UInt8>) -> [String: JSONValue]? {
        guard case .members(let members)? = try? JSONDecoder().decode(JSONValue.self, from: Data(text)) else {
            return nil
        }
        return members
    }
}
