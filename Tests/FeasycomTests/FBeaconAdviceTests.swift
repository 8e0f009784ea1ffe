import Bytes
import Feasycom
import TestSupport
import Testing
import UpdateModel

@Suite struct `The findings of an FBeacon file` {
    /// Samples that can be read and sent, with their one note or warning.
    static let odd: [(String, FindingLevel)] = [
        ("model-missing", .warning), ("model-mismatch", .warning), ("model-unknown", .note),
        ("model-ambiguous", .note),
    ]

    @Test(arguments: odd)
    func `name its oddity alone`(_ id: String, _ level: FindingLevel) throws {
        let file = try FBeaconFile(parsing: try Samples.bytes("malformed/fbeacon-\(id).fbu"))
        let findings = file.findings().filter { $0.id != "unauthenticated" }
        #expect(findings.map(\.id) == [id])
        #expect(findings.map(\.level) == [level])
        #expect(findings.map(\.place.offset) == [14])
        #expect(findings.map(\.place.field) == ["modelTypeNum"])
    }

    private func findings(number: UInt16, name: String?) throws -> [String] {
        let record = name.flatMap { ExtensionRecord(.modelType, Array($0.utf8)) }
        let container = OpenContainer(
            versions: 1...2, modelNumber: number, records: [record].compactMap(\.self), payload: [1])
        return try container.file().findings().map(\.id).filter { $0 != "unauthenticated" }
    }

    @Test func `accept a name that is not in the tables`() throws {
        #expect(try findings(number: 43, name: "Lamp 2") == [])
        #expect(try findings(number: 21, name: "Lamp 2") == [])
        #expect(try findings(number: 0, name: "Lamp 2") == [])
        #expect(try findings(number: 0, name: "BP102") == [])
    }

    @Test(arguments: [
        (36, "BP120", "BT836B"), (39, "BP108", "BT926B"), (40, "BP108N", "BT966"), (41, "BP103B", "BT721B"),
    ])
    func `distinguish two models of one number by a name`(
        _ number: UInt16, _ beacon: String, _ module: String
    ) throws {
        #expect(try findings(number: number, name: beacon) == [])
        #expect(try findings(number: number, name: module) == [])
        #expect(try findings(number: number, name: nil) == ["model-ambiguous"])
        #expect(try findings(number: number, name: "BP102") == ["model-mismatch"])
    }

    @Test func `ignore the missing authentication of a vendor's encryption`() throws {
        for name in ["vendor-like", "vendor-like-two-names"] {
            let file = try FBeaconFile(parsing: try Samples.bytes("feasycom/\(name).dfu"))
            #expect(!file.findings().contains { $0.id == "unauthenticated" })
            #expect(!file.findings().contains { $0.level != .note })
        }
    }
}

@Suite struct `A model's name` {
    @Test func `has a number, and no two models share a name`() {
        var seen: Set<String> = []
        for number in (0...UInt16(255)).map(ModelNumber.init) {
            for name in number.names {
                #expect(ModelNumber.named(name) == number)
                #expect(seen.insert(name).inserted, "\(name)")
            }
        }
        #expect(seen.count == 56)
        #expect(ModelNumber.named("BP999") == nil)
        #expect(ModelNumber.named("") == nil)
    }
}
