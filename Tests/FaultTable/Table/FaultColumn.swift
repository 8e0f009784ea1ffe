package import TestSupport
package import UpdateModel

/// A kind of beacon and a way to reach it: what is updated under every fault.
package protocol FaultColumn: Sendable, CustomStringConvertible {
    /// Counts from an update without faults, for each thing that a fault can affect.
    associatedtype Counts: Sendable
    /// Properties of some columns, for rows that need them.
    associatedtype Trait: Hashable & Sendable
    /// The faults and conditions of one run.
    associatedtype Trouble: Sendable & CustomStringConvertible

    /// Every kind.
    static var all: [Self] { get }
    /// The faults of its table.
    static var rows: [Row<Self>] { get }

    var title: String { get }
    var traits: Set<Trait> { get }

    func counts() async throws -> Counts
    /// One update under `trouble`.
    func attempt(under trouble: Trouble) async throws -> Attempt
    /// Any trouble, somewhere in such an update.
    func anyTrouble(_ counts: Counts, _ random: inout Seed) -> Trouble
    /// The codes with which an update may fail under `trouble`: each fault's own codes, and what any two together can
    /// cause.
    func mayFail(under trouble: Trouble) -> Set<String>
}

extension FaultColumn {
    package var description: String { title }
}

/// One update under trouble, and its outcome.
package struct Attempt: Sendable {
    package let outcome: Outcome
    package let events: [UpdateEvent]
    /// The time of each event.
    package let moments: [Duration]
    /// The outcome according to the update's report.
    package let told: Result<UpdateReport, UpdateFailure>

    package init(
        _ outcome: Outcome, _ told: Result<UpdateReport, UpdateFailure>, _ events: [UpdateEvent],
        _ moments: [Duration]
    ) {
        self.outcome = outcome
        self.told = told
        self.events = events
        self.moments = moments
    }
}

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
