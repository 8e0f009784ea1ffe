import ByteCoding
import Digests
import WorkOrders

extension WorkFact {
    /// The catalogue is one for all: only what every sequence of facts leaves true is asked.
    static var catalogue: [WorkFact] {
        [
            WorkFact("a catalogue is published as a whole, with its files by their hash") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let bytes = Array("firmware of \(names.key("x"))\0\u{7F}".utf8)
                let version = try await engine.publish([
                    ("catalogue.yaml", bytes), ("files/a.zip", bytes), ("catalogue.seal", [0, 1, 255]),
                ])
                guard let found = try await bench.source.catalogue(since: version - 1) else {
                    throw BrokenFact("there is no catalogue")
                }
                try require(found.version >= version, "version \(found.version) after \(version)")
                let sha256 = HexText.encode(SHA256Digest.digest(bytes))
                try require(try await bench.source.file(sha256), is: bytes)
                try await requireRefusal("file-unknown") {
                    _ = try await bench.source.file(String(repeating: "0", count: 64))
                }
            },
            WorkFact("firmware that was recalled is not worked with") { engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let sha256 = try await engine.put(Array("bad \(names.key("x"))".utf8))
                let version = try await engine.publish([("catalogue.yaml", Array(names.key("y").utf8))])
                var file = ContractOrder(names.order("A"), units: names.keys(1))
                file.firmware = .file(name: "a.zip", sha256: sha256)
                try await engine.make(file)
                var catalogue = ContractOrder(names.order("B"), units: [names.key("z")])
                catalogue.firmware = .catalogue(version: version, withBeta: true)
                try await engine.make(catalogue)
                try require(
                    try await bench.claim(file.number, most: 0).order.firmware, is: file.firmware)
                try require(
                    try await bench.claim(catalogue.number, most: 0).order.firmware, is: catalogue.firmware)
                try await engine.recall(sha256, because: "it bricks")
                try await engine.withdraw(version, because: "it bricks too")
                for order in [file.number, catalogue.number] {
                    try await requireRefusal("firmware-recalled") { _ = try await bench.claim(order) }
                }
                let told = try await bench.source.catalogue(since: version)
                try require(told?.recalledFiles[sha256], is: "it bricks")
            },
        ]
    }
}
