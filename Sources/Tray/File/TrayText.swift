import Bytes

/// A tray's texts are shown in tables, printed, and compared with scanned codes: each is one visible line.
enum TrayText {
    /// The longest label, name or number, in UTF-8.
    static let mostBytes = 64
    /// The longest path, in UTF-8.
    static let mostPathBytes = 256

    /// The error in `text`; nil if there is none.
    static func flaw(in text: String, upTo limit: Int = mostBytes) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > limit { return "has \(text.utf8.count) bytes, at most \(limit) allowed" }
        if text.unicodeScalars.contains(where: VisibleText.isInvisible) {
            return "has an invisible character"
        }
        if ":\(text)".first != ":" { return "begins with a combining mark" }
        if text.first?.isWhitespace ?? false || text.last?.isWhitespace ?? false {
            return "begins or ends with a space"
        }
        return nil
    }

    /// Throws for a `text` of the key `key` that is not one visible line.
    static func check(_ text: String?, of key: String, upTo limit: Int = mostBytes) throws(TrayFileError) {
        guard let text, let flaw = flaw(in: text, upTo: limit) else { return }
        throw TrayFileError(key, "'\(key)' \(flaw)")
    }
}
