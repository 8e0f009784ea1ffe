/// Parses a text that is JSON throughout (RFC 8259), with the place of each value.
///
/// A YAML parser does not suffice: it refuses a character beyond U+FFFF that JSON writes as two escapes, and reads
/// `null` as a text. Numbers, `true` and `false` are kept as written.
struct JSONText {
    private let scalars: [Unicode.Scalar]
    private let source: YAMLSource
    private var index = 0
    private var line = 1
    private var column = 1

    /// The value of a text that is a JSON list or mapping; nil for other texts, which may be YAML. With `isJSON`, the text
    /// may also be a single JSON value.
    static func value(
        of source: YAMLSource, deepest: Int, isJSON: Bool = false
    ) throws(YAMLProblem) -> YAMLValue? {
        var text = JSONText(source)
        text.skipSpace()
        guard isJSON || text.next == "{" || text.next == "[" else { return nil }
        guard let value = try text.value(depth: 0, deepest) else { return nil }
        text.skipSpace()
        return text.next == nil ? value : nil
    }

    private init(_ source: YAMLSource) {
        self.source = source
        let all = source.text.unicodeScalars
        scalars = Array(all.first == "\u{FEFF}" ? all.dropFirst() : all[...])
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
    private var place: YAMLPlace { YAMLPlace(line: line, column: column) }

    private mutating func advance() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        // A line ends with LF, CR or both.
        if scalar == "\n" || (scalar == "\r" && next != "\n") {
            (line, column) = (line + 1, 1)
        } else {
            column += 1
        }
        return scalar
    }

    private mutating func skipSpace() {
        while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
            _ = advance()
        }
    }

    /// Skips white space, then consumes `scalar` if it is next; returns whether it was.
    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == scalar else { return false }
        _ = advance()
        return true
    }

    /// A value and the place of its first character, with the value's width if it is on one line.
    private mutating func value(depth: Int, _ deepest: Int) throws(YAMLProblem) -> YAMLValue? {
        skipSpace()
        let start = place
        guard depth <= deepest else { throw YAMLProblem("nested too deeply", at: start, of: source) }
        let found: YAMLValue.Content?
        let isQuoted = next == "\""
        switch next {
        case "{": found = try mapping(depth: depth, deepest).map { .mapping($0) }
        case "[": found = try list(depth: depth, deepest).map { .list($0) }
        case "\"": found = try string().map { .text($0) }
        default: found = literal()
        }
        return found.map { located($0, isQuoted: isQuoted, from: start) }
    }

    private func located(
        _ content: YAMLValue.Content, isQuoted: Bool = true, from start: YAMLPlace
    ) -> YAMLValue {
        var place = start
        if line == start.line { place.width = max(1, column - start.column) }
        return YAMLValue(content: content, isQuoted: isQuoted, place: place, source: source)
    }

    private mutating func mapping(
        depth: Int, _ deepest: Int
    ) throws(YAMLProblem) -> [YAMLValue.Member]? {
        _ = advance()
        var members: [YAMLValue.Member] = []
        if consume("}") { return members }
        repeat {
            skipSpace()
            let start = place
            guard next == "\"", let key = try string() else { return nil }
            let keyPlace = located(.text(key), from: start)
            guard consume(":"), let value = try value(depth: depth + 1, deepest) else { return nil }
            members.append(YAMLValue.Member(key: key, place: keyPlace, value: value))
        } while consume(",")
        return consume("}") ? members : nil
    }

    private mutating func list(depth: Int, _ deepest: Int) throws(YAMLProblem) -> [YAMLValue]? {
        _ = advance()
        var values: [YAMLValue] = []
        if consume("]") { return values }
        repeat {
            guard let value = try value(depth: depth + 1, deepest) else { return nil }
            values.append(value)
        } while consume(",")
        return consume("]") ? values : nil
    }

    /// A number, `true`, `false` or `null`.
    private mutating func literal() -> YAMLValue.Content? {
        var text = ""
        while let scalar = next, scalar.isASCII,
            scalar.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(scalar)
        {
            text.unicodeScalars.append(scalar)
            _ = advance()
        }
        switch text {
        case "null": return .null
        case "true", "false": return .text(text)
        default: return Self.isNumber(text) ? .text(text) : nil
        }
    }

    /// `-12.5e+3`: integer part without leading zeros, fraction, exponent.
    static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text)
        func digits() -> Int {
            let count = rest.prefix { $0.isASCII && $0.isNumber }.count
            rest.removeFirst(count)
            return count
        }
        if rest.first == "-" { rest.removeFirst() }
        let startsWithZero = rest.first == "0"
        let whole = digits()
        guard whole == 1 || whole > 1 && !startsWithZero else { return false }
        if rest.first == "." {
            rest.removeFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first == "e" || rest.first == "E" {
            rest.removeFirst()
            if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// The text between two quotes; nil if it does not end or contains what JSON does not allow.
    private mutating func string() throws(YAMLProblem) -> String? {
        _ = advance()
        var text = String.UnicodeScalarView()
        while let scalar = next {
            let start = place
            _ = advance()
            switch scalar {
            case "\"": return String(text)
            case "\\":
                guard let escaped = try escape(from: start) else { return nil }
                text.append(escaped)
            case _ where scalar.value < 0x20: return nil
            default: text.append(scalar)
            }
        }
        return nil
    }

    private mutating func escape(from start: YAMLPlace) throws(YAMLProblem) -> Unicode.Scalar? {
        guard let letter = advance() else { return nil }
        guard letter == "u" else { return Self.escapes[letter] }
        guard let first = unit() else { return nil }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // RFC 8259, 7: a character of more than 16 bits is written as a pair, the high half first.
        if first < 0xDC00, next == "\\" {
            _ = advance()
            if next == "u" {
                _ = advance()
                guard let second = unit() else { return nil }
                if (0xDC00...0xDFFF).contains(second) {
                    return Unicode.Scalar(
                        0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
                }
            }
        }
        throw YAMLProblem(
            "this escape is half of a surrogate pair; the other half is missing", at: start, of: source)
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                return nil
            }
            _ = advance()
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
