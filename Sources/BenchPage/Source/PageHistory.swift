public import Tray

/// A query for past attempts.
public struct PageHistoryQuery: Hashable, Sendable {
    /// The maximum number of attempts.
    public var limit: Int
    /// A text in their slot, address, id, name, order or code; empty for any.
    public var text: String
    /// Their outcome; nil for any.
    public var outcome: Outcome?

    /// Creates a query; `limit` is clamped to 500.
    public init(limit: Int = 100, text: String = "", outcome: Outcome? = nil) {
        self.limit = Swift.max(1, Swift.min(500, limit))
        self.text = String(text.prefix(128))
        self.outcome = outcome
    }
}

/// A past attempt.
public struct PageHistoryRow: Hashable, Sendable {
    /// When it began.
    public var began: RecordedTime
    /// The bench's name.
    public var station: String?
    /// The order's number.
    public var order: String?
    /// The label of the slot.
    public var slot: String
    /// The address with its kind.
    public var address: String?
    /// The advertised name.
    public var name: String?
    /// Its number for the unit, from 1.
    public var attempt: Int
    /// How it ended; nil if it was cut off.
    public var outcome: Outcome?
    /// The code of the cause.
    public var code: String?
    /// Its duration in seconds.
    public var seconds: Double?
    /// The version before.
    public var versionBefore: String?
    /// The version after.
    public var version: String?
    /// The adapter.
    public var adapter: String?

    /// An attempt at the unit in `slot`.
    public init(slot: String, attempt: Int, began: RecordedTime) {
        (self.slot, self.attempt, self.began) = (slot, attempt, began)
    }

    /// The attempt as recorded in the journal.
    public init(run: TrayRecord, unit: UnitRecord, attempt: AttemptRecord) {
        self.init(slot: unit.slot, attempt: attempt.number, began: attempt.began)
        (station, order, address, name) = (
            run.station, run.orderNumber, unit.address ?? attempt.address, unit.name
        )
        (outcome, code, seconds) = (attempt.verdict?.outcome, attempt.verdict?.code, attempt.seconds)
        (versionBefore, version, adapter) = (attempt.versionBefore, attempt.versionAfter, attempt.adapter)
    }

    /// Whether it matches `query`, apart from the limit.
    public func matches(_ query: PageHistoryQuery) -> Bool {
        guard query.outcome == nil || outcome == query.outcome else { return false }
        guard !query.text.isEmpty else { return true }
        let words = [slot, address, name, order, code, station].compactMap(\.self).joined(separator: " ")
        return words.lowercased().contains(query.text.lowercased())
    }

    var json: PageValue {
        .members([
            "began": began.json, "station": .optional(station), "order": .optional(order),
            "slot": .text(slot),
            "address": .optional(address), "name": .optional(name), "attempt": .integer(attempt),
            "outcome": .optional(outcome?.rawValue), "code": .optional(code), "seconds": .rounded(seconds),
            "version_from": .optional(versionBefore), "version": .optional(version),
            "adapter": .optional(adapter),
        ])
    }
}

extension [PageHistoryRow] {
    /// The body of `/history`.
    public var json: PageValue { .members(["schema": .integer(1), "attempts": .list(map(\.json))]) }
}

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
