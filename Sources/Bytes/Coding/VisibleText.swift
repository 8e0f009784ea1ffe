import FoundationEssentials

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

/// Any text as the name of a member.
package struct TextKey: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}
