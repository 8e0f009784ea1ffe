import FoundationEssentials

/// A path as text, without loss.
///
/// To the kernel a file name is any bytes but 0 and `/`. A Swift string cannot hold bytes that are not UTF-8:
/// they would become U+FFFD, which names another file. Here each of them is one character of the last private
/// plane: U+10FF80 to U+10FFFF for 0x80 to 0xFF. The UTF-8 of these characters themselves is encoded the same way,
/// byte by byte, so every name has exactly one text and every text one name. The program handles such a text
/// like any path; `systemPath` is for the kernel, `shown` for people.
public enum PathText {
    private static let base: UInt32 = 0x10FF00
    private static let private80toFF: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

    public static func text(of bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self), !hasForeignBytes(text) { return text }
        var text = String.UnicodeScalarView()
        var position = 0
        while position < bytes.count {
            if let scalar = scalar(in: bytes, at: position), !private80toFF.contains(scalar.value) {
                text.append(scalar)
                position += UTF8.width(scalar)
            } else {
                // Each byte of an ill-formed sequence is 0x80 or above.
                text.append(Unicode.Scalar(base + UInt32(bytes[position])) ?? "\u{FFFD}")
                position += 1
            }
        }
        return String(text)
    }

    public static func bytes(of text: String) -> [UInt8] {
        guard hasForeignBytes(text) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
        }
    }

    /// Whether the name is not UTF-8.
    public static func hasForeignBytes(_ text: String) -> Bool {
        text.unicodeScalars.contains { byte(of: $0) != nil }
    }

    /// The text for people: bytes that are not UTF-8 as `\xff`.
    public static func shown(_ text: String) -> String {
        guard hasForeignBytes(text) else { return text }
        return text.unicodeScalars.map { scalar in
            byte(of: scalar).map { "\\x" + HexText.encode([$0]) } ?? String(scalar)
        }.joined()
    }

    /// The byte that `scalar` encodes; nil for an ordinary one.
    public static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        private80toFF.contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// The character whose UTF-8 begins at `position`; nil if there is none.
    private static func scalar(in bytes: [UInt8], at position: Int) -> Unicode.Scalar? {
        var rest = bytes[position..<min(position + 4, bytes.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }
}

extension String {
    /// A path (``PathText``) for system calls, with the zero at its end.
    public var systemPath: [CChar] { PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }
}

/// Makes text from files, the air and command lines safe for lines, logs and reports.
///
/// A character that controls the output or is invisible is written as an escape sequence: `\n`, `\r`, `\t`, and
/// `\u{1b}` with the lower-case hexadecimal number of the scalar for every other one. These are the controls
/// (C0, C1, U+007F), the formatting characters (directions, joiners, soft hyphens, byte order marks, tags), the
/// separators of lines and paragraphs, and noncharacters. Bytes of a path that are not UTF-8 (`PathText`) are
/// `\xff`. Everything else stays as it is, including a backslash.
public enum VisibleText {
    public static func escaped(_ text: String) -> String {
        escaping(PathText.shown(text)) { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }

    /// `json`, a JSON text on one line, with the invisible characters of its strings written as `\u` and four
    /// hexadecimal digits for each UTF-16 unit: the value stays the same.
    public static func escaped(json: String) -> String {
        escaping(json) { scalar in
            UTF16.encode(scalar).map { $0.map { "\\u" + HexText.digits($0) }.joined() } ?? ""
        }
    }

    /// `value` as one line of JSON with sorted names, invisible characters escaped; with `snakeCase`, `aName` is
    /// written as `a_name`. Empty if a number in it is not finite.
    public static func json(_ value: some Encodable, snakeCase: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if snakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        return escaped(json: String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self))
    }

    /// Whether a terminal could interpret `scalar`, or show nothing for it.
    public static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        // The common case; the property table is slower.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isNoncharacterCodePoint
        }
    }

    private static func escaping(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isInvisible) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isInvisible(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
