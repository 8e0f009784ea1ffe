import UpdateBench

/// What became of all runs of one row in one column.
package struct Cell: Sendable {
    package private(set) var tally: [Outcome: Int] = [:]
    /// Runs that ended in a way that the row does not allow, with their trouble.
    package private(set) var defects: [String] = []

    package var runs: Int { tally.values.reduce(0, +) }

    mutating func add(_ outcome: Outcome, of trouble: Trouble, allowed: Set<String>, _ detail: String) {
        tally[outcome, default: 0] += 1
        if case .failed(let code) = outcome, allowed.contains(code) { return }
        guard outcome.isBroken || outcome > .rightUnseen else { return }
        defects.append("\(outcome) under \(trouble): \(detail)")
    }

    /// Every outcome with how often it came about.
    package var text: String {
        runs == 0
            ? "–" : tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

package enum FaultTable {
    /// All runs of one row in one column.
    package static func cell(
        _ row: Row, _ column: Column, _ counts: Column.Counts, atMost most: Int
    ) async throws -> Cell {
        var cell = Cell()
        guard row.traits.isSubset(of: column.traits) else { return cell }
        for trouble in row.troubles(counts, atMost: most) {
            let (outcome, result) = try await column.outcome(of: trouble)
            cell.add(outcome, of: trouble, allowed: row.mayFail, "\(result.outcome)")
        }
        return cell
    }
}
