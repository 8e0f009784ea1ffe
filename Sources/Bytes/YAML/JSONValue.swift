/// A JSON value (RFC 8259). Numbers keep their digits, and a text is never taken for a number.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As written, for example `1.50`.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The maximum depth: more levels than any message has. Files may have a few more (`YAMLValue`).
    package static let deepest = 24

    /// Parses a text that is JSON throughout, with at most `deepest` levels. Of members with the same name the last one
    /// counts; with `refusingDuplicates` they are an error.
    package init(
        json text: [UInt8], deepest: Int = Self.deepest, refusingDuplicates: Bool = false
    ) throws(YAMLProblem) {
        self = try Self.value(of: YAMLValue(json: text, deepest: deepest), refusingDuplicates)
    }

    /// A value of a file: outside quotes, `null`, `true`, `false` and JSON numbers have their JSON meaning.
    package init(_ value: YAMLValue) throws(YAMLProblem) { self = try Self.value(of: value, true) }

    private static func value(of value: YAMLValue, _ refusingDuplicates: Bool) throws(YAMLProblem)
        -> JSONValue
    {
        switch value.content {
        case .null: return .null
        case .text(let text):
            guard !value.isQuoted else { return .text(text) }
            switch text {
            case "null", "": return .null
            case "true": return .bool(true)
            case "false": return .bool(false)
            default: return JSONText.isNumber(text) ? .number(text) : .text(text)
            }
        case .list(let values):
            return .list(
                try values.map { (value) throws(YAMLProblem) in try Self.value(of: value, refusingDuplicates)
                })
        case .mapping(let members):
            var object: [String: JSONValue] = [:]
            for member in members {
                let value = try Self.value(of: member.value, refusingDuplicates)
                guard object.updateValue(value, forKey: member.key) == nil || !refusingDuplicates else {
                    throw member.place.problem("'\(member.key)' appears twice")
                }
            }
            return .object(object)
        }
    }
}

extension JSONValue {
    // MARK: Creation

    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

    /// A number without a zero fraction; null if it is not finite, which JSON cannot express.
    package static func number(_ value: Double) -> JSONValue {
        guard value.isFinite else { return .null }
        let digits = "\(value)"
        return .number(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
    }

    /// A number with at most three decimals, which suffice for milliseconds and bytes; null if `value` is nil.
    package static func rounded(_ value: Double?) -> JSONValue {
        value.map { .number(($0 * 1000).rounded() / 1000) } ?? .null
    }

    package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }
    package static func optional(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }
    package static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    /// An object with the members that are neither nil nor null.
    package static func members(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 == .null ? nil : $0 })
    }

    // MARK: Reading

    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
    package var number: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }
    /// The number, if it is whole.
    package var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    // MARK: Writing

    /// The JSON text, without spaces, members in the order of their names.
    package var json: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .number(let digits): digits
        case .text(let text): Self.quoted(text)
        case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }

    /// The JSON text for a line of output: invisible characters are escaped.
    package var line: String { VisibleText.escaped(json: json) }

    /// `text` as a JSON string, with escapes where JSON requires them and for all further scalars that `isEscaped`.
    package static func quoted(
        _ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }
    ) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || isEscaped(scalar):
                for unit in UTF16.encode(scalar) ?? .init() { quoted += "\\u" + HexText.digits(unit) }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The YAML text, on one line.
    package var yaml: String {
        switch self {
        case .null, .bool, .number: json
        case .text(let text): QuotedScalar.text(text)
        case .list(let values): "[\(values.map(\.yaml).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map(Self.member).joined(separator: ", "))}"
        }
    }

    /// A key without a `?` has at most 1024 characters (YAML 1.1, 7.4.2), as written.
    private static func member(_ key: String, _ value: JSONValue) -> String {
        let name = QuotedScalar.text(key)
        return (name.utf8.count < 1000 ? "" : "? ") + "\(name): \(value.yaml)"
    }

    // MARK: Layout

    /// The JSON text in the layout of Python's `json.dumps(indent=4, sort_keys=True)`, which both nrfutils use for
    /// manifests; `indent` is the indentation of its first line.
    package func indented(_ indent: String = "") -> String {
        func block(_ open: String, _ lines: [String], _ close: String) -> String {
            lines.isEmpty
                ? open + close
                : "\(open)\n" + lines.map { "\(indent)    \($0)" }.joined(separator: ",\n")
                    + "\n\(indent)\(close)"
        }
        func quoted(_ text: String) -> String { Self.quoted(text) { $0.value > 0x7E } }
        switch self {
        case .text(let text): return quoted(text)
        case .list(let values): return block("[", values.map { $0.indented(indent + "    ") }, "]")
        case .object(let members):
            let lines = members.sorted { $0.key < $1.key }.map {
                "\(quoted($0.key)): \($0.value.indented(indent + "    "))"
            }
            return block("{", lines, "}")
        case .null, .bool, .number: return json
        }
    }
}

/// Quoted text for a YAML file.
package enum QuotedScalar {
    /// `text` in double quotes, so that no YAML reader takes `no` or `12:30` for something other than a text. Invisible
    /// characters are escaped.
    package static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case "\n": "\\n"
            case "\t": "\\t"
            case _ where VisibleText.isInvisible(scalar):
                UInt16(exactly: scalar.value).map { "\\u" + HexText.digits($0) }
                    ?? "\\U" + HexText.digits(scalar.value)
            default: "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }
}
