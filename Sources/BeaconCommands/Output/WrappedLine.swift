import Glibc

/// A line of text that is cut at spaces to fit a width, each further piece set in below the first.
enum WrappedLine {
    /// The pieces; colours (`ESC [ digits m`) take no room. A word that is too long for a line of its own stays whole.
    static func pieces(_ line: String, width: Int) -> [String] {
        guard visibleCount(line) > width else { return [line] }
        let indentation = line.prefix { $0 == " " }
        let margin = String(indentation) + "    "
        var pieces: [String] = []
        var current = String(indentation)
        var isEmpty = true
        // Runs of spaces, as between two columns, stay with the word behind them.
        var gap = ""
        for word in line.dropFirst(indentation.count).split(separator: " ", omittingEmptySubsequences: false)
        {
            if word.isEmpty {
                gap += " "
                continue
            }
            let extended = isEmpty ? current + String(word) : current + gap + " " + word
            if !isEmpty, visibleCount(extended) > width {
                pieces.append(current)
                current = margin + String(word)
            } else {
                current = extended
            }
            (isEmpty, gap) = (false, "")
        }
        return pieces + [current]
    }

    private static func visibleCount(_ text: String) -> Int {
        var count = 0
        var isColour = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" {
                isColour = true
            } else if isColour {
                isColour = scalar != "m"
            } else {
                count += 1
            }
        }
        return count
    }
}

extension Console {
    /// Lines of a result, cut to the terminal's width; a pipe gets them whole.
    func results(_ lines: [String]) {
        guard isatty(STDOUT_FILENO) == 1 else { return lines.forEach(result) }
        let width = TerminalSize.current.columns
        lines.flatMap { WrappedLine.pieces($0, width: width) }.forEach(result)
    }
}
