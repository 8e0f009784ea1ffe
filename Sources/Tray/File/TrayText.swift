import ByteCoding

/// Texts of a tray are shown in tables, printed and compared with what a scanner reads: each is one visible line.
enum TrayText {
    /// The longest label, name or number, in UTF-8.
    static let mostBytes = 64
    /// The longest path, in UTF-8.
    static let mostPathBytes = 256

    /// What is wrong with `text`; nil where nothing is.
    static func flaw(in text: String, upTo limit: Int = mostBytes) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > limit { return "has \(text.utf8.count) bytes, at most \(limit) allowed" }
        if text.unicodeScalars.contains(where: VisibleText.isInvisible) {
            return "has a character that cannot be seen"
        }
        if ":\(text)".first != ":" { return "begins with a mark that belongs to a letter before it" }
        if text.first?.isWhitespace ?? false || text.last?.isWhitespace ?? false {
            return "begins or ends with a space"
        }
        return nil
    }

    /// Refuses a `text` of the key `key` that is not one visible line.
    static func check(_ text: String?, of key: String, upTo limit: Int = mostBytes) throws(TrayFlaw) {
        guard let text, let flaw = flaw(in: text, upTo: limit) else { return }
        throw TrayFlaw(key, "'\(key)' \(flaw)")
    }
}
