import Bytes
import Tray
import Work

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
                guard case .refused(.workServer.resultIDConflict, _) = try await bench.deliver(other) else {
                    throw BrokenFact("other content was taken under the same id")
                }
            },
            WorkFact("a result that cannot be stored does not prevent the others") { engine, names in
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
                        .workServer.resultUnusable, .workServer.resultUnusable, .workServer.resultTooLarge,
                        .workServer.resultUnusable,
                        .workServer.resultUnusable,
                    ])
                // Refused results are not requested again.
                try require(try await bench.sendHeartbeat().contiguous, is: 7)
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
                guard case .refused(.workServer.sequenceConflict, _)? = answers.last else {
                    throw BrokenFact("\(answers)")
                }
            },
            WorkFact("results of one call are answered in order, however many") { engine, names in
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
                try require(try await bench.sendHeartbeat().contiguous, is: 450)
            },
            WorkFact("a result that comes over several lines at once is stored once") { engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let result = bench.result(try await bench.claim(order).first)
                let answers = try await withThrowingTaskGroup(of: DeliveryAnswer.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            let line = try await engine.source()
                            _ = try await line.sendHeartbeat(bench.report())
                            return try await line.deliver([result])[0]
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try require(answers.count { $0 == .stored(.current) }, is: 1)
                try require(answers.count { $0 == .duplicate(.current) }, is: 7)
            },
            WorkFact("a result that comes again under another journal's number leaves no gap") {
                engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let result = bench.result(nil, key: names.key("x"))
                try await bench.deliver(result)
                // Its journal was lost, and another run has recorded it again.
                let new = Bench(bench.source, bench.identity.name)
                try await new.sendHeartbeat()
                _ = new.result(nil)
                try require(try await new.deliver(result), is: .duplicate(.unplanned))
                try await new.deliver(new.result(nil, key: names.key("y")))
                try require(try await new.sendHeartbeat().contiguous, is: 2)
            },
            WorkFact("a result without a UUID or a number is refused") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                var (nameless, numberless) = (bench.result(nil, key: "x"), bench.result(nil, key: "x"))
                nameless.id = "result 1"
                numberless.sequence = 0
                for result in [nameless, numberless] {
                    guard case .refused(.workServer.resultUnusable, _) = try await bench.deliver(result)
                    else {
                        throw BrokenFact("it was taken: \(result)")
                    }
                }
            },
        ]
    }
}
