package import TestSupport
package import UpdateCore

/// A kind of beacon and a way to reach it: what is updated under every fault.
package protocol FaultColumn: Sendable, CustomStringConvertible {
    /// What an update without faults has shown: how many there are of what a fault can meet.
    associatedtype Counts: Sendable
    /// What only some columns have, and only some rows are about.
    associatedtype Trait: Hashable & Sendable
    /// What one run has to cope with.
    associatedtype Trouble: Sendable & CustomStringConvertible

    /// Every kind.
    static var all: [Self] { get }
    /// The faults that it is held against.
    static var rows: [Row<Self>] { get }

    var title: String { get }
    var traits: Set<Trait> { get }

    func counts() async throws -> Counts
    /// One update under `trouble`.
    func attempt(under trouble: Trouble) async throws -> Attempt
    /// Any trouble, somewhere in an update like that.
    func anyTrouble(_ counts: Counts, _ random: inout Seed) -> Trouble
    /// How the update may fail under `trouble`, and no other way: each fault's own codes, and what any two together can
    /// lead to.
    func mayFail(under trouble: Trouble) -> Set<String>
}

extension FaultColumn {
    package var description: String { title }
}

/// One update under trouble, and how it ended.
package struct Attempt: Sendable {
    package let outcome: Outcome
    package let events: [UpdateEvent]
    /// When each event was reported.
    package let moments: [Duration]
    /// The outcome as the update tells it.
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
