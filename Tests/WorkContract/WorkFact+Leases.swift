import Tray
import Work

extension WorkFact {
    static var leases: [WorkFact] {
        [
            WorkFact("a claim is renewed for a duration, and is lost once another has the unit") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(order).first
                let stale = WorkClaim(order: order, key: claim.key, epoch: claim.epoch + 1)
                let renewed = try await one.source.renew([stale, claim], for: .seconds(90))
                try require(renewed, is: [.lost, .renewed(for: .seconds(90))])
                try require(try await other.source.renew([claim], for: .seconds(90)), is: [.lost])
                try await engine.endLeases(of: order)
                // No other station has claimed it: it is still the station's.
                try require(
                    try await one.source.renew([claim], for: .seconds(90)), is: [.renewed(for: .seconds(90))])
                try await engine.endLeases(of: order)
                let second = try await other.claim(order).first
                try require(second.epoch, is: 2)
                try require(try await one.source.renew([claim], for: .seconds(90)), is: [.lost])
            },
            WorkFact("expired claims go first, and count as begun") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(3))
                try await engine.make(ContractOrder(order, units: keys))
                let (one, other) = try await engine.benches(names)
                try require(try await one.claim(order, [[keys[2]]]).keys, is: [keys[2]])
                try await engine.endLeases(of: order)
                let answer = try await other.claim(order, most: 1)
                try require(answer.keys, is: [keys[2]])
                try require(answer.grants.map(\.wasClaimedBefore), is: [true])
            },
            WorkFact("an expired claim does not keep its beacon from another order") { engine, names in
                let (first, second) = (names.order("A"), names.order("B"))
                let keys = names.keys(1)
                for order in [first, second] { try await engine.make(ContractOrder(order, units: keys)) }
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(first).first
                try await engine.endLeases(of: first)
                try require(try await other.claim(second).keys, is: keys)
                try require(try await one.source.renew([claim], for: .seconds(90)), is: [.lost])
            },
            WorkFact("a returned unit can be claimed at once, and counts as begun") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(order).first
                try await other.source.release([claim])
                try require(try await other.claim(order).keys, is: [])
                try await one.source.release([claim])
                try await one.source.release([claim])
                let grants = try await other.claim(order).grants
                try require(grants.map(\.wasClaimedBefore), is: [true])
                try require(grants.map(\.claim.epoch), is: [2])
            },
            WorkFact("no lease is longer than a day, whatever is requested") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let month = Duration.seconds(31 * 86400)
                let grants = try await bench.claim(order, for: month).grants
                try require(grants.map(\.lease), is: [.seconds(86400)])
                try require(
                    try await bench.source.renew(grants.map(\.claim), for: month),
                    is: [.renewed(for: .seconds(86400))])
            },
        ]
    }
}
