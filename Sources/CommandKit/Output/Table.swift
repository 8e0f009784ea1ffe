import Glibc

/// A table that fits a width: elastic columns are shortened, then the least important columns are left out.
package struct Table: Sendable {
    package struct Column: Sendable {
        package let heading: String
        /// The minimum width in cells.
        package var width = 0
        /// Whether the column is shortened if the table is too wide.
        package var isElastic = false
        /// Columns with a higher rank are left out first; those with 0 stay.
        package var rank = 0

        package init(heading: String, width: Int = 0, isElastic: Bool = false, rank: Int = 0) {
            (self.heading, self.width, self.isElastic, self.rank) = (heading, width, isElastic, rank)
        }
    }

    /// A table with these headings; the first column is elastic.
    package init(headings: [String]) {
        columns = headings.enumerated().map { Column(heading: $1, isElastic: $0 == 0) }
    }

    package init(columns: [Column]) { self.columns = columns }

    private static let gap = 2

    package let columns: [Column]

    /// Prints the table on `console`, fitted to the terminal's width.
    package func print(_ rows: [[TerminalText]], on console: Console) {
        let width = isatty(STDOUT_FILENO) == 1 ? TerminalSize.of(STDOUT_FILENO).columns : nil
        lines(rows, width: width).forEach(console.result)
    }

    /// The heading and `rows`, each with a cell for every column. Without `width` nothing is truncated.
    package func lines(_ rows: [[TerminalText]], width: Int?) -> [TerminalText] {
        let all = [columns.map { TerminalText($0.heading) }] + rows
        var widths = columns.indices.map { index in
            all.reduce(columns[index].width) { max($0, $1[index].width) }
        }
        var shown = Array(columns.indices)
        if let width {
            while spareCells(in: width, for: shown, widths) < 0,
                let last = shown.filter({ columns[$0].rank > 0 }).max(by: {
                    columns[$0].rank < columns[$1].rank
                })
            {
                shown.removeAll { $0 == last }
            }
            for index in shown where columns[index].isElastic {
                let spare = spareCells(in: width, for: shown, widths)
                widths[index] = min(widths[index], max(minimumWidth(index), minimumWidth(index) + spare))
            }
        }
        let gap = TerminalText(String(repeating: " ", count: Self.gap))
        return all.map { cells in
            let fitted = fitted(cells, shown, widths)
            // A pipe gets no marks for terminals.
            let row = width == nil ? fitted : fitted.map(\.withDirectionMark)
            return row.dropFirst().reduce(row.first ?? "") { $0 + gap + $1 }
        }
    }

    /// How many cells of `width` are left when elastic columns have their minimum width.
    private func spareCells(in width: Int, for shown: [Int], _ widths: [Int]) -> Int {
        let needed = shown.reduce(0) { sum, index in
            sum + (columns[index].isElastic ? min(minimumWidth(index), widths[index]) : widths[index])
        }
        return width - needed - Self.gap * (shown.count - 1)
    }

    private func minimumWidth(_ index: Int) -> Int { max(columns[index].width, columns[index].heading.count) }

    private func fitted(_ row: [TerminalText], _ shown: [Int], _ widths: [Int]) -> [TerminalText] {
        shown.map { $0 == shown.last ? row[$0].clipped(to: widths[$0]) : row[$0].fitted(to: widths[$0]) }
    }
}
