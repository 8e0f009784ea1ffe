import Bytes
import Work

extension WorkFact {
    /// All facts share the catalogue, so only what holds after any sequence of facts is checked.
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
                try await requireRefusal(.workServer.fileUnknown) {
                    _ = try await bench.source.file(String(repeating: "0", count: 64))
                }
            },
            WorkFact("recalled firmware is not installed") { engine, names in
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
                    try await requireRefusal(.workServer.firmwareRecalled) {
                        _ = try await bench.claim(order)
                    }
                }
                let told = try await bench.source.catalogue(since: version)
                try require(told?.recalledFiles[sha256], is: "it bricks")
            },
            WorkFact("a catalogue is unchanged after a later one was published or it was recalled") {
                engine, names in
                let bench = try await engine.bench(names.station("s1"))
                let (bytes, sealed) = (Array(names.key("old").utf8), Array(names.key("seal").utf8))
                let version = try await engine.publish([("files/a.zip", bytes), ("catalogue.yaml", sealed)])
                let later = try await engine.publish([("catalogue.yaml", Array(names.key("new").utf8))])
                try require(later > version, "version \(later) after \(version)")
                try await engine.withdraw(version, because: "it bricks")
                let found = try await bench.source.catalogue(version: version)
                try require(found.version, is: version)
                try require(found.recall, is: "it bricks")
                let wanted = [("catalogue.yaml", sealed), ("files/a.zip", bytes)].map { path, bytes in
                    PublishedCatalogue.File(path: path, sha256: HexText.encode(SHA256Digest.digest(bytes)))
                }
                try require(found.files, is: wanted)
                try require(try await bench.source.catalogue(version: later).recall, is: nil)
                try await requireRefusal(.workServer.catalogueUnknown) {
                    _ = try await bench.source.catalogue(version: 1 << 40)
                }
            },
            WorkFact("every claim lists the recalled files, whatever its order installs") {
                engine, names in
                let order = names.order("A")
                try await engine.make(ContractOrder(order, units: names.keys(1)))
                let bench = try await engine.bench(names.station("s1"))
                let sha256 = HexText.encode(SHA256Digest.digest(Array(names.key("bad").utf8)))
                try require(try await bench.claim(order, most: 0).recalledFiles[sha256], is: nil)
                try await engine.recall(sha256, because: "it bricks")
                let answer = try await bench.claim(order)
                try require(answer.recalledFiles[sha256], is: "it bricks")
                try require(answer.grants.count, is: 1)
            },
        ]
    }
}
