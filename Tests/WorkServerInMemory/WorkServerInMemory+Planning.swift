import Tray
import UpdateModel
package import Work

/// Operations on orders by people.
extension WorkServerInMemory {
    /// Adds an active order as described by `order`, with units of `keys`.
    package func add(_ order: WorkOrder, units keys: [String]) {
        work { state, _ in
            var plan = WorkServerOrder(order.number, order.firmware)
            plan.sheet = order
            state.add(plan, units: keys.map { [$0] })
        }
    }

    /// Adds an order with units, each with all its keys. It waits for its release.
    package func make(_ order: WorkServerOrder, units keys: [[String]]) {
        work { state, _ in state.add(order, units: keys) }
    }

    /// Releases or resumes an order: with only the first units until enough have passed.
    package func release(_ number: String) throws(WorkError) {
        try change(number, in: [.draft, .held]) { (order, state) throws(WorkError) in
            try state.requireNotRecalled(order.sheet.firmware, "releasing an order")
            order.judged = []
            order.go(state.passed(of: number) < order.golden ? .golden : .open)
        }
    }

    /// Holds an order: no further unit begins.
    package func hold(_ number: String, because reason: String) throws(WorkError) {
        try change(number, in: [.golden, .open]) { order, _ in order.hold("asked", reason) }
    }

    /// Cancels an order.
    package func cancel(_ number: String) throws(WorkError) {
        try change(number, in: [.draft, .golden, .open, .held]) { order, _ in order.go(.cancelled) }
    }

    /// Allows another attempt for all failed units of an order.
    package func retryUnits(of number: String) throws(WorkError) {
        try change(number, in: [.golden, .open, .held]) { _, state in
            for index in state.units.indices
            where state.units[index].order == number && state.units[index].state == .failed {
                (state.units[index].state, state.units[index].failures) = (.waiting, 0)
            }
        }
    }

    private func change(
        _ number: String, in states: Set<OrderState>,
        _ body: (inout WorkServerOrder, inout WorkServerState) throws(WorkError) -> Void
    ) throws(WorkError) {
        try work { (state, _) throws(WorkError) in
            var order = try state.order(number, "changing an order")
            guard states.contains(order.sheet.state) else {
                throw .refusal(
                    .workServer.orderState, "changing an order", "\(number) is \(order.sheet.state)")
            }
            try body(&order, &state)
            state.orders[number] = order
        }
    }
}

extension WorkServerState {
    fileprivate mutating func add(_ order: WorkServerOrder, units keys: [[String]]) {
        let number = order.sheet.number
        orders[number] = order
        units += keys.map { WorkServerUnit(number, $0.map(\.normalKey)) }
    }

    func order(_ number: String, _ during: String) throws(WorkError) -> WorkServerOrder {
        guard let order = orders[number] else {
            throw .refusal(.station.orderUnknown, during, "there is no order \(number)")
        }
        return order
    }

    /// The number of units that ran through the whole update. Units that needed none do not count for the firmware.
    func passed(of number: String) -> Int {
        units.count { $0.order == number && $0.state == .verified && $0.outcome == .passed }
    }
}
