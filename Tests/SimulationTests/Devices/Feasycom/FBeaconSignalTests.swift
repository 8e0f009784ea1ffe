import Simulation
import Testing

/// fbeacon.md, Showing itself.
@Suite struct `A Feasycom beacon that blinks or beeps` {
    private static func opened(_ faults: [FBeaconFault] = []) throws -> FBeaconBench {
        try FBeaconBench.opened(faults) { $0.advertiser.features = [.led, .buzzer] }
    }

    /// Commands, each a second after the previous one, and the signals a second after the last.
    @Test(arguments: [
        (["LED=300"], [300]), (["LED=3000"], [1000]), (["LED=3000", "LED=400"], [1000, 400]),
        (["LED=1500", "LED=1500"], [1000, 1000]), (["LED=3000", "LED=0"], [1000]), (["LED=0"], []),
        (["LED=x"], []), (["LED=3000", "LED=x"], [2000]), (["LED=200", "LED=700"], [200, 700]),
        (["LED"], []),
    ])
    func `lights up for the requested time`(commands: [String], lasted: [Int]) throws {
        var bench = try Self.opened()
        for command in commands {
            #expect(bench.tell("AT+\(command)").last == (command.hasSuffix("x") ? "ERROR" : "OK"))
            bench.pass(for: .milliseconds(990))
        }
        #expect(bench.statistics.lights.map(\.lasted) == lasted.map { .milliseconds($0) })
        #expect(bench.statistics.sounds.isEmpty)
    }

    @Test(arguments: [
        (["BUZ=1,100"], [1000]), (["BUZ=1,100", "BUZ=0"], [1000]), (["BUZ=1,100", "BUZ=1,100"], [2000]),
        (["BUZ=1,65535", "BUZ=0", "BUZ=1,1"], [1000, 1000]), (["BUZ=0"], []),
        (["BUZ=1,100", "BUZ=0", "BUZ=0"], [1000]),
    ])
    func `beeps until it is told to stop`(commands: [String], lasted: [Int]) throws {
        var bench = try Self.opened()
        for command in commands {
            #expect(bench.tell("AT+\(command)") == ["OK"])
            bench.pass(for: .milliseconds(990))
        }
        #expect(bench.statistics.sounds.map(\.lasted) == lasted.map { .milliseconds($0) })
        #expect(bench.statistics.changes == 0 && bench.statistics.lights.isEmpty)
    }

    @Test(arguments: ["BUZ", "BUZ=1", "BUZ=2,100", "BUZ=0,100", "BUZ=1,0", "BUZ=1,65536", "BUZ=", "BUZ=on"])
    func `beeps for no other command`(command: String) throws {
        var bench = try Self.opened()
        #expect(bench.tell("AT+\(command)") == ["ERROR"])
        #expect(bench.statistics.sounds.isEmpty)
    }

    @Test(arguments: [true, false]) func `stops with its link, and with its power`(isLink: Bool) throws {
        var bench = try Self.opened()
        #expect(bench.tell("AT+BUZ=1,100") == ["OK"])
        #expect(bench.tell("AT+LED=60000") == ["OK"])
        bench.pass(for: .milliseconds(480))
        #expect(bench.statistics.lights.map(\.lasted) == [.milliseconds(490)])
        if isLink { bench.disconnect() } else { bench.powerCycle() }
        bench.pass(for: .seconds(10))
        #expect(bench.statistics.lights.map(\.lasted) == [.milliseconds(490)])
        #expect(bench.statistics.sounds.map(\.lasted) == [.milliseconds(500)])
        // The time of the light is a setting.
        bench.openWorkServer()
        #expect(bench.tell("AT+LED") == ["+LED=60000", "OK"])
    }

    @Test func `lights up for a setting that it does not keep, and not for one that it refuses`() throws {
        var bench = try Self.opened([.forgetSetting(1), .refuseSetting(2)])
        #expect(bench.tell("AT+LED=700") == ["OK"])
        bench.pass(for: .seconds(1))
        #expect(bench.tell("AT+LED=800") == ["ERROR"])
        bench.pass(for: .seconds(1))
        #expect(bench.tell("AT+LED") == ["+LED=500", "OK"])
        #expect(bench.statistics.lights.map(\.lasted) == [.milliseconds(700)])
    }
}
