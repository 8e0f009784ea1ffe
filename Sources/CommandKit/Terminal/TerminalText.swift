import Bytes
import CLinux
import Glibc

/// A line for a terminal whose only escape sequences are the program's own colours.
///
/// Control characters in its input are escaped (`VisibleText`); only ``painted(_:)`` adds escape sequences. So foreign
/// text can never become a colour, a cursor movement or another line.
package struct TerminalText: Equatable, Sendable {
    /// The text for the terminal, with escape sequences only for colours.
    let rendered: String

    package init(_ text: String) { rendered = VisibleText.escaped(text) }

    private init(rendered: String) { self.rendered = rendered }

    /// The colours in use, with their SGR codes.
    package enum Colour: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    package func painted(_ colour: Colour) -> TerminalText {
        TerminalText(rendered: "\u{1B}[\(colour.rawValue)m" + rendered + "\u{1B}[0m")
    }

    package var width: Int { Cells.width(of: rendered) }

    /// The line in exactly `cells` cells: padded with spaces, or cut with an ellipsis at its end.
    package func fitted(to cells: Int) -> TerminalText {
        let cut = clipped(to: cells)
        return cut + TerminalText(String(repeating: " ", count: max(0, cells - cut.width)))
    }

    /// The line in at most `cells` cells, cut with an ellipsis at its end.
    package func clipped(to cells: Int) -> TerminalText {
        TerminalText(rendered: Cells.clipped(rendered, to: cells))
    }

    /// The line, wrapped at spaces to at most `width` cells, with continuations indented by `hanging` cells more.
    package func wrapped(to width: Int, hanging: Int = 4) -> [TerminalText] {
        WrappedLine.pieces(rendered, width: width, hanging: hanging).map { TerminalText(rendered: $0) }
    }

    /// The line, with a left-to-right mark at its end if it contains right-to-left text. Otherwise a terminal that
    /// reorders such text would treat a number in the next column as part of it (UAX #9, W2).
    package var withDirectionMark: TerminalText {
        guard rendered.unicodeScalars.contains(where: Self.isRightToLeft) else { return self }
        return TerminalText(rendered: rendered + "\u{200E}")
    }

    /// Whether `scalar` is in a block of Unicode for Hebrew, Arabic and other scripts that run from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(rendered: left.rendered + right.rendered)
    }
}

extension TerminalText: ExpressibleByStringInterpolation {
    /// Concatenates texts, each with its control characters escaped.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = TerminalText("")

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text = text + TerminalText(literal) }
        package mutating func appendInterpolation(_ part: TerminalText) { text = text + part }
        package mutating func appendInterpolation(_ part: some Any) {
            text = text + TerminalText(String(describing: part))
        }
    }

    package init(stringLiteral text: String) { self.init(text) }
    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}

extension DefaultStringInterpolation {
    @available(
        *, deprecated, message: "a String would show the escape sequences of colours; make it a TerminalText"
    )
    package mutating func appendInterpolation(_ text: TerminalText) {}
}

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

/// Wraps a line of text at spaces to a width, with continuations indented.
enum WrappedLine {
    /// The pieces; continuations are indented by `hanging` cells more than the first. Colours (`ESC [ digits m`) have
    /// no width. A word longer than a line is not broken, and a command between backticks, which is copied, is a word.
    static func pieces(_ line: String, width: Int, hanging: Int = 4) -> [String] {
        guard Cells.width(of: line) > width else { return [line] }
        let indentation = line.prefix { $0 == " " }
        let margin = String(indentation) + String(repeating: " ", count: hanging)
        var pieces: [String] = []
        var current = String(indentation)
        var isEmpty = true
        // Runs of spaces, for example between columns, stay with the word after them.
        var gap = ""
        for word in words(line.dropFirst(indentation.count)) {
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

    /// The parts between spaces; a part that opens a backtick extends to the one that closes it.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var opened: Int?
        for part in line.split(separator: " ", omittingEmptySubsequences: false) {
            words.append(String(part))
            guard part.count(where: { $0 == "`" }) % 2 == 1 else { continue }
            if let first = opened {
                words[first...] = [words[first...].joined(separator: " ")]
                opened = nil
            } else {
                opened = words.count - 1
            }
        }
        return words
    }
}
