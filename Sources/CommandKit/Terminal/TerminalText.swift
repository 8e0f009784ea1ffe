import Bytes

/// A line for a terminal whose only escape sequences are the program's own colours.
///
/// Control characters in its input are escaped (`VisibleText`); only ``painted(_:)`` adds escape sequences. So foreign
/// text can never become a colour, a cursor movement or another line.
package struct TerminalText: Equatable, Sendable {
    /// The text for the terminal, with escape sequences only for colours.
    private(set) var rendered: String

    /// `text` with control characters escaped.
    package init(_ text: String) { rendered = VisibleText.escaped(text) }

    /// The colours in use, with their SGR codes.
    package enum Colour: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// The line in `colour`.
    package func painted(_ colour: Colour) -> TerminalText {
        var text = self
        text.rendered = "\u{1B}[\(colour.rawValue)m" + rendered + "\u{1B}[0m"
        return text
    }

    /// The width in cells.
    package var width: Int { Cells.width(of: rendered) }

    /// The line in exactly `cells` cells: padded with spaces, or cut with an ellipsis at its end.
    package func fitted(to cells: Int) -> TerminalText {
        let cut = clipped(to: cells)
        return cut + TerminalText(String(repeating: " ", count: max(0, cells - cut.width)))
    }

    /// The line in at most `cells` cells, cut with an ellipsis at its end.
    package func clipped(to cells: Int) -> TerminalText {
        var text = self
        text.rendered = Cells.clipped(rendered, to: cells)
        return text
    }

    /// The line, wrapped at spaces into lines of at most `width` cells, with continuations indented by
    /// `hanging` cells more.
    package func wrapped(to width: Int, hanging: Int = 4) -> [TerminalText] {
        WrappedLine.pieces(rendered, width: width, hanging: hanging).map { piece in
            var text = self
            text.rendered = piece
            return text
        }
    }

    /// The line, with a left-to-right mark at its end if it contains right-to-left text. Otherwise a terminal that
    /// reorders such text would treat a number in the next column as part of it (UAX #9, W2).
    package var anchored: TerminalText {
        guard rendered.unicodeScalars.contains(where: Self.isRightToLeft) else { return self }
        var text = self
        text.rendered += "\u{200E}"
        return text
    }

    /// Whether `scalar` is in a block of Unicode for Hebrew, Arabic and other scripts that run from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        var text = left
        text.rendered += right.rendered
        return text
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
