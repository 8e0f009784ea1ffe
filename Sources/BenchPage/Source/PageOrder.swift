public import Tray

/// A work order in the list of orders.
public struct PageOrder: Hashable, Sendable {
    /// Its number.
    public var number: String
    /// Its state, by the work server's names: `draft`, `golden`, `open`, `held`, `done`, `cancelled`.
    public var state: String
    /// Why it is held.
    public var heldReason: String?
    /// The expected number of units.
    public var expected: Int?
    /// The number of units by status.
    public var counts: [UnitStatus: Int] = [:]
    /// The benches that have worked on it.
    public var benches: [String] = []
    /// The firmware of its units, in words.
    public var firmware: String?
    /// When work on it began.
    public var began: RecordedTime?

    /// Creates an order with these values.
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
    /// The body of `/orders`.
    public var json: PageValue { .members(["schema": .integer(1), "orders": .list(map(\.json))]) }
}
