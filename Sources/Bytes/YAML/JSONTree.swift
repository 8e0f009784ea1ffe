/// A JSON value as written (RFC 8259): numbers keep their digits, and a text is never taken for a number. Used
/// for parts of this program's files and of beacons' messages that may have any key and any value.
public indirect enum JSONTree: Hashable, Sendable {
    case null
    case truth(Bool)
    /// As written, for example `1.50`.
    case number(String)
    case text(String)
    case list([JSONTree])
    case members([String: JSONTree])

    /// More levels than any message has; a file may have a few more around them.
    private static let deepest = 24

    /// Parses a text that is JSON throughout, with at most 24 levels. Of members with the same name the last
    /// one counts.
    public init(json text: [UInt8]) throws(YAMLProblem) {
        self = try Self.tree(of: YAMLValue(json: text, deepest: Self.deepest), refusingTwins: false)
    }

    /// A value of a file: outside quotes, `null`, `true`, `false` and JSON numbers have their JSON meaning.
    public init(_ value: YAMLValue) throws(YAMLProblem) {
        self = try Self.tree(of: value, refusingTwins: true)
    }

    private static func tree(
        of value: YAMLValue, refusingTwins: Bool
    ) throws(YAMLProblem) -> JSONTree {
        switch value.content {
        case .nothing: return .null
        case .text(let text):
            guard !value.isQuoted else { return .text(text) }
            switch text {
            case "null", "": return .null
            case "true": return .truth(true)
            case "false": return .truth(false)
            default: return JSONText.isNumber(text) ? .number(text) : .text(text)
            }
        case .list(let values):
            return .list(
                try values.map { (value) throws(YAMLProblem) in
                    try tree(of: value, refusingTwins: refusingTwins)
                })
        case .mapping(let members):
            var trees: [String: JSONTree] = [:]
            for member in members {
                let tree = try tree(of: member.value, refusingTwins: refusingTwins)
                guard trees.updateValue(tree, forKey: member.key) == nil || !refusingTwins else {
                    throw member.place.problem("'\(member.key)' appears twice")
                }
            }
            return .members(trees)
        }
    }

    /// The JSON text, without spaces, members in the order of their names.
    public var json: String {
        switch self {
        case .null: "null"
        case .truth(let truth): "\(truth)"
        case .number(let digits): digits
        case .text(let text): Self.quoted(text)
        case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .members(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.json)" }.joined(separator: ","))}"
        }
    }

    /// `text` as a JSON string.
    public static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.value < 0x20: "\\u" + HexText.digits(UInt16(scalar.value))
            default: "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }

    /// The YAML text, on one line.
    public var yaml: String {
        switch self {
        case .null, .truth, .number: json
        case .text(let text): QuotedScalar.text(text)
        case .list(let values): "[\(values.map(\.yaml).joined(separator: ", "))]"
        case .members(let members):
            "{\(members.sorted { $0.key < $1.key }.map(Self.member).joined(separator: ", "))}"
        }
    }

    /// A key without a `?` has at most 1024 characters (YAML 1.1, 7.4.2), as written.
    private static func member(_ key: String, _ value: JSONTree) -> String {
        let name = QuotedScalar.text(key)
        return (name.utf8.count < 1000 ? "" : "? ") + "\(name): \(value.yaml)"
    }
}

/// Quoted text for a YAML file.
public enum QuotedScalar {
    /// `text` in double quotes; invisible characters are written as escapes.
    public static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where VisibleText.isInvisible(scalar): "\\U" + HexText.digits(scalar.value)
            default: "\(scalar)"
            }
        }
        return "\"\(scalars.joined())\""
    }
}
