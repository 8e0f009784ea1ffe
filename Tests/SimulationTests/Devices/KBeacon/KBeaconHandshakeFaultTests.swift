import Testing

@testable import Simulation

@Suite struct `A KBeacon with a fault in its handshake` {
    @Test func `may be an impostor, which receives the client's digest`() throws {
        for (mtu, suffix) in [(247, "5ae52a03f893c9d8ce1112b12c4f5250"), (23, "94f438b2d4dc9b88")] {
            var bench = try KBeaconBench(mtu: mtu, faults: [.impostor])
            let answer = try #require(bench.send("130101020304").first)
            #expect(!answer.hasSuffix(suffix))
            #expect(bench.broken == [:])
            bench.authenticate()
            #expect(bench.broken[.digestToImpostor] == 1)
        }
    }

    @Test func `may refuse the right password, once`() throws {
        var bench = try KBeaconBench(faults: [.refuseDigest(1)])
        #expect(bench.authenticate() == ["13f1"])
        #expect(bench.session.statistics.wrongPasswords == 0)
        #expect(bench.linkAgain() == ["1302f7"])
    }

    @Test(arguments: 1...4)
    func `may fall silent after a step`(step: Int) throws {
        var bench = try KBeaconBench(faults: [.silence(afterStep: step, ofHandshake: 1)])
        bench.authenticate()
        #expect(bench.session.isAuthenticated == (step > 2))
        #expect(bench.ask(#"{"msg":"getPara","type":1}"#) == [])
        #expect(bench.session.statistics.handshakes == 1)
        #expect(bench.linkAgain() == ["1302f7"])
    }

    @Test(arguments: 1...4)
    func `may lose its link after a step, which the client receives if it is the beacon's`(step: Int) throws {
        var bench = try KBeaconBench(faults: [.cut(afterStep: step, ofHandshake: 1)])
        let first = bench.send("130101020304")
        #expect(first.count == (step == 1 ? 1 : step == 2 ? 2 : 1))
        #expect((first.last == "end") == (step <= 2))
        guard step > 2 else { return }
        var again = try KBeaconBench(faults: [.cut(afterStep: step, ofHandshake: 1)])
        #expect(again.authenticate() == (step == 3 ? ["end"] : ["1302f7", "end"]))
    }
}
