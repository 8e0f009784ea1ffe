import Tray
import UpdateModel
import Work

extension WorkFact {
    static var standing: [WorkFact] {
        [
            WorkFact("a result under an old claim is kept, without effect") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let (one, other) = try await engine.benches(names)
                let old = try await one.claim(order).first
                try await engine.endLeases(of: order)
                let new = try await other.claim(order).first
                try require(try await one.deliver(old, .failed), is: .stored(.late))
                try require(
                    try await other.source.renew([new], for: .seconds(60)), is: [.renewed(for: .seconds(60))])
                try require(try await other.deliver(new), is: .stored(.current))
                try require(try await one.claim(order).order.state, is: .done)
            },
            WorkFact("a result after the lease expired is current if no station has the unit") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                try await engine.endLeases(of: order)
                try require(try await bench.deliver(claim), is: .stored(.current))
            },
            WorkFact("a result for an unknown order is kept") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let strange = [
                    bench.result(nil, key: names.key("x")),
                    bench.result(nil, order: order, key: names.key("x")),
                    bench.result(nil, order: names.order("none"), key: names.keys(1)[0]),
                ]
                let answers = try await bench.source.deliver(strange)
                try require(answers, is: Array(repeating: .stored(.unplanned), count: 3))
            },
            WorkFact("a result under a claim that its own bench has replaced is late") { engine, names in
                let order = names.order("A")
                let keys = names.keys(1)
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let old = try await bench.claim(order).first
                let new = try await bench.claim(order, [keys]).first
                try require(try await bench.deliver(old), is: .stored(.late))
                try require(try await bench.deliver(new), is: .stored(.current))
            },
            WorkFact("a result under another bench's claim is late") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(order).first
                try require(try await other.deliver(claim), is: .stored(.late))
                try require(try await one.deliver(claim, .failed), is: .stored(.current))
            },
            WorkFact("a unit that was never claimed accepts a result without a claim, and no other") {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(2))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let alone = bench.result(nil, order: order, key: keys[0])
                try require(try await bench.deliver(alone), is: .stored(.current))
                let answer = try await bench.claim(order, keys.map { [$0] })
                try require(answer.reason(of: keys[0]), is: .done)
                try require(answer.keys, is: [keys[1]])
                let late = bench.result(nil, order: order, key: keys[1])
                try require(try await bench.deliver(late), is: .stored(.late))
            },
            WorkFact(
                "a result under a claim lost by the work server counts unless another station has or reported the unit"
            ) {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(3))
                try await engine.make(ContractOrder(order, units: keys))
                let (one, other) = try await engine.benches(names)
                func forgotten(_ key: String, _ epoch: Int64) -> WorkClaim {
                    .init(order: order, key: key, epoch: epoch)
                }
                try require(try await one.deliver(forgotten(keys[0], 1)), is: .stored(.current))
                try require(try await other.claim(order, [[keys[0]]]).reason(of: keys[0]), is: .done)
                try require(try await one.deliver(forgotten(keys[1], 3), .error), is: .stored(.current))
                // No epoch is assigned twice.
                let new = try await other.claim(order, [[keys[1]]]).first
                try require(new.epoch, is: 4)
                try require(try await one.deliver(forgotten(keys[1], 9)), is: .stored(.late))
                try require(try await other.deliver(new), is: .stored(.current))
                _ = try await other.claim(order, [[keys[2]]])
                try await engine.endLeases(of: order)
                try require(try await one.deliver(forgotten(keys[2], 2)), is: .stored(.current))
                try require(try await one.claim(order).order.state, is: .done)
                // It is unknown which of two worked at it later: the stored result stays.
                let again = names.order("B")
                try await engine.make(ContractOrder(again, units: [keys[0], keys[1]]))
                let broken = try await other.claim(again, [[keys[0]]]).first
                try require(try await other.deliver(broken, .failed), is: .stored(.current))
                let older = WorkClaim(order: again, key: keys[0], epoch: 2)
                try require(try await one.deliver(older), is: .stored(.late))
                // No work server lags that far.
                let far = WorkClaim(order: again, key: keys[1], epoch: 1_000_000)
                try require(try await one.deliver(far), is: .stored(.late))
                try require(try await one.claim(again, [[keys[1]]]).first.epoch, is: 1)
            },
            WorkFact("a result by any key of a unit is the unit's") { engine, names in
                let order = names.order("A")
                let (id, address) = (names.key("x"), names.key("address"))
                try await engine.make(ContractOrder(order, units: [id]))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order, [[id, address]]).first
                let known = WorkClaim(order: order, key: address, epoch: claim.epoch)
                try require(try await bench.deliver(known), is: .stored(.current))
            },
        ]
    }
}
