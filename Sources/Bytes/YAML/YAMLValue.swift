/// A value of a YAML file with its position, so that its reader can report errors there.
///
/// A text that is JSON throughout is parsed as JSON (`JSONText`), in which `null` counts as missing. Anchors
/// and aliases of YAML are refused: they let a short text expand without limit, and none of this program's
/// files needs them.
public struct YAMLValue: Sendable {
    /// A key of a mapping with its value.
    public struct Member: Sendable {
        /// The key.
        public let key: String
        /// The key's position, for errors in the key itself.
        public let place: YAMLValue
        /// The value.
        public let value: YAMLValue
    }

    let content: Content
    /// Whether it is quoted text, or a block, which is never a number.
    let isQuoted: Bool
    private let place: YAMLPlace
    private let source: YAMLSource

    indirect enum Content: Sendable {
        case text(String)
        case list([YAMLValue])
        case mapping([Member])
        /// JSON's null.
        case nothing
    }

    /// The largest text that is read, in bytes: these are lists for people, not data.
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
        else {
            throw YAMLProblem("the text is not valid JSON")
        }
        self = value
    }

    /// More levels than any of this program's files has.
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
        self.content = content
        self.isQuoted = isQuoted
        self.place = place
        self.source = source
    }

    /// The line of its start, from 1.
    public var line: Int { place.line }
    /// The column of its start, from 1, in Unicode scalars.
    public var column: Int { place.column }

    /// An error in this value.
    public func problem(_ message: String) -> YAMLProblem { YAMLProblem(message, at: place, of: source) }
}
