/// The outcomes of all runs of one row in one column.
package struct Cell: Sendable {
    package private(set) var tally: [Outcome: Int] = [:]
    /// Runs with an outcome that the row does not allow, with their trouble.
    package private(set) var defects: [String] = []

    package var runs: Int { tally.values.reduce(0, +) }

    /// How its runs ended.
    package var endings: Set<String> { Set(tally.keys.map(\.description)) }

    mutating func add(_ outcome: Outcome, of trouble: String, allowed: Set<String>, _ detail: String) {
        tally[outcome, default: 0] += 1
        guard !outcome.isFine(allowing: allowed) else { return }
        defects.append("\(outcome) under \(trouble): \(detail)")
    }

    /// Every outcome with its count.
    package var text: String {
        runs == 0
            ? "–" : tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
