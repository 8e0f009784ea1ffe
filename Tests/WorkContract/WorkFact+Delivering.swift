import ByteCoding
import Digests
import Tray
import WorkOrders

extension WorkFact {
    static var delivering: [WorkFact] {
        [
            WorkFact("a result is stored once, however often it is sent") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let result = bench.result(try await bench.claim(order).first)
                try require(try await bench.deliver(result), is: .stored(.current))
                try require(try await bench.deliver(result), is: .duplicate(.current))
                var other = result
                other.body = "{}"
                other.sha256 = HexText.encode(SHA256Digest.digest("{}".utf8))
                guard case .refused("result-id-conflict", _) = try await bench.deliver(other) else {
                    throw BrokenFact("other content was taken under the same id")
                }
            },
            WorkFact("a result under an old claim is kept, and moves nothing") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let (one, other) = (
                    try await engine.bench(names.station("s1")), try await engine.bench(names.station("s2"))
                )
                let old = try await one.claim(order).first
                try await engine.endLeases(of: order)
                let new = try await other.claim(order).first
                try require(try await one.deliver(old, .failed), is: .stored(.late))
                try require(
                    try await other.source.renew([new], for: .seconds(60)), is: [.renewed(for: .seconds(60))])
                try require(try await other.deliver(new), is: .stored(.current))
                try require(try await one.claim(order).order.state, is: .done)
            },
            WorkFact("a result whose time was over is current where nobody has the unit") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let claim = try await bench.claim(order).first
                try await engine.endLeases(of: order)
                try require(try await bench.deliver(claim), is: .stored(.current))
            },
            WorkFact("a result of nothing that the engine knows is kept") { engine, names in
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
            WorkFact("a result that cannot be kept does not keep the others") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(3)))
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                var wrongHash = bench.result(claims[1])
                wrongHash.body += " "
                let results = [
                    bench.result(claims[0]), bench.result(claims[1], body: "{\"a\":"), wrongHash,
                    bench.result(
                        claims[1], body: "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}"),
                    bench.result(claims[1], body: "{\"a\":\"\0\"}"), bench.result(claims[1], body: "[]"),
                    bench.result(claims[2], body: "{\"a\":\"\\u0000 {,\\\\} \\\"NULL\\\" \u{1F600}\"}"),
                ]
                let answers = try await bench.source.deliver(results)
                let isKept = answers.map { if case .stored(.current) = $0 { true } else { false } }
                try require(isKept, is: [true, false, false, false, false, false, true])
                let codes = answers.compactMap { if case .refused(let code, _) = $0 { code } else { nil } }
                try require(
                    codes,
                    is: [
                        "result-unusable", "result-unusable", "result-too-large", "result-unusable",
                        "result-unusable",
                    ])
                // What was refused is not asked for again.
                try require(try await bench.greet().contiguous, is: 7)
            },
            WorkFact("another result under a number of the journal is refused: it was copied") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(2)))
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                let first = bench.result(claims[0])
                var second = bench.result(claims[1])
                second.sequence = first.sequence
                let answers = try await bench.source.deliver([first, second])
                try require(answers.first, is: .stored(.current))
                guard case .refused("sequence-conflict", _)? = answers.last else {
                    throw BrokenFact("\(answers)")
                }
            },
            WorkFact("results of one call are answered in their order, however many") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let results = (0..<450).map { _ in bench.result(nil, key: names.key("x")) }
                var again = results
                again.swapAt(0, 449)
                _ = try await bench.source.deliver(Array(results[..<400]))
                let answers = try await bench.source.deliver(again)
                try require(answers.count, is: 450)
                try require(answers[0], is: .stored(.unplanned))
                try require(answers[1], is: .duplicate(.unplanned))
                try require(answers[449], is: .duplicate(.unplanned))
                try require(try await bench.greet().contiguous, is: 450)
            },
            WorkFact("a failure of the bench leaves the unit waiting, one of the unit does not") {
                engine, names in
                let (order, keys) = (names.order("A"), names.keys(5))
                try await engine.make(ContractOrder(order, units: keys))
                let bench = try await engine.bench(names.station("s1"))
                let claims = try await bench.claim(order).grants.map(\.claim)
                for (claim, outcome) in zip(
                    claims, [Outcome.error, .aborted, .skipped, .failed, .unknown])
                { try await bench.deliver(claim, outcome) }
                try require(Set(try await bench.claim(order).keys), is: Set(keys[..<3]))
                try await engine.retryUnits(of: order)
                try require(Set(try await bench.claim(order).keys), is: Set(keys[3...]))
            },
            WorkFact("an order is done when all its units are on their firmware") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, expected: 2))
                let bench = try await engine.bench(names.station("s1"))
                let keys = names.keys(2)
                try await bench.deliver(try await bench.claim(order, [[keys[0]]]).first)
                try require(try await bench.claim(order).order.state, is: .open)
                try await bench.deliver(try await bench.claim(order, [[keys[1]]]).first, .notNeeded)
                try require(try await bench.claim(order).order.state, is: .done)
            },
        ]
    }
}
