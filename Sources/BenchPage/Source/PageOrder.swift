package import Bytes
package import Tray

package struct PageOrders: Hashable, Sendable {
    package var orders: [PageOrder]
    /// The latest runs of the bench, the latest first; empty for a work server, which has no runs.
    package var runs: [PageRun]
    /// The firmware that a new order may name; empty if no order can be created here.
    package var choices: [FirmwareChoice]

    package init(_ orders: [PageOrder], runs: [PageRun] = [], choices: [FirmwareChoice] = []) {
        (self.orders, self.runs, self.choices) = (orders, runs, choices)
    }

    /// The body of `/orders`.
    package var json: JSONValue {
        .members([
            "schema": .integer(1), "orders": .list(orders.map(\.json)), "runs": .list(runs.map(\.json)),
            "choices": .list(choices.map { .members(["id": .text($0.id), "name": .text($0.name)]) }),
        ])
    }
}

package struct PageOrder: Hashable, Sendable {
    package var number: String
    /// Its state, by the work server's names: `draft`, `golden`, `open`, `held`, `done`, `cancelled`.
    package var state: String
    package var heldReason: String?
    package var heldSince: RecordedTime?
    package var expected: Int?
    package var counts: [UnitStatus: Int] = [:]
    package var figures = YieldFigures()
    /// The causes of its failures, the most frequent first.
    package var troubles: [PageTrouble] = []
    /// The benches that have worked on it.
    package var benches: [String] = []
    /// The firmware of its units, in words.
    package var firmware: String?
    /// When it was created; of a journal's order, when its first run began.
    package var began: RecordedTime?
    /// When and by whom it was last released.
    package var released: RecordedTime?
    package var releasedBy: String?
    /// What an approver can do with it here.
    package var actions: Set<OrderAction.Kind> = []

    package init(number: String, state: String) { (self.number, self.state) = (number, state) }

    var json: JSONValue {
        .members([
            "number": .text(number), "state": .text(state), "held_reason": .optional(heldReason),
            "held_since": heldSince?.json, "expected": expected.map(JSONValue.integer),
            "counts": .keyed(counts.map { ($0.rawValue, .integer($1)) }),
            "first_pass": figures.firstPass.json, "final": figures.final.json,
            "troubles": .list(troubles.map(\.json)), "benches": .list(benches.map(JSONValue.text)),
            "firmware": .optional(firmware), "began": began?.json, "released": released?.json,
            "released_by": .optional(releasedBy),
            "actions": .list(OrderAction.Kind.allCases.filter(actions.contains).map { .text($0.rawValue) }),
        ])
    }
}

/// A run in the plot of yields.
package struct PageRun: Hashable, Sendable {
    package var id: String
    package var order: String?
    package var began: RecordedTime
    package var figures: YieldFigures

    package init(id: String, order: String?, began: RecordedTime, figures: YieldFigures) {
        (self.id, self.order, self.began, self.figures) = (id, order, began, figures)
    }

    var json: JSONValue {
        .members([
            "id": .text(id), "order": .optional(order), "began": began.json,
            "first_pass": figures.firstPass.json, "final": figures.final.json,
        ])
    }
}

package struct YieldFigures: Hashable, Sendable {
    package var firstPass: Yield
    package var final: Yield

    package init(firstPass: Yield = Yield(0, of: 0), final: Yield = Yield(0, of: 0)) {
        (self.firstPass, self.final) = (firstPass, final)
    }

    package init(_ counts: UnitCounts) {
        self.init(firstPass: counts.firstPassYield, final: counts.finalYield)
    }

    mutating func add(_ other: YieldFigures) {
        firstPass = firstPass + other.firstPass
        final = final + other.final
    }
}

/// Units of an order that failed for one reason.
package struct PageTrouble: Hashable, Sendable {
    package var code: String
    package var units: Int
    package var cause: String?
    package var nextStep: String?

    package init(_ code: String, units: Int, cause: String? = nil, nextStep: String? = nil) {
        (self.code, self.units, self.cause, self.nextStep) = (code, units, cause, nextStep)
    }

    var json: JSONValue {
        .members([
            "code": .text(code), "units": .integer(units), "cause": .optional(cause),
            "next_step": .optional(nextStep),
        ])
    }
}

package struct FirmwareChoice: Hashable, Sendable {
    package let id: String
    package let name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}
