import Tray
import UpdateModel
import Work

extension WorkFact {
    static var golden: [WorkFact] {
        [
            WorkFact(
                "only the first units are worked at until they have passed and a person has released the rest"
            ) {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(6))
                var plan = ContractOrder(order, units: keys)
                plan.golden = 2
                try await engine.make(plan)
                let (one, other) = try await engine.benches(names)
                let claims = try await one.claim(order).grants.map(\.claim)
                try require(claims.count, is: 2)
                let more = try await other.claim(order)
                try require(more.grants, is: [])
                try require(more.order.state, is: .golden)
                try await one.deliver(claims[0])
                // The bench has failed, not the unit: another may try it.
                try await one.deliver(claims[1], .error)
                let last = try await other.claim(order).first
                try await other.deliver(last)
                let held = try await one.claim(order)
                try require(held.order.state, is: .held)
                try require(held.order.heldReason?.hasPrefix("golden-passed") == true, "\(held.order)")
                try await engine.release(order)
                try require(try await one.claim(order).grants.count, is: 4)
            },
            WorkFact("a first unit that a bench has is granted to it again") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(3))
                var plan = ContractOrder(order, units: keys)
                plan.golden = 1
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                _ = try await bench.claim(order, [[keys[0]]])
                let again = try await bench.claim(order, [[keys[1]], [keys[0]]])
                try require(again.grants.map(\.claim), is: [.init(order: order, key: keys[0], epoch: 2)])
            },
            WorkFact("a first unit that fails holds the order") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(3))
                plan.golden = 1
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                try await bench.deliver(try await bench.claim(order).first, .failed, code: "refused")
                let held = try await bench.claim(order)
                try require(held.order.state, is: .held)
                try require(held.order.heldReason?.hasPrefix("golden-failed") == true, "\(held.order)")
                try await engine.release(order)
                let next = try await bench.claim(order)
                try require(next.order.state, is: .golden)
                try require(next.grants.count, is: 1)
            },
            WorkFact("a unit that needed no update is not a first unit") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(3))
                plan.golden = 1
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                try await bench.deliver(try await bench.claim(order).first, .notNeeded)
                let next = try await bench.claim(order)
                try require(next.order.state, is: .golden)
                try require(next.grants.count, is: 1)
            },
        ]
    }

    static var holding: [WorkFact] {
        [
            WorkFact("consecutive failures hold an order, over all benches") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(8))
                plan.consecutive = 3
                try await engine.make(plan)
                let (one, other) = try await engine.benches(names)
                let claims = try await one.claim(order, most: 4).grants.map(\.claim)
                let others = try await other.claim(order, most: 1).grants.map(\.claim)
                try await one.deliver(claims[0], .failed, code: "a")
                try await one.deliver(claims[1], .unknown, code: "b")
                // That does not concern a unit.
                try await one.deliver(claims[2], .error, code: "c")
                try require(try await one.claim(order, most: 0).order.state, is: .open)
                try await other.deliver(others[0], .failed, code: "d")
                let held = try await one.claim(order)
                try require(held.order.state, is: .held)
                try require(held.order.heldReason?.hasPrefix("consecutive-failures") == true, "\(held.order)")
                // Running ones continue.
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
                for (claim, outcome) in zip(claims, [UnitOutcome.failed, .passed, .passed, .passed, .failed])
                {
                    try await bench.deliver(claim, outcome)
                }
                try require(try await bench.claim(order, most: 0).order.state, is: .open)
                try await bench.deliver(claims[5], .failed)
                let held = try await bench.claim(order, most: 0).order
                try require(held.heldReason?.hasPrefix("failure-share") == true, "\(held)")
            },
            WorkFact("results with the same cause hold an order, whether of unit or bench") { engine, names in
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
            WorkFact("a unit that needed no update does not count as tried") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(5))
                plan.consecutive = 2
                plan.share = (3, 3)
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                for (claim, outcome) in zip(claims, [UnitOutcome.failed, .notNeeded, .skipped]) {
                    try await bench.deliver(claim, outcome, code: "a")
                }
                try require(try await bench.claim(order, most: 0).order.state, is: .open)
                try await bench.deliver(claims[3], .failed, code: "b")
                let held = try await bench.claim(order, most: 0).order
                try require(held.heldReason?.hasPrefix("consecutive-failures") == true, "\(held)")
            },
            WorkFact("a late result holds nothing") { engine, names in
                let order = names.order("A")
                var plan = ContractOrder(order, units: names.keys(2))
                plan.consecutive = 1
                try await engine.make(plan)
                let (one, other) = try await engine.benches(names)
                let old = try await one.claim(order, most: 1).first
                try await engine.endLeases(of: order)
                _ = try await other.claim(order, most: 1)
                try await one.deliver(old, .failed)
                try require(try await one.claim(order, most: 0).order.state, is: .open)
            },
        ]
    }
}
