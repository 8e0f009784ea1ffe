/// Wraps a line of text at spaces to a width, with continuations indented.
enum WrappedLine {
    /// The pieces; continuations are indented by `hanging` cells more than the first. Colours (`ESC [ digits m`) have
    /// no width. A word that is longer than a line is not broken.
    static func pieces(_ line: String, width: Int, hanging: Int = 4) -> [String] {
        guard Cells.width(of: line) > width else { return [line] }
        let indentation = line.prefix { $0 == " " }
        let margin = String(indentation) + String(repeating: " ", count: hanging)
        var pieces: [String] = []
        var current = String(indentation)
        var isEmpty = true
        // Runs of spaces, for example between columns, stay with the word after them.
        var gap = ""
        for word in line.dropFirst(indentation.count).split(separator: " ", omittingEmptySubsequences: false)
        {
            if word.isEmpty {
                gap += " "
                continue
            }
            let extended = isEmpty ? current + String(word) : current + gap + " " + word
            if !isEmpty, Cells.width(of: extended) > width {
                pieces.append(current)
                current = margin + String(word)
            } else {
                current = extended
            }
            (isEmpty, gap) = (false, "")
        }
        return pieces + [current]
    }
}
