import Firmware
import Testing

@Suite struct `The seal of a catalogue` {
    private static let file = CatalogueSeal.File(name: "a.yaml", sha256: String(repeating: "5", count: 64))

    @Test func `without a number is what earlier versions signed and read`() throws {
        let seal = try #require(CatalogueSeal([Self.file], until: 4_102_444_800, counter: 0))
        #expect(
            String(decoding: seal.statement, as: UTF8.self)
                == "seal of a catalogue, 1\n4102444800\n\(Self.file.sha256) a.yaml\n")
        #expect(seal.text(signature: [1, 2]).hasPrefix("seal: 1\nexpires: 4102444800\nfiles:\n"))
    }

    @Test(arguments: [0, 1, 7, Int64.max]) func `is read back with its number`(_ counter: Int64) throws {
        let seal = try #require(CatalogueSeal([Self.file], until: 9, counter: counter))
        let (read, signature) = try CatalogueSeal.parse(Array(seal.text(signature: [1, 2]).utf8))
        #expect(read == seal && signature == [1, 2])
    }

    @Test func `signs its number, and distinguishes catalogues by their files alone`() throws {
        func seal(_ name: String, _ expires: UInt32, _ counter: Int64) throws -> CatalogueSeal {
            let file = CatalogueSeal.File(name: name, sha256: Self.file.sha256)
            return try #require(CatalogueSeal([file], until: expires, counter: counter))
        }
        let (one, later) = try (seal("a.yaml", 9, 1), seal("a.yaml", 10, 2))
        #expect(one.statement != later.statement && one.content == later.content)
        #expect(try one.statement != seal("a.yaml", 9, 2).statement)
        #expect(try one.content != seal("b.yaml", 9, 1).content)
        #expect(CatalogueSeal([Self.file], until: 9, counter: -1) == nil)
    }
}
