import Bytes
import Testing

@testable import Simulation

/// kbeacon.md, 5: the vectors, and invalid packets.
@Suite struct `The framing of a KBeacon` {
    static func bench(
        _ generation: KBeaconGeneration = .second, mtu: Int = 247, faults: [KBeaconFault] = [],
        _ change: (inout KBeaconDescription) -> Void = { _ in }
    ) throws -> KBeaconBench {
        var bench = try KBeaconBench(generation, mtu: mtu, faults: faults, change)
        try #require(!bench.authenticate().isEmpty)
        return bench
    }

    @Test func `accepts a message in two writes`() throws {
        var bench = try Self.bench()
        #expect(bench.send("2000007b226d7367223a2267657450617261222c") == ["23001103e80004"])
        #expect(bench.send("2200112274797065223a317d").first?.hasPrefix("2300") == true)
        #expect(bench.session.statistics.commands == [#"{"msg":"getPara","type":1}"#])
        #expect(bench.broken == [:])
    }

    @Test func `accepts a message in three writes, and in one`() throws {
        var bench = try Self.bench()
        #expect(bench.send("2000007b226d7367223a2272696e67222c227269") == ["23001103e80004"])
        #expect(bench.send("2100116e6754696d65223a353030302c2272696e") == ["23002203e80004"])
        #expect(bench.send("2200226754797065223a327d") == ["23000000000000"])
        let text = #"{"msg":"ring","ringTime":5000,"ringType":2}"#
        #expect(bench.ask(text) == ["23000000000000"])
        #expect(bench.session.statistics.commands == [text, text])
        #expect(bench.session.statistics.rings.map(\.signals) == [[.light], [.light]])
    }

    @Test func `accepts a reset of either generation`() throws {
        var first = try Self.bench(.first)
        #expect(first.send("2300007b226d7367223a227265736574227d") == ["23000000000000"])
        #expect(first.session.memory.resetsAtEnd)
        var second = try Self.bench()
        #expect(second.send("2000007b226d7367223a2261646d696e222c2273") == ["23001103e80004"])
        #expect(second.send("22001174797065223a227265736574227d") == ["23000000000000"])
        #expect(second.session.memory.resetsAtEnd)
    }

    @Test func `refuses the format of the first generation in the second`() throws {
        var bench = try Self.bench()
        #expect(bench.ask(#"{"msg":"getPara","stype":32}"#) == ["23000000000103"])
    }

    @Test(arguments: [0, 1, 4, 1000] as [UInt16])
    func `reports a window without effect`(window: UInt16) throws {
        var bench = try Self.bench { $0.answers.window = window }
        #expect(bench.send("2000007b22") == ["230002" + HexText.digits(window) + "0004"])
    }

    @Test func `requests the missing piece, and accepts nothing else`() throws {
        var bench = try Self.bench()
        bench.send("2000007b226d7367223a2267657450617261222c")
        // Too far ahead, repeated, and a repeated half.
        for wrong in ["2200122274797065223a317d", "2100007b226d", "2100102c2274"] {
            #expect(bench.send(wrong) == ["23001103e80004"], "\(wrong)")
        }
        #expect(bench.send("2200112274797065223a317d").first?.hasSuffix("04") == false)
        #expect(bench.session.statistics.commands == [#"{"msg":"getPara","type":1}"#])
        #expect(bench.broken == [.wrongOffset: 3])
    }

    @Test(arguments: ["2100007b7d", "2200007b7d", "2300017b7d", "2000017b7d", "2100057b7d"])
    func `begins at offset 0`(value: String) throws {
        var bench = try Self.bench()
        #expect(bench.send(value) == ["23000003e80004"])
        #expect(bench.broken == [.wrongOffset: 1])
    }

    @Test func `starts over with another first piece`() throws {
        var bench = try Self.bench()
        bench.send("2000007b226d")
        bench.send("2000007b226d7367223a2267657450617261222c")
        bench.send("2200112274797065223a317d")
        #expect(bench.session.statistics.commands == [#"{"msg":"getPara","type":1}"#])
    }

    @Test func `has space for one piece at a time`() throws {
        var bench = try Self.bench()
        let now = bench.now
        bench.send("2000007b226d7367223a2267657450617261222c")
        bench.now = now + .milliseconds(4)
        #expect(bench.send("2200112274797065223a317d") == [])
        #expect(bench.broken == [.pieceBeforeAcknowledgement: 1])
        bench.now = now + .milliseconds(5)
        #expect(bench.send("2200112274797065223a317d").count == 1)
    }

    @Test func `accepts no command of more than 4096 bytes`() throws {
        var bench = try Self.bench()
        let filler = String(repeating: "20", count: 200)
        #expect(bench.send("200000" + filler).count == 1)
        for offset in 1..<20 {
            #expect(bench.send("21" + HexText.digits(UInt16(offset * 200)) + filler).count == 1)
        }
        #expect(bench.send("210fa0" + filler) == ["23000000000103"])
        #expect(bench.broken == [.commandTooLong: 1])
    }

    @Test(arguments: ["", "20", "2000", "2400007b", "4000007b", "f000007b", "3000007b", "5300007b"])
    func `ignores other packets`(value: String) throws {
        var bench = try Self.bench()
        #expect(bench.send(value) == [])
        #expect(bench.broken == [.malformedPiece: 1])
    }

    @Test func `can request a wrong piece once`() throws {
        var bench = try Self.bench(faults: [.askWrongOffset(1, 0x0FFF)])
        #expect(bench.send("2000007b226d7367223a2267657450617261222c") == ["230fff03e80004"])
        #expect(bench.send("2000007b226d7367223a2267657450617261222c") == ["23001103e80004"])
    }
}
