import Tray
import UpdateModel
import Work

extension WorkFact {
    static var claiming: [WorkFact] {
        [
            WorkFact("units are claimed in order, each once") { engine, names in
                let (order, keys) = (names.order("A"), names.keys(5))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let first = try await bench.claim(order, most: 2)
                try require(first.keys, is: Array(keys[..<2]))
                try require(first.grants.map(\.claim.epoch), is: [1, 1])
                try require(first.grants.map(\.wasClaimedBefore), is: [false, false])
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
            WorkFact("a denied claim has a reason") { engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, units: Array(keys[..<3])))
                let (one, other) = try await engine.benches(names)
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
            WorkFact("without listed units, beacons become units until there are enough") {
                engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, expected: 2))
                let (one, other) = try await engine.benches(names)
                try require(try await one.claim(order).keys, is: [])
                try require(try await one.claim(order, [[keys[0]]]).keys, is: [keys[0]])
                let answer = try await other.claim(order, keys.map { [$0] })
                try require(answer.keys, is: [keys[1]])
                try require(answer.reason(of: keys[2]), is: .full)
                try require(answer.reason(of: keys[3]), is: .full)
            },
            WorkFact("no more is granted than was requested") { engine, names in
                let order = names.order("A")
                let keys = names.keys(4)
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let answer = try await bench.claim(order, [[keys[3]], [keys[1]], [keys[0]]], most: 2)
                try require(Set(answer.keys), is: [keys[3], keys[1]])
                try require(try await bench.claim(order, nil, most: 0).keys, is: [])
            },
            WorkFact("a grant has the key by which the beacon was requested") { engine, names in
                let order = names.order("A")
                let (id, address) = (names.key("x"), names.key("address"))
                var plan = ContractOrder(order, units: names.keys(1))
                plan.units?.append([id, address])
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                let unknown = names.key("new")
                let grant = try await bench.claim(order, [[unknown, address]]).grants.first
                try require(grant?.claim.key, is: id)
                try require(grant?.requestedKey, is: unknown)
                let next = try await bench.claim(order).grants.first
                try require(next?.requestedKey, is: next?.claim.key)
            },
            WorkFact("a beacon that is requested twice is granted once") { engine, names in
                let order = names.order("A")
                let (id, address) = (names.key("x"), names.key("address"))
                var plan = ContractOrder(order, units: [])
                plan.units = [[id, address]]
                try await engine.make(plan)
                let bench = try await engine.bench(names.station("s1"))
                let grants = try await bench.claim(order, [[id], [address], [address, id]]).grants
                try require(grants.map(\.claim.epoch), is: [1])
            },
        ]
    }
}
