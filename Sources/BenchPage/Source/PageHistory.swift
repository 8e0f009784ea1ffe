public import Tray

/// Which attempts are asked for.
public struct PageHistoryQuery: Hashable, Sendable {
    /// At most so many.
    public var limit: Int
    /// With this in their slot, address, id, name, order or code; empty for any.
    public var text: String
    /// That ended so; nil for any.
    public var outcome: Outcome?

    /// At most 500 of them, whatever is asked for.
    public init(limit: Int = 100, text: String = "", outcome: Outcome? = nil) {
        self.limit = Swift.max(1, Swift.min(500, limit))
        self.text = String(text.prefix(128))
        self.outcome = outcome
    }
}

/// An attempt that was made.
public struct PageHistoryRow: Hashable, Sendable {
    /// When it began.
    public var began: RecordedTime
    /// The bench, the order and the place.
    public var station: String?
    /// The order.
    public var order: String?
    /// The place in the tray.
    public var slot: String
    /// The address with its kind.
    public var address: String?
    /// As it advertised itself.
    public var name: String?
    /// Counted for the unit, from 1.
    public var attempt: Int
    /// How it ended; nil where it was cut off.
    public var outcome: Outcome?
    /// Why.
    public var code: String?
    /// How long it took.
    public var seconds: Double?
    /// The version before, and after.
    public var versionBefore: String?
    /// The version that was seen afterwards.
    public var version: String?
    /// The adapter.
    public var adapter: String?

    /// An attempt at the unit in `slot`.
    public init(slot: String, attempt: Int, began: RecordedTime) {
        (self.slot, self.attempt, self.began) = (slot, attempt, began)
    }

    /// What the journal has of it.
    public init(run: TrayRecord, unit: UnitRecord, attempt: AttemptRecord) {
        self.init(slot: unit.slot, attempt: attempt.number, began: attempt.began)
        (station, order, address, name) = (
            run.station, run.orderNumber, unit.address ?? attempt.address, unit.name
        )
        (outcome, code, seconds) = (attempt.verdict?.outcome, attempt.verdict?.code, attempt.seconds)
        (versionBefore, version, adapter) = (attempt.versionBefore, attempt.versionAfter, attempt.adapter)
    }

    /// Whether it is one of those that `query` asks for, but for how many.
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
    /// As `/history` answers.
    public var json: PageValue { .members(["schema": .integer(1), "attempts": .list(map(\.json))]) }
}
