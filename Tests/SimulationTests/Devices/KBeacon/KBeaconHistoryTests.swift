import Bytes
import Testing

@testable import Simulation

/// kbeacon.md, Records. They are invented.
@Suite struct `The history of a KBeacon` {
    static func bench(
        _ generation: KBeaconGeneration, _ change: (inout KBeaconDescription) -> Void = { _ in }
    ) throws -> KBeaconBench {
        try `The framing of a KBeacon`.bench(generation) {
            $0.history = [
                KBeaconHistory(.humidity, count: 12, since: 0x65000000), KBeaconHistory(.motion, count: 3),
            ]
            $0.history[0].mostAtOnce = 4
            $0.answers.records = .inline
            change(&$0)
        }
    }

    /// The data of an answer in one acknowledgement.
    static func data(_ said: [String]) throws -> String {
        let value = try #require(said.first)
        #expect(value.hasPrefix("03") && value.dropFirst(6).hasPrefix("00000000"))
        return String(value.dropFirst(14))
    }

    @Test func `is counted, in two or four bytes, next to the clock`() throws {
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

    @Test func `is read oldest first, newest first, or the new part only`() throws {
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

    @Test func `has one byte less in the request of the first generation`() throws {
        var first = try Self.bench(.first)
        #expect(first.send("0300000202ffffffff00020018") == ["03000000000103"])
        #expect(try Self.data(first.send("0300000210ffffffff000200")).hasPrefix("02000f10" + "00000002"))
        var second = try Self.bench(.second)
        #expect(second.send("0300000202ffffffff000200") == ["03000000000103"])
        #expect(second.send("0300000202ffffffff00020318") == ["03000000000103"])
    }

    @Test func `is erased for good`() throws {
        var bench = try Self.bench(.second)
        #expect(bench.send("0300000302") == ["03000000000000"])
        #expect(try Self.data(bench.send("0300000102")).hasPrefix("0102" + "00000000" + "00000000"))
        #expect(bench.session.memory.cleared == [2])
        #expect(try Self.data(bench.send("0300000202ffffffff00040018")) == "02000502ffffffff")
        #expect(try Self.data(bench.send("0300000202ffffffff00040118")) == "02000502ffffffff")
    }

    @Test(
        arguments: [
            (.humidity, "1400" + "2800"), (.alarm, "00"), (.motion, "00"), (.light, "00" + "00" + "ea60"),
            (.voc, "0064" + "0001"), (.carbonDioxide, "0190" + "1400" + "2800"),
        ] as [(KBeaconHistory.Kind, String)])
    func `has the form of its kind`(kind: KBeaconHistory.Kind, content: String) throws {
        for generation in KBeaconGeneration.allCases {
            var bench = try Self.bench(generation) {
                $0.history = [KBeaconHistory(kind, count: 45, since: 0x6500_0000)]
            }
            let number = HexText.digits(kind.rawValue)
            let rest = generation == .first ? "" : "18"
            let page = try Self.data(bench.send("03000002" + number + "00000000000100" + rest))
            #expect(page.hasSuffix(number + "00000001" + "65000000" + content))
        }
    }

    /// Acknowledges everything, and returns all replies after that.
    private static func fetch(_ command: String, _ bench: inout KBeaconBench) -> [String] {
        var said = bench.send(command)
        var count = 0
        for number in 0..<100 where number < said.count {
            if said[number].hasPrefix("50") || said[number].hasPrefix("53") { count = 0 }
            guard said[number].hasPrefix("5") else { continue }
            count += said[number].count / 2 - 3
            said += bench.send("53" + HexText.digits(UInt16(count)) + "03e80000")
        }
        return said
    }

    @Test func `comes in frames, each announcing the next, and ends after them`() throws {
        var bench = try Self.bench(.second) {
            $0.answers.records = .frames
            $0.answers.pieceSize = 30
            $0.history[0].mostAtOnce = 10
        }
        let said = Self.fetch("0300000202ffffffff001e0018", &bench)
        // Four, four and two records of 8 bytes, each frame with 8 bytes before them.
        #expect(
            said.map { $0.prefix(6) } == [
                "030000", "500000", "52001e", "030000", "500000", "52001e", "030000", "530000", "030000",
            ])
        let causes = said.filter { $0.hasPrefix("03") }.map { $0.suffix(4) }
        #expect(causes == ["0005", "0007", "0007", "0006"])
        let heads = said.filter { $0.hasPrefix("50") || $0.hasPrefix("53") }.map {
            $0.dropFirst(6).prefix(16)
        }
        #expect(
            heads == [
                "0200250200000004", "0200250200000008", "020015020000000a",
            ])
        #expect(bench.broken == [:])
    }

    @Test(
        arguments: [
            (.second, .report, false, ["0005", "0006"]), (.second, .report, true, ["0005", "0000"]),
            (.first, .report, false, ["0005", "0006"]), (.first, .frames, false, ["0005", "0006"]),
        ] as [(KBeaconGeneration, KBeaconAnswerStyle.Shape, Bool, [String])])
    func `may come in reports, followed by an end mark`(
        generation: KBeaconGeneration, shape: KBeaconAnswerStyle.Shape, isDone: Bool, causes: [String]
    ) throws {
        var bench = try Self.bench(generation) {
            $0.answers.records = shape
            $0.answers.endsWithDone = isDone
            $0.answers.pieceSize = 30
        }
        let start = bench.now
        let rest = generation == .first ? "" : "18"
        let said = Self.fetch("0300000202ffffffff001e00" + rest, &bench)
        #expect(said.map { $0.prefix(6) } == ["030000", "500000", "52001e", "030000"])
        #expect(said.filter { $0.hasPrefix("03") }.map { String($0.suffix(4)) } == causes)
        // From the question to its last cause, which is late.
        #expect(bench.now - start >= .milliseconds(110))
        #expect(bench.broken == [:])
    }

    @Test(
        arguments: [
            (.atOnce, ["50", "52", "03"]), (.early, ["50", "03", "52"]), (.never, ["50", "52"]),
        ] as [(KBeaconAnswerStyle.Ending, [String])])
    func `ends on request`(ending: KBeaconAnswerStyle.Ending, order: [String]) throws {
        var bench = try Self.bench(.second) {
            $0.answers.records = .report
            $0.answers.pieceSize = 30
            $0.answers.ending = ending
        }
        let start = bench.now
        let said = Self.fetch("0300000202ffffffff001e0018", &bench)
        #expect(said.dropFirst().map { String($0.prefix(2)) } == order)
        #expect(bench.now - start < .milliseconds(100))
    }

    @Test func `is counted in an acknowledgement, which is the end or precedes it`() throws {
        for (generation, cause) in [(KBeaconGeneration.first, "0000"), (.second, "0006")] {
            var bench = try Self.bench(generation) { $0.answers.records = .frames }
            let said = bench.send("0300000102")
            try #require(said.count == 2)
            #expect(said[0].dropFirst(10).hasPrefix("0005" + "0102"))
            #expect(said[1].hasPrefix("03") && said[1].hasSuffix(cause))
            #expect(bench.send("53" + String(said[0].dropFirst(2).prefix(4)) + "03e80000") == [])
            #expect(bench.broken == [:])
        }
    }

    @Test func `is followed by its end after a delay`() throws {
        var bench = try Self.bench(.second) { $0.answers.records = .report }
        let start = bench.now
        bench.send("0300000102")
        bench.now = start + .milliseconds(50)
        bench.send("0300000102")
        #expect(bench.broken == [.commandDuringAnswer: 1])
    }
}

@Suite struct `The events of a KBeacon` {
    @Test func `are indicated one after the other to a client with a session`() throws {
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

    @Test func `have other numbers in the first generation, and a measurement`() throws {
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

    @Test func `are reported only if their trigger requires it`() throws {
        var bench = try KBeaconBench { $0.events = [KBeaconEvent(trigger: 4, after: .seconds(1))] }
        bench.authenticate()
        #expect(bench.tell(#"{"msg":"cfg","trObj":[{"trIdx":0,"trAct":1}]}"#) == "")
        #expect(bench.wait() == [])
        var deaf = try KBeaconBench { $0.events = [KBeaconEvent(trigger: 4, after: .seconds(1))] }
        deaf.authenticate()
        #expect(deaf.session.announce(isSubscribed: false, at: .seconds(2)) == [])
        #expect(!deaf.session.link.isIndicating)
    }
}
