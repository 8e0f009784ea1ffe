import Testing

@testable import SimulatedDevice

/// kbeacon.md, 6.5. The records are invented.
@Suite struct `What a KBeacon has recorded` {
    static func bench(
        _ generation: KBeaconGeneration, _ change: (inout KBeaconDescription) -> Void = { _ in }
    ) throws -> KBeaconBench {
        try `The framing of a KBeacon`.bench(generation) {
            $0.history = [
                KBeaconHistory(.humidity, count: 12, since: 0x65000000), KBeaconHistory(.motion, count: 3),
            ]
            $0.history[0].mostAtOnce = 4
            change(&$0)
        }
    }

    /// The data of an answer in one acknowledgement.
    static func data(_ said: [String]) throws -> String {
        let value = try #require(said.first)
        #expect(value.hasPrefix("03") && value.dropFirst(6).hasPrefix("00000000"))
        return String(value.dropFirst(14))
    }

    @Test func `is counted, in two bytes or in four, beside the clock`() throws {
        var first = try Self.bench(.first)
        #expect(try Self.data(first.send("0300000102")) == "0102" + "000c" + "000c" + "00000000")
        var second = try Self.bench(.second)
        second.now = .seconds(77)
        #expect(try Self.data(second.send("0300000110")) == "0110" + "00000003" + "00000003" + "0000004d")
        #expect(second.send("0300000108") == ["03000000000118"])
        #expect(second.send("03000001") == ["03000000000106"])
        #expect(second.send("03000009") == ["03000000000119"])
        #expect(second.send("030000") == ["03000000000119"])
    }

    @Test func `is told oldest first, newest first, and what is new`() throws {
        var bench = try Self.bench(.second)
        func ask(_ rest: String) throws -> String { try Self.data(bench.send("0300000202" + rest + "18")) }
        let page = try ask("ffffffff001e00")
        // Kind, next position and four records of 8 bytes.
        #expect(page.hasPrefix("02002502" + "00000004" + "65000000"))
        #expect(page.count == 2 * 40)
        let rest = try ask("00000004001e00")
        #expect(rest.hasPrefix("02002502" + "00000008" + "65000960"))
        #expect(try ask("00000008001e00").hasPrefix("02002502ffffffff"))
        #expect(try ask("0000000a000100").hasPrefix("02000d02" + "0000000b"))
        #expect(try ask("0000000c001e00") == "02000502ffffffff")
        let newest = try ask("ffffffff000201")
        #expect(newest.hasPrefix("02001502" + "00000009" + "650019c8"))
        #expect(try ask("ffffffff000402").hasPrefix("02002502" + "00000004"))
        #expect(try ask("ffffffff000402").hasPrefix("02002502" + "00000008"))
        #expect(try Self.data(bench.send("0300000102")).hasPrefix("0102" + "0000000c" + "00000004"))
    }

    @Test func `has one byte less to ask in the first generation`() throws {
        var first = try Self.bench(.first)
        #expect(first.send("0300000202ffffffff00020018") == ["03000000000103"])
        #expect(try Self.data(first.send("0300000210ffffffff000200")).hasPrefix("02000f10" + "00000002"))
        var second = try Self.bench(.second)
        #expect(second.send("0300000202ffffffff000200") == ["03000000000103"])
        #expect(second.send("0300000202ffffffff00020318") == ["03000000000103"])
    }

    @Test func `is forgotten for good`() throws {
        var bench = try Self.bench(.second)
        #expect(bench.send("0300000302") == ["03000000000000"])
        #expect(try Self.data(bench.send("0300000102")).hasPrefix("0102" + "00000000" + "00000000"))
        #expect(bench.session.memory.cleared == [2])
        #expect(try Self.data(bench.send("0300000202ffffffff00040018")) == "02000502ffffffff")
        #expect(try Self.data(bench.send("0300000202ffffffff00040118")) == "02000502ffffffff")
    }

    @Test func `may come in reports, after which it says that it is done`() throws {
        var bench = try Self.bench(.second) {
            $0.answers.shape = .report
            $0.answers.pieceSize = 30
        }
        let said = bench.send("0300000202ffffffff001e0018")
        #expect(said.map { $0.prefix(6) } == ["030000", "500000"])
        #expect(said[0].hasSuffix("0005"))
        let last = bench.send("53001e03e80000")
        #expect(last.map { $0.prefix(6) } == ["52001e", "030028"])
        #expect(last[1].hasSuffix("0006"))
        #expect(bench.broken == [:])
    }
}

@Suite struct `What happens to a KBeacon` {
    @Test func `is indicated, one after the other, to who has a session`() throws {
        var bench = try KBeaconBench {
            $0.events = [
                KBeaconEvent(trigger: 4, after: .seconds(2)), KBeaconEvent(trigger: 3, after: .seconds(1)),
            ]
        }
        #expect(bench.session.announcementDue == nil)
        bench.authenticate()
        #expect(bench.wait() == ["event 03"])
        #expect(bench.session.announcementDue == nil)
        let isOurs = bench.session.confirmed()
        #expect(isOurs)
        #expect(bench.wait() == ["event 04"])
        _ = bench.session.confirmed()
        let isAgain = bench.session.confirmed()
        #expect(!isAgain && bench.session.announcementDue == nil)
    }

    @Test func `has other numbers in the first generation, and a reading`() throws {
        var bench = try KBeaconBench(.first) {
            $0.events = [1, 2, 4, 8].map { KBeaconEvent(trigger: $0, after: .seconds($0)) }
            $0.events[1].press = .doubleClick
        }
        bench.send("13010000000000000100")
        bench.authenticate()
        var said: [String] = []
        for _ in 0..<4 {
            said += bench.wait()
            _ = bench.session.confirmed()
        }
        #expect(said == ["event 04", "event 0304", "event 01", "event 02000001083c805100"])
    }

    @Test func `is told only where its trigger says so`() throws {
        var bench = try KBeaconBench { $0.events = [KBeaconEvent(trigger: 4, after: .seconds(1))] }
        bench.authenticate()
        #expect(bench.tell(#"{"msg":"cfg","trObj":[{"trIdx":0,"trAct":1}]}"#) == "")
        #expect(bench.wait() == [])
        var deaf = try KBeaconBench { $0.events = [KBeaconEvent(trigger: 4, after: .seconds(1))] }
        deaf.authenticate()
        #expect(deaf.session.announce(isHeard: false, at: .seconds(2)) == [])
        #expect(!deaf.session.link.isIndicating)
    }
}
