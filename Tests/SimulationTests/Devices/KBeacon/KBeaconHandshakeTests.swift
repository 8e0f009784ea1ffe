import Bytes
import Testing

@testable import Simulation

@Suite struct `The handshake of a KBeacon` {
    static func bench(_ vector: KBeaconVector, mtu: Int) throws -> KBeaconBench {
        try KBeaconBench(at: vector.address, mtu: mtu) { $0.password = vector.password }
    }

    @Test(arguments: KBeaconVector.all)
    func `proves that it knows the password`(vector: KBeaconVector) throws {
        var long = try Self.bench(vector, mtu: 247)
        let answer = try #require(long.send("1301" + vector.number).first)
        #expect(answer.hasPrefix("1301") && answer.count == 44 && answer.hasSuffix(vector.digest))
        guard let folded = vector.folded else { return }
        var short = try Self.bench(vector, mtu: 23)
        let half = try #require(short.send("1301" + vector.number + "0000002a").first)
        #expect(half.hasPrefix("130b") && half.count == 28 && half.hasSuffix(folded))
    }

    @Test(arguments: KBeaconVector.all)
    func `admits a client with the password`(vector: KBeaconVector) throws {
        for (mtu, step, digest) in [(247, "1302", vector.digest), (23, "130c", vector.folded)] {
            guard let digest else { continue }
            var bench = try Self.bench(vector, mtu: mtu)
            bench.session.link.stage = .challenged(number: hex(vector.number), isFolded: mtu == 23)
            #expect(bench.send(step + digest) == ["1302f7"])
            #expect(bench.session.isAuthenticated)
        }
    }

    @Test func `is folded if 22 bytes do not fit, and if configured so`() throws {
        for (mtu, folds, step) in [(24, false, "130b"), (25, false, "1301"), (247, true, "130b")] {
            var bench = try KBeaconBench(mtu: mtu) { $0.handshake.foldsDigests = folds }
            let answer = try #require(bench.send("130112345678").first)
            #expect(answer.hasPrefix(step), "\(mtu)")
        }
    }

    @Test(arguments: [(23, "130217"), (185, "1302b9"), (247, "1302f7")])
    func `reports the largest MTU, or nothing`(mtu: Int, last: String) throws {
        var bench = try KBeaconBench(mtu: mtu) { $0.handshake.maximumMTU = mtu }
        #expect(bench.authenticate() == [last])
        var mute = try KBeaconBench(mtu: mtu) { $0.handshake.reportsMTU = false }
        #expect(mute.authenticate() == ["1302"])
        var tagged = try KBeaconBench(mtu: mtu) { $0.handshake.tag = 0 }
        #expect(tagged.authenticate() == ["1002f7"])
    }

    @Test func `sets the clock, if there is one`() throws {
        var bench = try KBeaconBench()
        bench.now = .seconds(5)
        bench.send("13011234567800010000")
        #expect(bench.session.seconds(at: .seconds(8)) == 65539)
        bench.send("130112345678")
        #expect(bench.session.seconds(at: .seconds(9)) == 65540)
    }

    @Test func `has another number each time, and the same ones from the same seed`() throws {
        func numbers(_ seed: UInt64) throws -> [String] {
            var bench = try KBeaconBench { $0.seed = seed }
            return (0..<3).flatMap { _ in bench.send("130112345678") }.map { String($0.prefix(12)) }
        }
        #expect(try Set(numbers(1)).count == 3)
        #expect(try numbers(1) == numbers(1))
        #expect(try Set(numbers(1) + numbers(2)).count == 6)
    }

    @Test func `refuses a wrong password, and counts the writes after that`() throws {
        var bench = try KBeaconBench()
        #expect(bench.authenticate("Bench-07") == ["13f1"])
        #expect(!bench.session.isAuthenticated)
        #expect(bench.session.statistics.writesAfterRefusal == 0)
        #expect(bench.ask(#"{"msg":"getPara","type":1}"#) == [])
        #expect(bench.authenticate() == ["1302f7"])
        let seen = bench.session.statistics
        #expect((seen.handshakes, seen.passwordsTried, seen.wrongPasswords) == (2, 2, 1))
        #expect(seen.writesAfterRefusal == 2)
        #expect(bench.broken == [.commandBeforeSession: 1, .handshakeAgain: 1])
    }

    @Test func `ignores everything before it`() throws {
        var bench = try KBeaconBench()
        #expect(bench.ask(#"{"msg":"reset"}"#) == [])
        bench.send("130112345678")
        #expect(bench.ask(#"{"msg":"reset"}"#) == [])
        #expect(bench.session.statistics.commands == [])
        #expect(bench.broken == [.commandBeforeSession: 2])
    }

    @Test(arguments: [
        "1301", "1301123456", "13011234567800", "1301123456780000000000", "1311", "1001123456", "13",
        "1302" + "00112233445566778899aabbccddeeff", "130c0011223344556677",
    ])
    func `ignores an unknown or premature step`(value: String) throws {
        var bench = try KBeaconBench()
        #expect(bench.send(value) == [])
        #expect(bench.broken == [.wrongHandshakeStep: 1])
        #expect(bench.session.statistics.passwordsTried == 0)
    }

    @Test func `requires the digest in the length of its own`() throws {
        var bench = try KBeaconBench()
        let number = try #require(bench.send("130112345678").first.map(hex))[2..<6]
        let whole = KBeaconDigest.whole(
            bench.session.address, number, KBeaconDescription.factoryPassword)
        #expect(bench.send([0x13, 0x0C] + KBeaconDigest.folded(whole)) == ["13f1"])
        #expect(bench.broken == [.wrongHandshakeStep: 1])
    }

    @Test func `notes a client without notifications`() throws {
        var bench = try KBeaconBench()
        _ = bench.session.receive(hex("130112345678"), isSubscribed: false, at: .zero)
        #expect(bench.broken == [.handshakeWithoutNotifications: 1])
    }
}
