import Bytes

/// A JSON value, for output whose members are known only at run time.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// A number with at most three decimals, which suffice for milliseconds and bytes.
    package static func rounded(_ value: Double) -> JSONValue {
        value.isFinite ? .number((value * 1000).rounded() / 1000) : .null
    }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }
    package static func optional(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
    package static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer(Int($0)) } ?? .null
    }
}

extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(var members):
            // File names are shown with escapes for bytes that are not UTF-8; text from beacons is not changed.
            for key in ["file", "message"] {
                if case .text(let value) = members[key] { members[key] = .text(PathText.shown(value)) }
            }
            try container.encode(members)
        }
    }
}

/// One line of `--json` output: an event with its members, keys sorted, and the schema's version.
package struct JSONLine: Equatable, Sendable {
    package let event: String
    package var members: [String: JSONValue]

    package init(_ event: String, _ members: [String: JSONValue] = [:]) {
        self.event = event
        self.members = members
    }

    /// The line with more members.
    package func adding(_ more: [String: JSONValue]) -> JSONLine {
        JSONLine(event, members.merging(more) { $1 })
    }

    package var text: String {
        var all = members
        all["event"] = .text(event)
        all["schema"] = .integer(1)
        // JSON cannot hold a name that is not UTF-8: `file` is then for people, and `file_hex` has the bytes.
        if case .text(let file) = members["file"], PathText.hasForeignBytes(file) {
            all["file_hex"] = .text(HexText.encode(PathText.bytes(of: file)))
        }
        return VisibleText.json(JSONValue.object(all))
    }
}
