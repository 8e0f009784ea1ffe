extension FaultColumn {
    /// The table as documentation has it: a line a row of faults, a column a kind of beacon. `cells` come row by row.
    package static func markdown(_ columns: [Self], _ cells: [Cell]) -> String {
        var lines = [
            "| fault | " + columns.map(\.title).joined(separator: " | ") + " |",
            "|---|" + columns.map { _ in "---|" }.joined(),
        ]
        for (number, row) in rows.enumerated() {
            let line = cells[number * columns.count..<(number + 1) * columns.count]
            lines.append("| \(row.title) | " + line.map(\.text).joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }
}
