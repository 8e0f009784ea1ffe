/// The table of a page with the columns of one kind, as in the documentation.
package struct DocumentedTable<Column: FaultColumn>: Sendable {
    /// The titles of its rows, in order.
    package let rows: [String]
    /// The texts of its cells, by the titles of column and row.
    private let cells: [String: [String: String]]

    /// The table of `page` with the columns `Column.all`; nil if there is none.
    package init?(in page: String) {
        let tables = page.split(separator: "\n\n").map { table in
            table.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
                line.split(separator: "|").map { String($0.drop { $0 == " " }.trimmedEnd) }
            }
        }
        let titles = Column.all.map(\.title)
        let table = tables.first { $0.first.map { Array($0.dropFirst()) } == titles }
        guard let lines = table?.dropFirst(2) else { return nil }
        rows = lines.compactMap(\.first)
        var cells: [String: [String: String]] = [:]
        for line in lines {
            for (title, text) in zip(titles, line.dropFirst()) {
                cells[title, default: [:]][line.first ?? ""] = text
            }
        }
        self.cells = cells
    }

    /// The difference between the page and the run in `cell`; nil if they agree.
    ///
    /// A run with fewer places than the page's may have fewer outcomes, but none that the page does not have there.
    package func difference(
        of cell: Cell, row: String, column: String, hasAllPlaces: Bool
    ) -> String? {
        let text = cells[column]?[row] ?? "nothing"
        let agrees =
            hasAllPlaces || cell.runs == 0
            ? cell.text == text : cell.endings.isSubset(of: Self.endings(in: text))
        return agrees ? nil : "\(row), \(column): the page has \(text), the run \(cell.text)"
    }

    /// The outcomes in a cell's text, without their counts.
    private static func endings(in text: String) -> Set<String> {
        var endings: Set<String> = []
        var ending: [Substring] = []
        for word in text.split(separator: " ") {
            if Int(word.last == "," ? word.dropLast() : word) != nil {
                endings.insert(ending.joined(separator: " "))
                ending = []
            } else {
                ending.append(word)
            }
        }
        return endings
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring { last == " " ? dropLast().trimmedEnd : self }
}
