/// A value of a YAML file with its position, so that its reader can report errors there.
///
/// A text that is JSON throughout is parsed as JSON (`JSONText`); its `null` counts as missing. Anchors and aliases of
/// YAML are refused: they let a short text expand without limit, and no file of this program needs them.
public struct YAMLValue: Sendable {
    public struct Member: Sendable {
        public let key: String
        /// The key's position, for errors in the key itself.
        public let place: YAMLValue
        public let value: YAMLValue
    }

    let content: Content
    /// Whether it is quoted text, or a block of text: neither can be a number.
    let isQuoted: Bool
    private let place: YAMLPlace
    private let source: YAMLSource

    indirect enum Content: Sendable {
        case text(String)
        case list([YAMLValue])
        case mapping([Member])
        /// JSON's null.
        case null
    }

    /// The largest text that is read, in bytes: people write these files, so they are small.
    public static let limit = 1 << 20

    /// Parses a text with one document.
    public init(parsing text: [UInt8]) throws(YAMLProblem) {
        guard text.count <= Self.limit else {
            throw YAMLProblem("the file has \(text.count) bytes, at most \(Self.limit) allowed")
        }
        guard let words = String(validating: text, as: UTF8.self) else {
            throw YAMLProblem("the file is not UTF-8 text")
        }
        let source = YAMLSource(text: words)
        if let value = try JSONText.value(of: source, deepest: Self.deepest) {
            self = value
            return
        }
        self = try text.withUnsafeBufferPointer { (bytes) throws(YAMLProblem) in
            let events = try YAMLEvents(bytes, of: source)
            guard let value = try Self.next(in: events, of: source, depth: 0) else {
                throw YAMLProblem("the file is empty")
            }
            if let more = try Self.next(in: events, of: source, depth: 0) {
                throw more.problem("a second document begins here; a file may have only one")
            }
            return value
        }
    }

    /// Parses a text that is JSON throughout, with at most `deepest` levels.
    init(json text: [UInt8], deepest: Int) throws(YAMLProblem) {
        guard let words = String(validating: text, as: UTF8.self) else {
            throw YAMLProblem("the text is not UTF-8")
        }
        guard let value = try JSONText.value(of: YAMLSource(text: words), deepest: deepest, isJSON: true)
        else { throw YAMLProblem("the text is not valid JSON") }
        self = value
    }

    /// The maximum depth: more levels than any of this program's files has.
    private static let deepest = 32

    /// The next value; nil at the end of a list, a mapping or the text.
    private static func next(
        in events: borrowing YAMLEvents, of source: YAMLSource, depth: Int
    ) throws(YAMLProblem) -> YAMLValue? {
        var event = try events.next()
        while case .frame = event.kind { event = try events.next() }
        func problem(_ message: String) -> YAMLProblem { YAMLProblem(message, at: event.place, of: source) }
        guard !event.isAnchored else {
            throw problem("anchors (&) are not supported: repeat the value wherever it is needed")
        }
        guard depth <= deepest else { throw problem("nested too deeply") }
        switch event.kind {
        case .scalar(let text, let isPlain):
            return YAMLValue(content: .text(text), isQuoted: !isPlain, place: event.place, source: source)
        case .list:
            var values: [YAMLValue] = []
            while let value = try next(in: events, of: source, depth: depth + 1) { values.append(value) }
            return YAMLValue(content: .list(values), place: event.place, source: source)
        case .mapping:
            var members: [Member] = []
            while let key = try next(in: events, of: source, depth: depth + 1),
                let value = try next(in: events, of: source, depth: depth + 1)
            {
                members.append(Member(key: try key.text(), place: key, value: value))
            }
            return YAMLValue(content: .mapping(members), place: event.place, source: source)
        case .alias: throw problem("aliases (*) are not supported: repeat the value")
        case .end, .endOfText, .frame: return nil
        }
    }

    init(content: Content, isQuoted: Bool = false, place: YAMLPlace, source: YAMLSource) {
        (self.content, self.isQuoted, self.place, self.source) = (content, isQuoted, place, source)
    }

    /// The line of its start, from 1.
    public var line: Int { place.line }
    /// The column of its start, from 1, in Unicode scalars.
    public var column: Int { place.column }

    public func problem(_ message: String) -> YAMLProblem { YAMLProblem(message, at: place, of: source) }

    /// The text of a scalar, as written: `1.10` stays `1.10`.
    public func text() throws(YAMLProblem) -> String {
        switch content {
        case .text(let text): return text
        case .null: throw problem("a value is expected here, not null")
        case .list, .mapping: throw problem("a single value is expected here")
        }
    }

    /// A number, decimal or hexadecimal with `0x`.
    public func number<T: FixedWidthInteger>(
        as type: T.Type = T.self, in range: ClosedRange<T> = T.min...T.max
    ) throws(YAMLProblem) -> T {
        let words = try text()
        guard let value = T(decimalOrHexadecimal: words), range.contains(value) else {
            throw notANumber(words, range.lowerBound, range.upperBound)
        }
        return value
    }

    /// A number with or without a fraction, in decimal.
    public func decimal(in range: ClosedRange<Double>) throws(YAMLProblem) -> Double {
        let words = try text()
        let isPlain = words.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard isPlain, let value = Double(words), range.contains(value) else {
            throw notANumber(words, range.lowerBound.formatted, range.upperBound.formatted)
        }
        return value
    }

    private func notANumber(_ words: String, _ first: some Any, _ last: some Any) -> YAMLProblem {
        problem("'\(words)' is not a number from \(first) to \(last)")
    }

    public func truth() throws(YAMLProblem) -> Bool {
        switch try text() {
        case "true": return true
        case "false": return false
        case let words: throw problem("'\(words)' is neither true nor false")
        }
    }

    public func choice(of words: [String]) throws(YAMLProblem) -> String {
        let word = try text()
        guard words.contains(word) else {
            let list = words.joined(separator: ", ")
            throw problem("'\(word)' is not one of \(list)" + Spelling.hint(for: word, in: words))
        }
        return word
    }

    /// The value of `known` for the name that this text is.
    public func choice<Value>(of known: [String: Value]) throws(YAMLProblem) -> Value {
        let name = try choice(of: known.keys.sorted())
        guard let value = known[name] else { throw problem("'\(name)' is unknown") }
        return value
    }

    /// The value of `key`, which must be one of the `values` of this mapping.
    public func required(_ key: String, in values: [String: YAMLValue]) throws(YAMLProblem) -> YAMLValue {
        guard let found = values[key] else { throw problem("'\(key)' is missing") }
        return found
    }

    /// Throws unless `key`, the version of this file's format among the `values`, is 1.
    package func requireVersion(_ key: String, in values: [String: YAMLValue]) throws(YAMLProblem) {
        let version = try required(key, in: values)
        guard try version.text() == "1" else {
            throw version.problem("only version 1 of the format is supported")
        }
    }

    public func word<Word: RawRepresentable<String> & CaseIterable>() throws(YAMLProblem) -> Word {
        let text = try choice(of: Word.allCases.map(\.rawValue))
        guard let word = Word(rawValue: text) else { throw problem("'\(text)' is unknown") }
        return word
    }

    public func list() throws(YAMLProblem) -> [YAMLValue] {
        guard case .list(let values) = content else { throw problem("a list is expected here") }
        return values
    }

    /// The members of a mapping, in order, without those that are null in JSON; a duplicate key is an error.
    public func members() throws(YAMLProblem) -> [Member] {
        try allMembers().filter { if case .null = $0.value.content { false } else { true } }
    }

    /// The members of a mapping, in order; a duplicate key is an error.
    public func allMembers() throws(YAMLProblem) -> [Member] {
        guard case .mapping(let members) = content else { throw problem("a mapping is expected here") }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            throw member.place.problem("'\(member.key)' appears twice")
        }
        return members
    }

    /// The values of a mapping that has only `known` keys: a typing error must not pass as a setting.
    public func values(of known: [String]) throws(YAMLProblem) -> [String: YAMLValue] {
        var values: [String: YAMLValue] = [:]
        for member in try members() {
            guard known.contains(member.key) else { throw member.unknown(known) }
            values[member.key] = member.value
        }
        return values
    }
}

extension YAMLValue.Member {
    /// The error for a key that is not one of the `known` ones.
    public func unknown(_ known: [String]) -> YAMLProblem {
        let list = "; valid keys are \(known.joined(separator: ", "))"
        return place.problem("unknown key '\(key)'" + Spelling.hint(for: key, in: known, otherwise: list))
    }
}

extension Double {
    /// The number as text, without a fraction if that is zero.
    fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}

/// An error in a file, with its position and the line in question.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1; nil if the error concerns the whole file.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    public let message: String
    /// The line of the file and, under it, a mark at the position; empty if the error concerns the whole file.
    public let excerpt: [String]

    /// An error that concerns the whole file.
    public init(_ message: String) { self.init(message, line: nil, column: nil) }

    private init(_ message: String, line: Int?, column: Int?, excerpt: [String] = []) {
        (self.message, self.line, self.column, self.excerpt) = (message, line, column, excerpt)
    }

    /// This error without the file's content, for secret files: an ellipsis replaces quoted text in the message that
    /// is not one of `words`.
    public func withoutContent(but words: Set<String>) -> YAMLProblem {
        guard let first = message.firstIndex(of: "'"), let last = message.lastIndex(of: "'"), first < last,
            !words.contains(String(message[message.index(after: first)..<last]))
        else { return YAMLProblem(message, line: line, column: column) }
        let shown = message[..<first] + "'…'" + message[message.index(after: last)...]
        return YAMLProblem(String(shown), line: line, column: column)
    }

    init(_ message: String, at place: YAMLPlace, of source: YAMLSource) {
        self.init(message, line: place.line, column: place.column, excerpt: source.excerpt(at: place))
    }

    public var description: String {
        guard let line else { return message }
        return "line \(line)\(column.map { ", column \($0)" } ?? ""): \(message)"
    }
}
