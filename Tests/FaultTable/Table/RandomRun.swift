package import TestSupport

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
