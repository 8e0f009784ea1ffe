/// A kind of fault, at every place where it can occur.
package struct Row<Column: FaultColumn>: Sendable {
    package let title: String
    /// The traits that a column needs for this row.
    package let traits: Set<Column.Trait>
    /// The failures that this fault may cause; any other one is a defect.
    package let mayFail: Set<String>
    private let list: @Sendable (Column.Counts) -> [Column.Trouble]

    package init(
        _ title: String, _ traits: Set<Column.Trait> = [], mayFail: Set<String> = [],
        _ list: @escaping @Sendable (Column.Counts) -> [Column.Trouble]
    ) {
        self.title = title
        self.traits = traits
        self.mayFail = mayFail
        self.list = list
    }

    /// Every place; if there are more than `most`, an even selection that includes the first and the last.
    package func troubles(_ counts: Column.Counts, atMost most: Int) -> [Column.Trouble] {
        let all = list(counts)
        guard all.count > most, most > 1 else { return all }
        return (0..<most).map { all[$0 * (all.count - 1) / (most - 1)] }
    }

    /// All runs of this row in one column.
    package func cell(
        _ column: Column, _ counts: Column.Counts, atMost most: Int
    ) async throws -> Cell {
        var cell = Cell()
        guard traits.isSubset(of: column.traits) else { return cell }
        for trouble in troubles(counts, atMost: most) {
            let attempt = try await column.attempt(under: trouble)
            cell.add(attempt.outcome, of: "\(trouble)", allowed: mayFail, "\(attempt.told)")
        }
        return cell
    }
}
