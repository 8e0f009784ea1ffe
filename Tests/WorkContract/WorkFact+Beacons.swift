import Bytes
import Tray
import UpdateModel
import Work

extension WorkFact {
    static var beacons: [WorkFact] {
        [
            WorkFact("a beacon of two orders is claimed by one bench only") { engine, names in
                let (first, second) = (names.order("A"), names.order("B"))
                let (id, address) = (names.key("x"), "F0:0D:BE:AC:01:00/random" + names.key(""))
                var listed = ContractOrder(first, units: [])
                listed.units = [[id, address]]
                try await engine.make(listed)
                listed.number = second
                listed.units = [[address]]
                try await engine.make(listed)
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(first).first
                try require(try await other.claim(second).keys, is: [])
                let asked = try await other.claim(second, [[address]])
                guard case .claimedElsewhere(first, one.identity.name, let left)? = asked.reason(of: address)
                else { throw BrokenFact("\(asked.denied)") }
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
            WorkFact("a beacon that a bench has is granted to it again, and the earlier claim ends") {
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
            WorkFact("a beacon that became two units is claimed by one bench only, by any of their keys") {
                engine, names in
                let (order, id, address) = (names.order("A"), names.key("x"), names.key("address"))
                try await engine.make(ContractOrder(order, expected: 2))
                let (one, other) = try await engine.benches(names)
                for key in [address, id] {
                    try await one.source.release([try await one.claim(order, [[key]]).first])
                }
                let claim = try await one.claim(order, [[address, id]]).first
                try require(claim.key, is: address)
                let asked = try await other.claim(order, [[id]])
                guard case .claimed(one.identity.name, _)? = asked.reason(of: id) else {
                    throw BrokenFact("\(asked)")
                }
                try require(try await other.claim(order).keys, is: [])
                try await one.deliver(claim)
                try require(try await other.claim(order, [[id]]).keys, is: [id])
            },
            WorkFact("later known keys of a beacon protect it from another order as well") {
                engine, names in
                let (first, second) = (names.order("A"), names.order("B"))
                let (id, address) = (names.key("x"), names.key("address"))
                try await engine.make(ContractOrder(first, units: [id]))
                try await engine.make(ContractOrder(second, units: [address]))
                let (one, other) = try await engine.benches(names)
                let claim = try await one.claim(first, [[address, id]]).first
                let asked = try await other.claim(second, [[address]])
                guard case .claimedElsewhere(first, one.identity.name, _)? = asked.reason(of: address) else {
                    throw BrokenFact("\(asked)")
                }
                try require(try await other.claim(second).keys, is: [])
                try await one.source.release([claim])
                try require(try await other.claim(second).keys, is: [address])
            },
            WorkFact(
                "a beacon that a bench has by one of its keys is not granted to another bench by another key"
            ) {
                engine, names in
                let (first, second) = (names.order("A"), names.order("B"))
                let (id, address) = (names.key("x"), names.key("address"))
                var listed = ContractOrder(first, units: [])
                listed.units = [[id, address]]
                try await engine.make(listed)
                try await engine.make(ContractOrder(second, units: [address]))
                let (one, other) = try await engine.benches(names)
                try require(try await other.claim(second).keys, is: [address])
                let asked = try await one.claim(first, [[id]])
                guard case .claimedElsewhere(second, other.identity.name, _)? = asked.reason(of: id) else {
                    throw BrokenFact("\(asked)")
                }
            },
            WorkFact("a beacon that a bench has for one order is not granted to it for another") {
                engine, names in
                let (first, second, keys) = (names.order("A"), names.order("B"), names.keys(1))
                for order in [first, second] { try await engine.make(ContractOrder(order, units: keys)) }
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(first).first
                let asked = try await bench.claim(second, [keys])
                guard case .claimedElsewhere(first, bench.identity.name, _)? = asked.reason(of: keys[0])
                else {
                    throw BrokenFact("\(asked)")
                }
                try await bench.deliver(claim)
                try require(try await bench.claim(second, [keys]).keys, is: keys)
            },
            WorkFact("a key has one normal form") { engine, names in
                let order = names.order("A")
                let id = names.key("x")
                let digits = id.utf8.reduce(UInt64(0)) { ($0 &* 31 &+ UInt64($1)) & 0xFF_FFFF_FFFF }
                let address = stride(from: 32, through: 0, by: -8).reduce("F0") {
                    $0 + ":" + HexText.encode([UInt8(truncatingIfNeeded: digits >> UInt64($1))])
                }
                let upper = address.uppercased() + "/random"
                try await engine.make(ContractOrder(order, units: [id.uppercased(), address + "/Random"]))
                let bench = try await engine.bench(names.station("s1"))
                try require(try await bench.claim(order, most: 1).keys, is: [id])
                let grant = try await bench.claim(order, [[address.lowercased() + "/RANDOM"]]).grants.first
                try require(grant?.claim.key, is: upper)
                try require(grant?.requestedKey, is: address.lowercased() + "/RANDOM")
                try require(try await bench.claim(order, [["ID:" + id.dropFirst(3)]]).keys, is: [id])
            },
        ]
    }
}
