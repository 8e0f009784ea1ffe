extension FaultColumn {
    /// The table in the form of the documentation: a line for each row of faults, a column for each kind of beacon.
    /// `cells` are in row order.
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
