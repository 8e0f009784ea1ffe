import Tray
import Work

extension WorkFact {
    static var stations: [WorkFact] {
        [
            WorkFact("the work server reports up to which number it has all results") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let results = (0..<4).map { _ in bench.result(nil, key: names.key("x")) }
                _ = try await bench.source.deliver([results[0], results[1], results[3]])
                try require(try await bench.sendHeartbeat().contiguous, is: 2)
                _ = try await bench.source.deliver([results[2]])
                try require(try await bench.sendHeartbeat().contiguous, is: 4)
            },
            WorkFact("a journal of another station is refused") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let copy = Bench(
                    try await engine.source(), names.station("s2"), incarnation: bench.identity.incarnation)
                try await requireRefusal(.workServer.journalCopied) { try await copy.sendHeartbeat() }
                let moved = Bench(
                    try await engine.source(), bench.identity.name, incarnation: bench.identity.incarnation,
                    machine: "m2")
                try await requireRefusal(.workServer.journalCopied) { try await moved.sendHeartbeat() }
                try await bench.sendHeartbeat()
            },
            WorkFact("a journal that ends before what it has sent is refused") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                for _ in 0..<3 { try await bench.deliver(bench.result(nil, key: names.key("x"))) }
                try await requireRefusal(.workServer.journalRestored) {
                    try await bench.sendHeartbeat(last: 2)
                }
                try await bench.sendHeartbeat()
                let new = Bench(bench.source, bench.identity.name)
                try require(try await new.sendHeartbeat().contiguous, is: 0)
            },
            WorkFact("a station gets nothing before its first heartbeat") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = Bench(try await engine.source(), names.station("s1"))
                let claim = WorkClaim(order: order, key: names.key("x"), epoch: 1)
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    _ = try await bench.claim(order)
                }
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    _ = try await bench.source.renew([claim], for: .seconds(60))
                }
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    try await bench.source.release([claim])
                }
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    try await bench.deliver(claim)
                }
            },
            WorkFact("a station at work is refused with another journal, and accepted once it has no units") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                let twin = Bench(try await engine.source(), bench.identity.name)
                try await requireRefusal(.workServer.stationAtWork) { try await twin.sendHeartbeat() }
                try await bench.sendHeartbeat()
                try await bench.deliver(claim)
                try await twin.sendHeartbeat()
            },
            WorkFact("of two journals of a station only one claims, though both have sent heartbeats before")
            {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(2)))
                let bench = try await engine.bench(names.station("s1"))
                let twin = Bench(try await engine.source(), bench.identity.name)
                try await twin.sendHeartbeat()
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    _ = try await bench.claim(order)
                }
                try await bench.sendHeartbeat()
                let claim = try await bench.claim(order).first
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    _ = try await twin.claim(order)
                }
                try await requireRefusal(.workServer.stationAtWork) { try await twin.sendHeartbeat() }
                try require(try await bench.deliver(claim), is: .stored(.current))
            },
            WorkFact("an unreachable bench with units remains that station, however long") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                _ = try await bench.source.claim(
                    ClaimRequest(order, beacons: nil, most: 1, for: .seconds(3600)))
                try await engine.passMinutes(without: bench.identity.name)
                let other = Bench(try await engine.source(), bench.identity.name, machine: "m2")
                try await requireRefusal(.workServer.stationTaken) { try await other.sendHeartbeat() }
            },
            WorkFact("a station's name is one machine's at a time") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let twin = Bench(try await engine.source(), bench.identity.name, machine: "m2")
                try await requireRefusal(.workServer.stationTaken) { try await twin.sendHeartbeat() }
                try await requireRefusal(.workServer.stationNotGreeted, .unready) {
                    try await twin.deliver(nil)
                }
                try await bench.sendHeartbeat()
                let nameless = Bench(try await engine.source(), "line 1")
                try await requireRefusal(.workServer.stationName) { try await nameless.sendHeartbeat() }
            },
        ]
    }
}
