import CLinux
import Glibc

/// Text widths in terminal cells: East Asian characters and most emoji take two cells, combining marks none.
enum Cells {
    /// The width of `text` in cells; colours (`ESC [ digits m`) take none.
    static func width(of text: String) -> Int {
        // Nearly every text is ASCII and needs no locale.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        var walk = Walk()
        return text.unicodeScalars.reduce(0) { $0 + walk.width(of: $1) }
    }

    /// The beginning of `text` in at most `cells` cells, ending with an ellipsis if truncated. Keeps all colours,
    /// including those after the cut.
    static func clipped(_ text: String, to cells: Int) -> String {
        guard width(of: text) > cells else { return text }
        var walk = Walk()
        var used = 0
        var isCut = false
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let width = walk.width(of: scalar)
            if walk.isColour {
                result.append(scalar)
            } else if !isCut {
                isCut = used + width > cells - 1
                result.append(isCut ? "…" : scalar)
                used += width
            }
        }
        return cells > 0 ? String(result) : ""
    }

    /// Iterates over the scalars of a line.
    private struct Walk {
        /// Whether the last scalar belonged to a colour.
        private(set) var isColour = false
        private var isLast = false

        mutating func width(of scalar: Unicode.Scalar) -> Int {
            if isLast { (isColour, isLast) = (false, false) }
            if scalar == "\u{1B}" { isColour = true }
            isLast = isColour && scalar == "m"
            return isColour ? 0 : Cells.width(of: scalar)
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        guard let locale = locale_t(bitPattern: locale) else { return 1 }
        let before = uselocale(locale)
        defer { uselocale(before) }
        // -1: a character that the C library does not know.
        let width = wcwidth(wchar_t(bitPattern: scalar.value))
        return width < 0 ? 1 : Int(width)
    }

    /// wcwidth(3) depends on the locale, and the program's own is "C". 0 if C.UTF-8 is not available.
    private static let locale = Int(bitPattern: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
}
