import Testing

@testable import Simulation

/// kbeacon.md, 6.6.
@Suite struct `A KBeacon that blinks or beeps` {
    @Test(
        arguments: [
            (.first, 0, [.light]), (.first, 1, [.beep]), (.first, 2, [.light, .beep]), (.second, 1, [.beep]),
            (.second, 2, [.light]), (.second, 4, [.vibration]), (.second, 3, [.light, .beep]),
        ] as [(KBeaconGeneration, Int, Set<KBeaconRing.Signal>)])
    func `does so as requested`(
        generation: KBeaconGeneration, type: Int, means: Set<KBeaconRing.Signal>
    ) throws {
        var bench = try KBeaconBench(generation)
        #expect(bench.tell("{\"msg\":\"ring\",\"ringTime\":2000,\"ringType\":\(type),\"ledOn\":100}") == "")
        #expect(bench.session.statistics.rings.map(\.signals) == [means])
    }

    @Test(arguments: KBeaconGeneration.allCases)
    func `flashes as requested`(generation: KBeaconGeneration) throws {
        var bench = try KBeaconBench(generation)
        #expect(
            bench.tell(#"{"msg":"ring","ringTime":2000,"ringType":2,"ledOn":100,"ledOff":900}"#) == "")
        #expect(bench.tell(#"{"msg":"ring","ringTime":2000,"ringType":2}"#) == "")
        let rings = bench.session.statistics.rings
        #expect(rings.map(\.onTime) == [.milliseconds(100), nil])
        #expect(rings.map(\.offTime) == [.milliseconds(900), nil])
    }

    @Test func `stops with its link, with the next one, and on request`() throws {
        var bench = try KBeaconBench()
        let start = bench.now
        func ring(_ type: Int) -> String { "{\"msg\":\"ring\",\"ringTime\":2000,\"ringType\":\(type)}" }
        #expect(bench.tell(ring(2)) == "")
        bench.now = start + .seconds(1)
        #expect(bench.session.statistics(at: bench.now).rings.map(\.lasted) == [.seconds(1)])
        #expect(bench.tell(ring(1)) == "")
        bench.now = start + .seconds(9)
        #expect(bench.tell(ring(2)) == "")
        bench.now = start + .seconds(10)
        #expect(bench.tell(#"{"msg":"ring","ringType":0}"#) == "")
        #expect(bench.tell(ring(2)) == "")
        bench.now += .milliseconds(300)
        bench.session.disconnect(at: bench.now)
        #expect(
            bench.session.statistics(at: .seconds(100)).rings.map(\.lasted) == [
                .seconds(1), .seconds(2), .seconds(1), .milliseconds(300),
            ])
    }

    @Test func `cannot beep without a beeper, and may not report that`() throws {
        var bench = try KBeaconBench { $0.capabilities = 0x8_FF0D }
        #expect(bench.tell(#"{"msg":"ring","ringTime":2000,"ringType":1}"#) == "0104")
        var injector = try KBeaconBench {
            $0.capabilities = 0x8_FF0D
            $0.acceptsImpossibleBeeps = true
        }
        #expect(injector.tell(#"{"msg":"ring","ringTime":2000,"ringType":1}"#) == "")
        #expect(injector.session.statistics.rings.map(\.signals) == [[]])
    }

    @Test(arguments: [
        (#""ringTime":2000"#, "0106"), (#""ringType":2"#, "0106"), (#""ringTime":0,"ringType":2"#, "0103"),
        (#""ringTime":2000,"ringType":8"#, "0103"), (#""ringTime":2000,"ringType":2,"ledOn":-1"#, "0103"),
    ])
    func `requires the kind and the duration`(members: String, cause: String) throws {
        var bench = try KBeaconBench()
        #expect(bench.tell("{\"msg\":\"ring\",\(members)}") == cause)
        #expect(bench.session.statistics.rings.isEmpty)
    }
}
