/// A parameter of a statement.
public struct PostgresValue: Hashable, Sendable {
    /// With a trailing zero, which terminates a text and is not counted for bytes; nil for NULL.
    let bytes: [UInt8]?
    /// 0 for text, 1 for binary.
    let format: Int32

    /// NULL.
    public static let null = PostgresValue(bytes: nil, format: 0)

    /// A text, or any other type in PostgreSQL's text form. A NUL, which PostgreSQL texts cannot contain, becomes
    /// U+FFFD.
    public static func text(_ text: String?) -> PostgresValue {
        guard let text else { return .null }
        return PostgresValue(bytes: Array(PostgresText.withoutNUL(text).utf8) + [0], format: 0)
    }

    /// A number.
    public static func integer(_ number: Int64?) -> PostgresValue { .text(number.map { "\($0)" }) }

    /// A boolean.
    public static func boolean(_ isTrue: Bool) -> PostgresValue { .text(isTrue ? "t" : "f") }

    /// Bytes (`bytea`).
    public static func bytes(_ bytes: [UInt8]) -> PostgresValue {
        PostgresValue(bytes: bytes + [0], format: 1)
    }

    /// An array of texts, or of any other type in PostgreSQL's text form (PostgreSQL, 8.15.6); nil for NULL.
    public static func array(_ elements: [String?]) -> PostgresValue {
        let written = elements.map { element in
            guard let element else { return "NULL" }
            var text = "\""
            for letter in PostgresText.withoutNUL(element).unicodeScalars {
                if letter == "\"" || letter == "\\" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(letter)
            }
            return text + "\""
        }
        return .text("{" + written.joined(separator: ",") + "}")
    }
}

/// Replaces what PostgreSQL texts cannot contain.
enum PostgresText {
    static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}

/// The format of an answer.
public enum ResultFormat: Int32, Sendable {
    /// As text, for any type.
    case text = 0
    /// In binary form: for bytes.
    case binary = 1
}
