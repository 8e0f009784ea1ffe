import Yams

/// A value of a YAML file that knows where it stands, so that whoever reads it can say what is wrong where.
///
/// JSON is a subset of YAML and is read alike.
public struct YAMLValue: Sendable {
    /// A key of a mapping with its value.
    public struct Member: Sendable {
        /// The key.
        public let key: String
        /// The key's own place, for a problem with the key itself.
        public let place: YAMLValue
        /// The value.
        public let value: YAMLValue
    }

    private let content: Content
    private let line: Int?
    private let column: Int?

    private indirect enum Content: Sendable {
        case text(String)
        case list([YAMLValue])
        case mapping([Member])
    }

    /// The largest text that is read, in bytes: lists for people, not data.
    public static let limit = 1 << 20

    /// Reads a text with one document.
    public init(parsing text: [UInt8]) throws(YAMLProblem) {
        guard text.count <= Self.limit else {
            throw YAMLProblem("the file has \(text.count) bytes, at most \(Self.limit) allowed")
        }
        guard let words = String(validating: text, as: UTF8.self) else {
            throw YAMLProblem("the file is not UTF-8 text")
        }
        let node: Node?
        do { node = try Yams.compose(yaml: words) } catch { throw YAMLProblem(error) }
        guard let node else { throw YAMLProblem("the file is empty") }
        var budget = Self.nodeLimit
        try self.init(node, budget: &budget)
    }

    /// Aliases can make a short text grow without end.
    private static let nodeLimit = 100_000

    private init(_ node: Node, budget: inout Int) throws(YAMLProblem) {
        line = node.mark?.line
        column = node.mark?.column
        budget -= 1
        guard budget > 0 else { throw YAMLProblem(line: line, column: column, "too many values") }
        switch node {
        case .scalar(let scalar): content = .text(scalar.string)
        case .sequence(let sequence):
            var values: [YAMLValue] = []
            for node in sequence { values.append(try YAMLValue(node, budget: &budget)) }
            content = .list(values)
        case .mapping(let mapping):
            var members: [Member] = []
            for (key, value) in mapping {
                let place = try YAMLValue(key, budget: &budget)
                members.append(
                    Member(
                        key: try place.text(), place: place, value: try YAMLValue(value, budget: &budget)))
            }
            content = .mapping(members)
        case .alias: throw YAMLProblem(line: line, column: column, "an alias without its anchor")
        }
    }

    /// A problem with this value.
    public func problem(_ message: String) -> YAMLProblem {
        YAMLProblem(line: line, column: column, message)
    }
}

extension YAMLValue {
    /// The text of a scalar, as it is written: `1.10` stays `1.10`.
    public func text() throws(YAMLProblem) -> String {
        guard case .text(let text) = content else { throw problem("a single value is expected here") }
        return text
    }

    /// A number, decimal or with `0x` hexadecimal.
    public func number<T: FixedWidthInteger>(as type: T.Type = T.self) throws(YAMLProblem) -> T {
        let words = try text()
        let isHexadecimal = words.lowercased().hasPrefix("0x")
        guard
            let value = isHexadecimal ? T(words.dropFirst(2), radix: 16) : T(words)
        else { throw problem("'\(words)' is no number from \(T.min) to \(T.max)") }
        return value
    }

    /// True or false.
    public func truth() throws(YAMLProblem) -> Bool {
        switch try text() {
        case "true": return true
        case "false": return false
        case let words: throw problem("'\(words)' is neither true nor false")
        }
    }

    /// The values of a list.
    public func list() throws(YAMLProblem) -> [YAMLValue] {
        guard case .list(let values) = content else { throw problem("a list is expected here") }
        return values
    }

    /// The members of a mapping, in their order; a key that stands twice is a problem.
    public func members() throws(YAMLProblem) -> [Member] {
        guard case .mapping(let members) = content else { throw problem("a mapping is expected here") }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            throw member.place.problem("'\(member.key)' stands twice")
        }
        return members
    }

    /// The values of a mapping that has none but the `known` keys: a typing mistake must not pass for a setting.
    public func values(of known: [String]) throws(YAMLProblem) -> [String: YAMLValue] {
        var values: [String: YAMLValue] = [:]
        for member in try members() {
            guard known.contains(member.key) else {
                let keys = known.joined(separator: ", ")
                throw member.place.problem("there is no key '\(member.key)' here; the keys are \(keys)")
            }
            values[member.key] = member.value
        }
        return values
    }
}

extension YAMLProblem {
    fileprivate init(_ error: any Error) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            self.init(line: mark.line, column: mark.column, problem)
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            self.init(
                line: context.mark.line, column: context.mark.column,
                "\(keys.joined(separator: ", ")) stands twice")
        default: self.init("the text cannot be read as YAML: \(error)")
        }
    }
}
