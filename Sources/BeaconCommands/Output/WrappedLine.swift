/// A line of text that is cut at spaces to fit a width, each further piece indented below the first.
enum WrappedLine {
    /// The pieces, the further ones by `hanging` cells more than the first; colours (`ESC [ digits m`) take no room. A word that is too long for a line of its own stays whole.
    static func pieces(_ line: String, width: Int, hanging: Int = 4) -> [String] {
        guard Cells.width(of: line) > width else { return [line] }
        let indentation = line.prefix { $0 == " " }
        let margin = String(indentation) + String(repeating: " ", count: hanging)
        var pieces: [String] = []
        var current = String(indentation)
        var isEmpty = true
        // Runs of spaces, as between two columns, stay with the word after them.
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
