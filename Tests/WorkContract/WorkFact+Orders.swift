import Tray
import UpdateModel
import Work

extension WorkFact {
    static var orders: [WorkFact] {
        [
            WorkFact("an order that is not active grants nothing, and has its state") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(2)))
                let bench = try await engine.bench(names.station("s1"))
                try await engine.hold(order, because: "wrong labels")
                let held = try await bench.claim(order)
                try require(held.grants, is: [])
                try require(held.order.state, is: .held)
                try require(held.order.heldReason?.contains("wrong labels") == true, "\(held.order)")
                try await engine.cancel(order)
                try require(try await bench.claim(order).order.state, is: .cancelled)
                try await requireRefusal(.station.orderUnknown) {
                    _ = try await bench.claim(names.order("none"))
                }
            },
            WorkFact("a unit gets as many attempts as its order allows") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(1))
                plan.attempts = 2
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                try await bench.deliver(try await bench.claim(order).first, .failed)
                try await bench.deliver(try await bench.claim(order).first, .failed)
                try require(try await bench.claim(order).grants, is: [])
            },
            WorkFact("a failure of the bench leaves the unit waiting, one of the unit does not") {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(5))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                for (claim, outcome) in zip(
                    claims, [UnitOutcome.error, .aborted, .skipped, .failed, .unknown])
                { try await bench.deliver(claim, outcome) }
                try require(Set(try await bench.claim(order).keys), is: Set(keys[..<3]))
                try await engine.retryUnits(of: order)
                try require(Set(try await bench.claim(order).keys), is: Set(keys[3...]))
            },
            WorkFact("an order is done when all its units have their firmware") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, expected: 2))
                let bench = try await engine.bench(names.station("s1"))
                let keys = names.keys(2)
                try await bench.deliver(try await bench.claim(order, [[keys[0]]]).first)
                try require(try await bench.claim(order).order.state, is: .open)
                try await bench.deliver(try await bench.claim(order, [[keys[1]]]).first, .notNeeded)
                try require(try await bench.claim(order).order.state, is: .done)
            },
            WorkFact("a unit that a person retries has all its attempts again") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(1))
                plan.attempts = 2
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                for _ in 0..<2 {
                    for _ in 0..<2 { try await bench.deliver(try await bench.claim(order).first, .failed) }
                    try require(try await bench.claim(order).grants, is: [])
                    try await engine.retryUnits(of: order)
                }
                try require(try await bench.claim(order).grants.map(\.claim.epoch), is: [5])
            },
            WorkFact("running units of a cancelled order are completed") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(1))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                try await engine.cancel(order)
                try require(
                    try await bench.source.renew([claim], for: .seconds(60)),
                    is: [.renewed(for: .seconds(60))])
                try require(try await bench.deliver(claim), is: .stored(.current))
                try require(try await bench.claim(order, [keys]).order.state, is: .cancelled)
            },
            WorkFact("an order that is held is done with its last unit") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                try await engine.hold(order, because: "lunch")
                try await bench.deliver(claim)
                let told = try await bench.claim(order).order
                try require(told.state, is: .done)
                try require(told.heldReason, is: nil)
            },
            WorkFact("a unit that fails after it has passed opens its order again") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                try await bench.deliver(claim)
                try require(try await bench.claim(order).order.state, is: .done)
                try require(try await bench.deliver(claim, .failed), is: .stored(.current))
                try require(try await bench.claim(order).order.state, is: .open)
                try await engine.retryUnits(of: order)
                try require(try await bench.claim(order).grants.count, is: 1)
            },
            WorkFact("a finished unit stays so when a bench aborts") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(2))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order, keys.map { [$0] }).grants.map(\.claim)
                try await bench.deliver(claims[0])
                try await bench.deliver(claims[1], .failed)
                for (claim, outcome) in [(claims[0], UnitOutcome.error), (claims[1], .skipped)] {
                    try require(try await bench.deliver(claim, outcome), is: .stored(.current))
                }
                let again = try await bench.claim(order, keys.map { [$0] })
                try require(again.grants.count, is: 0)
                try require(again.denied.map(\.reason), is: [.done, .failed])
            },
        ]
    }
}
