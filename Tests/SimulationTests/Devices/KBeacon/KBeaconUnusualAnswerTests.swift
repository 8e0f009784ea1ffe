import Bytes
import Testing

@testable import Simulation

@Suite struct `A KBeacon with unusual answers` {
    @Test func `announces more, and logs, before it acts`() throws {
        var bench = try `A KBeacon that answers`.bench {
            $0.answers.moreFrames = 2
            $0.answers.logs = 1
        }
        let start = bench.now
        let said = bench.ask(#"{"msg":"ring","ringTime":1000,"ringType":2}"#)
        #expect(
            said == ["530000106c6f67", "23000003e80007", "23000003e80007", "23000000000000"])
        #expect(bench.now - start == .milliseconds(2005))
        #expect(bench.send("53000403e80000") == [])
        #expect(bench.broken == [:])
    }

    @Test func `may send more than any client accepts, and may never end`() throws {
        var long = try `A KBeacon that answers`.bench { $0.answers.length = .longer(5000) }
        let first = try #require(long.ask(`A KBeacon that answers`.question).first)
        #expect(first.hasPrefix("2300ed03e80005"))
        #expect(long.session.link.delivery?.sent == 237)
        var count = 237
        while let piece = long.send("33" + HexText.digits(UInt16(count)) + "03e80000").first {
            count += piece.count / 2 - 3
        }
        #expect(count == (try `A KBeacon that answers`.plain().utf8.count) + 5000)
        var endless = try `A KBeacon that answers`.bench { $0.answers.length = .endless }
        _ = endless.ask(`A KBeacon that answers`.question)
        let start = try #require(endless.session.link.delivery?.sent)
        for step in 0..<400 {
            let count = HexText.digits(UInt16(truncatingIfNeeded: start + step * 241))
            #expect(endless.send("33" + count + "03e80000").first?.hasPrefix("31") == true)
        }
    }

    @Test func `may send without end and without acknowledgements`() throws {
        var bench = try `A KBeacon that answers`.bench {
            $0.answers.length = .endless
            $0.answers.waits = false
        }
        #expect(bench.ask(`A KBeacon that answers`.question).count == 2)
        for _ in 0..<100 { #expect(bench.wait().first?.hasPrefix("31") == true) }
        bench.ask(#"{"msg":"getPara","type":17}"#)
        #expect(bench.session.announcementDue == nil)
    }

    @Test(arguments: Array(0x0102...0x010C) + Array(0x0116...0x0119) + [2, 3] as [UInt16])
    func `may refuse a command with any cause`(cause: UInt16) throws {
        var bench = try `A KBeacon that answers`.bench(faults: [.refuseCommand(1, cause: cause)]) { _ in }
        #expect(bench.ask(`A KBeacon that answers`.question) == ["2300000000" + HexText.digits(cause)])
        #expect(bench.ask(`A KBeacon that answers`.question).first?.hasPrefix("2300000000") == false)
        var always = try `A KBeacon that answers`.bench(faults: [.refuseCommands(cause: cause)]) { _ in }
        for _ in 0..<3 {
            #expect(always.ask(`A KBeacon that answers`.question) == ["2300000000" + HexText.digits(cause)])
        }
    }

    @Test func `may be busy at first`() throws {
        var bench = try `A KBeacon that answers`.bench { $0.busyCommands = 2 }
        for _ in 0..<2 { #expect(bench.ask(`A KBeacon that answers`.question) == ["2300000000010c"]) }
        #expect(bench.ask(`A KBeacon that answers`.question) != ["2300000000010c"])
    }

    @Test func `may corrupt an answer`() throws {
        var plain = try `A KBeacon that answers`.bench { _ in }
        let answer = try #require(plain.ask(`A KBeacon that answers`.question).first)
        // The third value: the handshake has two.
        var flipped = try `A KBeacon that answers`.bench(faults: [.flipAnswer(3, fromEnd: 0)]) { _ in }
        #expect(flipped.ask(`A KBeacon that answers`.question) == [answer.dropLast(2) + "82"])
        var cut = try `A KBeacon that answers`.bench(faults: [.cutAnswer(3, to: 5)]) { _ in }
        #expect(cut.ask(`A KBeacon that answers`.question) == [String(answer.prefix(10))])
    }
}
