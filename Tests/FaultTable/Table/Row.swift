package import Simulation
package import TestSupport

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

/// One update under faults that are chosen by a seed.
package struct RandomRun<Column: FaultColumn>: Sendable {
    package let column: Column
    package let trouble: Column.Trouble

    /// One of `columns` with the given counts, and trouble for it.
    package init(among columns: [(column: Column, counts: Column.Counts)], _ random: inout Seed) {
        let place = columns[Int.random(in: 0..<columns.count, using: &random)]
        column = place.column
        trouble = column.anyTrouble(place.counts, &random)
    }

    /// Its outcome, and what is wrong with it; nil if nothing is.
    package func run(
        telling tell: @Sendable (String) -> Void = { _ in }
    ) async throws -> (outcome: Outcome, defect: String?) {
        let attempt = try await column.attempt(under: trouble)
        tell("\(column.title) under \(trouble)")
        for (moment, event) in zip(attempt.moments, attempt.events) { tell("\(moment)\t\(event)") }
        let outcome = attempt.outcome
        guard !outcome.isFine(allowing: column.mayFail(under: trouble)) else { return (outcome, nil) }
        return (outcome, "\(outcome) of \(column.title) under \(trouble): \(attempt.told)")
    }
}

/// Trouble that can be faults alone.
package protocol FaultTrouble: Sendable, CustomStringConvertible {
    init(_ faults: [Fault])
}

extension Row where Column.Trouble: FaultTrouble {
    /// One fault at each of `count` places.
    init(
        _ title: String, _ traits: Set<Column.Trait> = [], mayFail: Set<String> = [],
        at count: @escaping @Sendable (Column.Counts) -> Int, _ fault: @escaping @Sendable (Int) -> Fault
    ) {
        self.init(title, traits, mayFail: mayFail) { counts in
            (0..<max(0, count(counts))).map { Column.Trouble([fault($0 + 1)]) }
        }
    }

    /// Each of these faults.
    init(
        _ title: String, _ traits: Set<Column.Trait> = [], mayFail: Set<String> = [], under faults: Fault...
    ) {
        self.init(title, traits, mayFail: mayFail) { _ in faults.map { Column.Trouble([$0]) } }
    }
}
