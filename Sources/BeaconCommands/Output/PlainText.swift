import ByteCoding

/// Text that a terminal may be given although parts of it come from a file or from the air.
enum PlainText {
    /// `line` without control characters, which could move the cursor, change the title or worse; only colours
    /// (`ESC [ digits m`) stay.
    static func cleaned(_ line: String) -> String {
        let line = PathText.shown(line)
        guard line.unicodeScalars.contains(where: isControl) else { return line }
        var result = String.UnicodeScalarView()
        var rest = line.unicodeScalars[...]
        while let scalar = rest.first {
            if let colour = colour(at: rest) {
                result.append(contentsOf: colour)
                rest = rest[colour.endIndex...]
            } else {
                result.append(isControl(scalar) ? "?" : scalar)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func colour(
        at text: Substring.UnicodeScalarView
    ) -> Substring.UnicodeScalarView? {
        guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
        let digits = text.dropFirst(2).prefix { ("0"..."9").contains($0) }
        guard digits.count <= 2, digits.endIndex < text.endIndex, text[digits.endIndex] == "m" else {
            return nil
        }
        return text[...digits.endIndex]
    }
}
