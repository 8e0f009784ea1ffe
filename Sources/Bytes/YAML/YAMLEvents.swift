import CYaml

/// An event of libyaml's parser.
///
/// Events are used because a parser that builds a tree resolves aliases: one never ended on 600 bytes with an alias as
/// a key.
struct YAMLEvent {
    enum Kind {
        case scalar(String, isPlain: Bool)
        case list, mapping, end
        /// `*name`.
        case alias
        /// The start or end of a document or of the text.
        case frame
        case endOfText
    }

    let kind: Kind
    let place: YAMLPlace
    /// Whether the value has an anchor for aliases: `&name`.
    let isAnchored: Bool
}

/// libyaml's parser for a text, which has to stay in memory as long as the parser.
struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let source: YAMLSource

    init(_ bytes: UnsafeBufferPointer<UInt8>, of source: YAMLSource) throws(YAMLProblem) {
        self.source = source
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            throw YAMLProblem("not enough memory to read it")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }

    private var problem: YAMLProblem {
        guard parser.pointee.error != YAML_READER_ERROR else {
            return YAMLProblem(
                "this character is not allowed in a text",
                at: source.place(of: parser.pointee.problem_offset), of: source)
        }
        let mark = parser.pointee.problem_mark
        let place = YAMLPlace(line: mark.line + 1, column: mark.column + 1)
        let words = parser.pointee.problem.map { String(cString: $0) } ?? ""
        return YAMLProblem(
            Self.message(words, at: source.character(at: place)), at: source.within(place), of: source)
    }

    /// libyaml's messages in terms of the file's author.
    private static func message(_ words: String, at character: Character?) -> String {
        switch words {
        case _ where character == "\t": "indent lines with spaces, not with tabs"
        case "found character that cannot start any token":
            "a value that begins with '\(character.map(String.init) ?? "")' needs quotes"
        case "could not find expected ':'": "a key needs a ':' after it"
        case "mapping values are not allowed in this context":
            "a ':' is not allowed here: check the indentation, or put the value in quotes"
        case "did not find expected ',' or ']'": "a list in brackets needs ',' or ']' here"
        case "did not find expected ',' or '}'": "a mapping in braces needs ',' or '}' here"
        case "did not find expected key", "did not find expected '-' indicator",
            "block sequence entries are not allowed in this context":
            "the indentation does not match the lines above"
        case "found unexpected end of stream": "the closing quote is missing"
        default: "not valid YAML: \(words)"
        }
    }
}

extension YAMLValue {
    public static var libraryVersion: String { String(cString: yaml_get_version_string()) }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t) {
        let (start, end) = (event.start_mark, event.end_mark)
        place = YAMLPlace(
            line: start.line + 1, column: start.column + 1,
            width: start.line == end.line ? max(1, end.column - start.column) : 1)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(
                String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            isAnchored = scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT:
            kind = .list
            isAnchored = event.data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT:
            kind = .mapping
            isAnchored = event.data.mapping_start.anchor != nil
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: (kind, isAnchored) = (.end, false)
        case YAML_ALIAS_EVENT: (kind, isAnchored) = (.alias, false)
        case YAML_STREAM_END_EVENT: (kind, isAnchored) = (.endOfText, false)
        default: (kind, isAnchored) = (.frame, false)
        }
    }
}
