import Bytes
import Testing

@testable import Simulation

/// kbeacon.md, 5: the three shapes of an answer, with the vectors' text.
@Suite struct `An answer of a KBeacon` {
    /// 74 bytes.
    static let text = #"{"model":"K6_NRF52XX","ver":"V6.20","hver":"V3.0","btPt":97,"bCap":524289}"#

    /// The pieces of the answer, each acknowledged as in the vectors.
    static func pieces(_ delivery: KBeaconDelivery) -> [String] {
        var delivery = delivery
        var pieces: [String] = []
        while let piece = delivery.next() { pieces.append(HexText.encode(piece)) }
        return pieces
    }

    @Test func `is in one acknowledgement`() {
        let whole = KBeaconAcknowledgement(
            content: .json, cause: .done, offset: 74, answer: Array(Self.text.utf8))
        #expect(HexText.encode(whole.value) == "23004a00000000" + digits(Self.text))
    }

    @Test func `is in reports`() {
        let whole = Array(Self.text.utf8)
        let (first, second) = (String(Self.text.prefix(40)), String(Self.text.dropFirst(40)))
        #expect(
            Self.pieces(KBeaconDelivery(whole, as: .jsonReport, pieceSize: 40)) == [
                "300000" + digits(first), "320028" + digits(second),
            ])
        #expect(
            Self.pieces(KBeaconDelivery(whole, as: .jsonReport, pieceSize: 74)) == [
                "330000" + digits(Self.text)
            ])
        #expect(
            Self.pieces(KBeaconDelivery(whole, as: .jsonReport, pieceSize: 30)).map { $0.prefix(6) } == [
                "300000", "31001e", "32003c",
            ])
    }

    @Test func `is acknowledged with numbers that wrap at two bytes`() {
        var delivery = KBeaconDelivery([], as: .jsonReport, pieceSize: 40_000, isEndless: true)
        _ = delivery.next()
        _ = delivery.next()
        #expect(delivery.sent == 80_000 && delivery.hasAll(14_464))
        #expect(!delivery.goBack(to: 14_465) || delivery.sent == 14_465)
    }

    @Test(arguments: [("33002803e80000", 40), ("33004a03e80000", 74), ("33010203e80000", 258)])
    func `is acknowledged with its length`(value: String, count: Int) {
        let acknowledgement = KBeaconAcknowledgement(hex(value))
        #expect(
            acknowledgement
                == KBeaconAcknowledgement(content: .jsonReport, cause: .done, offset: count, window: 1000))
        #expect(acknowledgement.map { HexText.encode($0.value) } == value)
    }
}

@Suite struct `A KBeacon that answers` {
    static let question = #"{"msg":"getPara","type":1}"#

    /// The answer to the question, without its frames.
    static func plain() throws -> String {
        var bench = try KBeaconBench()
        return bench.tell(question)
    }

    static func bench(
        mtu: Int = 247, faults: [KBeaconFault] = [], _ change: (inout KBeaconDescription) -> Void
    ) throws -> KBeaconBench {
        try `The framing of a KBeacon`.bench(mtu: mtu, faults: faults, change)
    }

    @Test func `sends the answer at once if it fits`() throws {
        var bench = try Self.bench { _ in }
        let plain = try Self.plain()
        let length = HexText.digits(UInt16(plain.utf8.count))
        #expect(bench.ask(Self.question) == ["23" + length + "00000000" + digits(plain)])
    }

    @Test(arguments: [false, true], [23, 185, 247])
    func `sends the answer in acknowledged pieces`(isSplit: Bool, mtu: Int) throws {
        var bench = try Self.bench(mtu: mtu) {
            $0.answers.shape = isSplit ? .split : .report
            $0.answers.pieceSize = 60
        }
        for piece in stride(from: 0, to: Self.question.utf8.count, by: 13) {
            let bytes = Array(Self.question.utf8.dropFirst(piece).prefix(13))
            let isLast = piece + 13 >= Self.question.utf8.count
            let head: [UInt8] = [piece == 0 ? 0x20 : isLast ? 0x22 : 0x21, 0, UInt8(piece)]
            guard isLast else {
                bench.send(head + bytes)
                continue
            }
            let said = bench.send(head + bytes)
            var text = String(said[0].dropFirst(14))
            #expect(said[0].hasPrefix("23" + HexText.digits(UInt16(text.count / 2)) + "03e80005"))
            #expect(text.isEmpty == !isSplit)
            #expect(said.count == (isSplit ? 1 : 2))
            var pieces = said.dropFirst().map { String($0) }
            while true {
                text += pieces.map { $0.dropFirst(6) }.joined()
                guard pieces.last?.hasPrefix("32") != true else { break }
                let count = HexText.digits(UInt16(text.count / 2))
                pieces = bench.send("33" + count + "03e80000").filter { $0.hasPrefix("3") }
                try #require(pieces.count == 1)
                #expect(pieces[0].count / 2 <= min(mtu - 3, 63) && pieces[0].dropFirst(2).hasPrefix(count))
            }
            #expect(text == digits(try Self.plain()))
            // The last piece is not expected to be acknowledged, but may be.
            #expect(bench.send("33" + HexText.digits(UInt16(text.count / 2)) + "03e80000") == [])
        }
        #expect(bench.broken == [:])
    }

    @Test func `does not wait if it is configured so`() throws {
        var bench = try Self.bench {
            $0.answers.shape = .report
            $0.answers.pieceSize = 80
            $0.answers.waits = false
        }
        let said = bench.ask(Self.question)
        #expect(said.map { $0.prefix(6) } == ["230000", "300000", "310050", "3200a0", "230000"])
        #expect(said.last?.hasSuffix("0006") == true)
        #expect(bench.send("33005003e80000") == [])
        #expect(bench.send("33005003e80001").map { $0.prefix(6) } == ["310050", "3200a0", "230000"])
    }

    @Test func `repeats the answer from the requested offset`() throws {
        var bench = try Self.bench {
            $0.answers.shape = .report
            $0.answers.pieceSize = 80
        }
        let first = bench.ask(Self.question)[1]
        #expect(bench.send("33000003e80001") == [first])
        let second = bench.send("33005003e80000")
        #expect(bench.send("33005003e80001") == second)
        #expect(bench.send("3300a003e80000").first?.hasPrefix("3200a0") == true)
        #expect(bench.send("3300a003e80001").first?.hasPrefix("3200a0") == true)
        #expect(bench.broken == [:])
    }

    @Test(arguments: ["33005103e80000", "33000003e80000", "33005003e80005", "33ffff03e80001"])
    func `ignores an invalid acknowledgement`(value: String) throws {
        var bench = try Self.bench {
            $0.answers.shape = .report
            $0.answers.pieceSize = 80
        }
        bench.ask(Self.question)
        #expect(bench.send(value) == [])
        #expect(bench.broken == [.unaskedAcknowledgement: 1])
        #expect(bench.send("33005003000000").count == 1)
        #expect(bench.broken[.window] == 1)
        bench.ask(Self.question)
        #expect(bench.broken[.commandDuringAnswer] == 1)
    }
}
