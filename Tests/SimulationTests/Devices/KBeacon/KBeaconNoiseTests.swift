import TestSupport
import Testing

@testable import Simulation

@Suite struct `A KBeacon among noise` {
    /// One of each kind of client write.
    static let packets = [
        "130112345678", "13011234567800000042", "1302d1c9df51692963f358d1964531e324be",
        "130c8918491458ca474d", "2000007b226d7367223a2267657450617261222c", "2200112274797065223a317d",
        "230000" + digits(#"{"msg":"getPara","type":3,"slot":1}"#),
        "230000" + digits(#"{"msg":"getPara","stype":119,"trType":1}"#),
        "230000" + digits(#"{"msg":"cfg","name":"x","advObj":[{"slot":1,"majorID":7}]}"#),
        "230000" + digits(#"{"msg":"cfg","stype":64,"trType":2,"trAct":3}"#),
        "230000" + digits(#"{"msg":"ring","ringTime":5000,"ringType":2,"ledOn":1,"ledOff":2}"#),
        "230000" + digits(#"{"msg":"admin","stype":"reset"}"#), "0300000102",
        "0300000202ffffffff001e0018", "0300000210ffffffff001e00", "0300000302", "33002803e80000",
        "53004a03e80000", "33004a03e80001",
    ].map(hex)

    static func bench(
        _ generation: KBeaconGeneration, _ shape: KBeaconAnswerStyle.Shape, authenticated: Bool
    ) throws -> KBeaconBench {
        var bench = try KBeaconBench(generation, mtu: 60) {
            $0.answers.shape = shape
            $0.answers.records = shape
            $0.history = [KBeaconHistory(.humidity, count: 30), KBeaconHistory(.motion, count: 0)]
            $0.history[0].mostAtOnce = 30
        }
        if authenticated { bench.authenticate() }
        return bench
    }

    @Test(arguments: KBeaconGeneration.allCases, KBeaconAnswerStyle.Shape.allCases)
    func `survives every prefix and every changed byte of client writes`(
        generation: KBeaconGeneration, shape: KBeaconAnswerStyle.Shape
    ) throws {
        for packet in Self.packets {
            for isAuthenticated in [false, true] {
                let plain = try Self.bench(generation, shape, authenticated: isAuthenticated)
                for count in 0...packet.count {
                    var bench = plain
                    bench.send(Array(packet.prefix(count)))
                    bench.send(packet)
                }
                for place in packet.indices {
                    for mask: UInt8 in [0x01, 0x80, 0xFF] {
                        var bench = plain
                        var damaged = packet
                        damaged[place] ^= mask
                        bench.send(damaged)
                        bench.send("33003503e80000")
                    }
                }
            }
        }
    }

    @Test(arguments: KBeaconGeneration.allCases, [1, 2, 3] as [UInt64])
    func `sends nothing longer than the MTU allows`(generation: KBeaconGeneration, seed: UInt64) throws {
        var random = Seed(seed)
        let shape = KBeaconAnswerStyle.Shape.allCases.randomElement(using: &random) ?? .split
        var bench = try Self.bench(generation, shape, authenticated: true)
        var heard = 0
        for _ in 0..<3000 {
            var packet = Self.packets.randomElement(using: &random) ?? []
            if Int.random(in: 0..<4, using: &random) == 0, !packet.isEmpty {
                packet[Int.random(in: 0..<packet.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            if !bench.session.isAuthenticated { bench.authenticate() }
            for said in bench.send(packet) {
                heard += 1
                #expect(said.count <= 2 * 57 && said.count >= 4)
            }
            if Int.random(in: 0..<200, using: &random) == 0 {
                bench.session.disconnect(at: bench.now)
                bench.session.connect()
            }
        }
        #expect(heard > 500)
    }
}
