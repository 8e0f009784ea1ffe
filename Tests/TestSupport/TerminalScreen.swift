/// The content of a terminal, laid out in cells: East Asian characters and emoji take two, combining marks none.
package struct TerminalScreen {
    private let rows: Int
    private let columns: Int
    /// The characters of each row by cell; empty for the second cell of a wide one.
    private var cells: [[String]]
    private var (row, column) = (0, 0)
    /// The number of rows scrolled out at the top.
    package private(set) var scrolled = 0
    /// The number of characters without a cell in their row.
    package private(set) var overrun = 0
    /// Control characters and sequences that it does not know.
    package private(set) var unknown: [String] = []

    /// An empty screen, with the cursor in the row `row`.
    package init(rows: Int = 24, columns: Int = 80, row: Int = 0) {
        (self.rows, self.columns, self.row) = (rows, columns, row)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows, without trailing empty cells.
    package var lines: [String] {
        cells.map { row in
            let text = row.joined()
            return String(text.prefix(text.lastIndex { $0 != " " }.map { text[...$0].count } ?? 0))
        }
    }

    /// The character in the cell `column` of `row`.
    package func cell(_ row: Int, _ column: Int) -> String { cells[row][column] }

    /// Shows the output of a program.
    package mutating func show(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n": lineFeed()
            case "\u{1B}": obey(&rest)
            case _ where scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value:
                unknown.append(String(scalar.value, radix: 16))
            default: put(scalar)
            }
        }
    }

    private mutating func lineFeed() {
        row += 1
        guard row == rows else { return }
        row -= 1
        scrolled += 1
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func obey(_ rest: inout Substring.UnicodeScalarView) {
        var sequence = ""
        while let scalar = rest.popFirst() {
            sequence.unicodeScalars.append(scalar)
            if scalar != "[", 0x40...0x7E ~= scalar.value { break }
        }
        switch sequence.last {
        case "m": break
        case "A": row = max(0, row - (Int(sequence.dropFirst().dropLast()) ?? 1))
        case "J" where sequence == "[J":
            for place in column..<columns { cells[row][place] = " " }
            for below in (row + 1)..<max(row + 1, rows) {
                cells[below] = Array(repeating: " ", count: columns)
            }
        default: unknown.append(sequence)
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let width = Self.width(of: scalar)
        guard width > 0 else {
            if column > 0 { cells[row][column - 1].unicodeScalars.append(scalar) }
            return
        }
        guard column + width <= columns else { return overrun += 1 }
        cells[row][column] = String(scalar)
        if width == 2 { cells[row][column + 1] = "" }
        column += width
    }

    /// By Unicode's tables, not by the C library's, which the program uses.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
