import Tray
import WorkOrders

extension WorkFact {
    static var stations: [WorkFact] {
        [
            WorkFact("the engine says up to which number it has all results") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let results = (0..<4).map { _ in bench.result(nil, key: names.key("x")) }
                _ = try await bench.source.deliver([results[0], results[1], results[3]])
                try require(try await bench.greet().contiguous, is: 2)
                _ = try await bench.source.deliver([results[2]])
                try require(try await bench.greet().contiguous, is: 4)
            },
            WorkFact("a journal of another station is refused") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let copy = Bench(
                    try await engine.source(), names.station("s2"), incarnation: bench.identity.incarnation)
                try await requireRefusal("journal-copied") { try await copy.greet() }
                let moved = Bench(
                    try await engine.source(), bench.identity.name, incarnation: bench.identity.incarnation,
                    machine: "m2")
                try await requireRefusal("journal-copied") { try await moved.greet() }
                try await bench.greet()
            },
            WorkFact("a journal that ends before what it has sent is refused") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                for _ in 0..<3 { try await bench.deliver(bench.result(nil, key: names.key("x"))) }
                try await requireRefusal("journal-restored") { try await bench.greet(last: 2) }
                try await bench.greet()
                let new = Bench(bench.source, bench.identity.name)
                try require(try await new.greet().contiguous, is: 0)
            },
            WorkFact("who has not greeted gets nothing") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = Bench(try await engine.source(), names.station("s1"))
                try await requireRefusal("station-not-greeted", .unready) { _ = try await bench.claim(order) }
            },
        ]
    }

    static var holding: [WorkFact] {
        [
            WorkFact("failures in a row hold an order, over all benches") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(8))
                plan.consecutive = 3
                try await engine.make(plan)
                let (one, other) = (
                    try await engine.bench(names.station("s1")), try await engine.bench(names.station("s2"))
                )
                let claims = try await one.claim(order, most: 4).grants.map(\.claim)
                let others = try await other.claim(order, most: 1).grants.map(\.claim)
                try await one.deliver(claims[0], .failed, code: "a")
                try await one.deliver(claims[1], .unknown, code: "b")
                // That says nothing of a unit.
                try await one.deliver(claims[2], .error, code: "c")
                try require(try await one.claim(order, most: 0).order.state, is: .open)
                try await other.deliver(others[0], .failed, code: "d")
                let held = try await one.claim(order)
                try require(held.order.state, is: .held)
                try require(held.order.heldReason?.hasPrefix("consecutive-failures") == true, "\(held.order)")
                // Those that run go on.
                try require(
                    try await one.source.renew([claims[3]], for: .seconds(60)),
                    is: [.renewed(for: .seconds(60))])
                try await engine.release(order)
                try await one.deliver(claims[3], .failed, code: "e")
                try require(try await one.claim(order, most: 0).order.state, is: .open)
            },
            WorkFact("failures of the last units hold an order") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(6))
                plan.share = (2, 4)
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                for (claim, outcome) in zip(claims, [Outcome.failed, .passed, .passed, .passed, .failed]) {
                    try await bench.deliver(claim, outcome)
                }
                try require(try await bench.claim(order, most: 0).order.state, is: .open)
                try await bench.deliver(claims[5], .failed)
                let held = try await bench.claim(order, most: 0).order
                try require(held.heldReason?.hasPrefix("failure-share") == true, "\(held)")
            },
            WorkFact("ends for the same cause hold an order, whosever it is") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(4))
                plan.sameCause = 2
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                try await bench.deliver(claims[0], .error, code: "no-adapter")
                try await bench.deliver(claims[1], .failed, code: "other")
                try require(try await bench.claim(order, most: 0).order.state, is: .open)
                try await bench.deliver(claims[2], .failed, code: "no-adapter")
                let held = try await bench.claim(order, most: 0).order
                try require(held.heldReason?.hasPrefix("same-cause") == true, "\(held)")
            },
            WorkFact("a unit gets as many attempts as its order says") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(1))
                plan.attempts = 2
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                try await bench.deliver(try await bench.claim(order).first, .failed)
                try await bench.deliver(try await bench.claim(order).first, .failed)
                try require(try await bench.claim(order).grants, is: [])
            },
        ]
    }
}
