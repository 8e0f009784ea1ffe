package import Bytes
package import Tray
package import UpdateModel

package struct PageHistoryQuery: Hashable, Sendable {
    package var limit: Int
    /// A text to find in slot, address, name, id, order, code or station; empty matches all.
    package var text: String
    package var outcome: UnitOutcome?

    /// Creates a query; `limit` is clamped to 1...500, and `text` cut to 128 characters.
    package init(limit: Int = 100, text: String = "", outcome: UnitOutcome? = nil) {
        self.limit = Swift.max(1, Swift.min(500, limit))
        self.text = String(text.prefix(128))
        self.outcome = outcome
    }
}

package struct PageHistoryRow: Hashable, Sendable {
    package var began: RecordedTime
    package var station: String?
    package var order: String?
    package var slot: String
    /// The address with its kind.
    package var address: String?
    package var name: String?
    /// What identifies the unit, as the tray names it; for the search only.
    package var id: String?
    /// The number of the attempt among those at the unit, from 1.
    package var attempt: Int
    /// How it ended; nil if it was cut off.
    package var outcome: UnitOutcome?
    package var code: String?
    package var cause, nextStep: String?
    package var seconds: Double?
    package var versionBefore: String?
    package var version: String?
    package var adapter: String?

    package init(slot: String, attempt: Int, began: RecordedTime) {
        (self.slot, self.attempt, self.began) = (slot, attempt, began)
    }

    package init(run: TrayRecord, unit: UnitRecord, attempt: AttemptRecord) {
        self.init(slot: unit.slot, attempt: attempt.number, began: attempt.began)
        (station, order, address, name) = (
            run.station, run.orderNumber, unit.address ?? attempt.address, unit.name
        )
        id = unit.identifier
        (outcome, code, seconds) = (attempt.verdict?.outcome, attempt.verdict?.code, attempt.seconds)
        (cause, nextStep) = (attempt.verdict?.message, attempt.verdict?.nextStep)
        (versionBefore, version, adapter) = (attempt.versionBefore, attempt.versionAfter, attempt.adapter)
    }

    /// Whether it matches `query`, apart from the limit.
    package func matches(_ query: PageHistoryQuery) -> Bool {
        guard query.outcome == nil || outcome == query.outcome else { return false }
        guard !query.text.isEmpty else { return true }
        let words = [slot, address, name, id, order, code, station].compactMap(\.self).joined(separator: " ")
        return words.lowercased().contains(query.text.lowercased())
    }

    var json: JSONValue {
        .members([
            "began": began.json, "station": .optional(station), "order": .optional(order),
            "slot": .text(slot), "address": .optional(address), "name": .optional(name),
            "attempt": .integer(attempt), "outcome": .optional(outcome?.rawValue), "code": .optional(code),
            "cause": .optional(cause), "next_step": .optional(nextStep), "seconds": .rounded(seconds),
            "version_from": .optional(versionBefore), "version": .optional(version),
            "adapter": .optional(adapter),
        ])
    }
}

extension [PageHistoryRow] {
    /// The body of `/history`.
    package var json: JSONValue { .members(["schema": .integer(1), "attempts": .list(map(\.json))]) }
}
