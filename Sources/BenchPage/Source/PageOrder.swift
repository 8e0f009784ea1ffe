public import Tray

/// A work order in the list of them.
public struct PageOrder: Hashable, Sendable {
    /// The number that people know it by.
    public var number: String
    /// How far it has come, by the names of the engine: `draft`, `golden`, `open`, `held`, `done`, `cancelled`.
    public var state: String
    /// Why it is held.
    public var heldReason: String?
    /// How many units it wants.
    public var expected: Int?
    /// How many stand how.
    public var counts: [UnitStatus: Int] = [:]
    /// The benches that have worked at it.
    public var benches: [String] = []
    /// What its units get, in words.
    public var firmware: String?
    /// When work at it began.
    public var began: RecordedTime?

    /// An order as described.
    public init(number: String, state: String) { (self.number, self.state) = (number, state) }

    var json: PageValue {
        .members([
            "number": .text(number), "state": .text(state), "held_reason": .optional(heldReason),
            "expected": expected.map(PageValue.integer),
            "counts": .object(
                Dictionary(
                    counts.map { ($0.rawValue, .integer($1)) }, uniquingKeysWith: { first, _ in first })),
            "benches": .list(benches.map(PageValue.text)), "firmware": .optional(firmware),
            "began": began?.json,
        ])
    }
}

extension [PageOrder] {
    /// As `/orders` answers.
    public var json: PageValue { .members(["schema": .integer(1), "orders": .list(map(\.json))]) }
}
