import Tray
import WorkOrders

extension WorkFact {
    static var claiming: [WorkFact] {
        [
            WorkFact("units are claimed in their sequence, each once") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(5))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let first = try await bench.claim(order, most: 2)
                try require(first.keys, is: Array(keys[..<2]))
                try require(first.grants.map(\.claim.epoch), is: [1, 1])
                try require(first.grants.map(\.wasBegun), is: [false, false])
                try require(try await bench.claim(order).keys, is: Array(keys[2...]))
                try require(try await bench.claim(order).keys, is: [])
            },
            WorkFact("benches that claim at once get different units") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(64))
                try await engine.make(ContractOrder(order, units: keys))
                let got = try await withThrowingTaskGroup(of: [String].self) { group in
                    for number in 0..<16 {
                        group.addTask {
                            let bench = try await engine.bench(names.station("s\(number)"))
                            var got: [String] = []
                            while true {
                                let more = try await bench.claim(order, most: 1).keys
                                if more.isEmpty { return got }
                                got += more
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try require(got.count, is: keys.count)
                try require(Set(got), is: Set(keys))
            },
            WorkFact("a beacon that two orders want is one bench's") { engine, names in
                let (first, second) = (names.order("A"), names.order("B"))
                let (id, address) = (names.key("x"), "F0:0D:BE:AC:01:00/random" + names.key(""))
                var listed = ContractOrder(first, units: [])
                listed.units = [[id, address]]
                try await engine.make(listed)
                listed.number = second
                listed.units = [[address]]
                try await engine.make(listed)
                let (one, other) = (
                    try await engine.bench(names.station("s1")), try await engine.bench(names.station("s2"))
                )
                let claim = try await one.claim(first).first
                try require(try await other.claim(second).keys, is: [])
                let asked = try await other.claim(second, [[address]])
                guard case .claimedElsewhere(first, one.identity.name, let left)? = asked.reason(of: address)
                else { throw BrokenFact("\(asked.withheld)") }
                try require((.seconds(60)...Duration.seconds(120)).contains(left), "\(left) is left")
                try await one.deliver(claim, .error)
                try require(try await other.claim(second, [[address]]).keys, is: [address])
            },
            WorkFact("benches of two orders at once never both get a beacon") { engine, names in
                let keys = names.keys(24)
                let orders = [names.order("A"), names.order("B")]
                for order in orders { try await engine.make(ContractOrder(order, units: keys)) }
                let got = try await withThrowingTaskGroup(of: [String].self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            let bench = try await engine.bench(names.station("s\(number)"))
                            var got: [String] = []
                            for key in number < 4 ? keys : keys.reversed() {
                                got += try await bench.claim(orders[number % 2], [[key]]).keys
                            }
                            return got
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try require(got.count, is: keys.count)
                try require(Set(got), is: Set(keys))
            },
            WorkFact("a beacon is found by any of its keys, and known by all of them from then on") {
                engine, names in
                let order = names.order("A")
                let (id, address) = (names.key("x"), names.key("address"))
                try await engine.make(ContractOrder(order, units: [id]))
                let bench = try await engine.bench(names.station("s1"))
                let answer = try await bench.claim(order, [[address, id]])
                try require(answer.keys, is: [id])
                let other = try await engine.bench(names.station("s2"))
                let again = try await other.claim(order, [[address]])
                guard case .claimed? = again.reason(of: address) else { throw BrokenFact("\(again)") }
            },
            WorkFact("a beacon that a bench has is granted to it anew, and the claim before is none") {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(2))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let first = try await bench.claim(order, [[keys[0]]]).first
                let again = try await bench.claim(order, [[keys[0]]]).first
                try require(again.epoch, is: first.epoch + 1)
                let renewals = try await bench.source.renew([first, again], for: .seconds(90))
                try require(renewals, is: [.lost, .renewed(for: .seconds(90))])
            },
            WorkFact("who is withheld is told why") { engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, units: Array(keys[..<3])))
                let (one, other) = (
                    try await engine.bench(names.station("s1")), try await engine.bench(names.station("s2"))
                )
                let claims = try await one.claim(order).grants.map(\.claim)
                try await one.deliver(claims[0], .passed)
                try await one.deliver(claims[1], .failed, code: "x")
                let answer = try await other.claim(order, keys.map { [$0] })
                try require(answer.grants, is: [])
                try require(answer.reason(of: keys[0]), is: .done)
                try require(answer.reason(of: keys[1]), is: .failed)
                guard case .claimed(one.identity.name, _)? = answer.reason(of: keys[2]) else {
                    throw BrokenFact("\(answer)")
                }
                try require(answer.reason(of: keys[3]), is: .notInOrder)
            },
            WorkFact("where units are not listed, beacons become units until there are enough") {
                engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, expected: 2))
                let (one, other) = (
                    try await engine.bench(names.station("s1")), try await engine.bench(names.station("s2"))
                )
                try require(try await one.claim(order).keys, is: [])
                try require(try await one.claim(order, [[keys[0]]]).keys, is: [keys[0]])
                let answer = try await other.claim(order, keys.map { [$0] })
                try require(answer.keys, is: [keys[1]])
                try require(answer.reason(of: keys[2]), is: .full)
                try require(answer.reason(of: keys[3]), is: .full)
            },
            WorkFact("no more is granted than was asked for") { engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let answer = try await bench.claim(order, [[keys[3]], [keys[1]], [keys[0]]], most: 2)
                try require(Set(answer.keys), is: [keys[3], keys[1]])
                try require(try await bench.claim(order, nil, most: 0).keys, is: [])
            },
            WorkFact("an order that is not worked at grants nothing, and says what it is") { engine, names in
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
                try await requireRefusal("order-unknown") { _ = try await bench.claim(names.order("none")) }
            },
        ]
    }
}
