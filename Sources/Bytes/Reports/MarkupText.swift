/// Text escaped for XML and HTML, between elements and in an attribute's value.
enum MarkupText {
    /// `text` with its invisible characters written out (`VisibleText`), and with references for the characters
    /// of markup.
    static func escaped(_ text: String) -> String {
        let visible = VisibleText.escaped(text)
        guard visible.utf8.contains(where: { marks.contains($0) }) else { return visible }
        return visible.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static let marks = Set("&<>\"'".utf8)
}
