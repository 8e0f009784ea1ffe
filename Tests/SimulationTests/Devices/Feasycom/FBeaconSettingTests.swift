import Bluetooth
import Simulation
import Testing

/// fbeacon.md, Settings.
@Suite struct `The settings of a Feasycom beacon` {
    typealias Features = FeasycomAdvertiser.Features

    private static func opened(
        _ features: Features, model: UInt8 = 21, _ faults: [FBeaconFault] = [], clicks: [Duration] = []
    ) throws -> FBeaconBench {
        try FBeaconBench.opened(faults) {
            $0.advertiser.features = features
            $0.advertiser.model = model
            $0.plan.window.clicks = clicks
        }
    }

    private static let all: Features = [.led, .buzzer, .gSensor, .button]

    @Test(
        arguments: [
            ("NAME", "x", "x"), ("NAME", "A name of 29 bytes of ASCII !", "A name of 29 bytes of ASCII !"),
            ("NAME", "A name of 30 bytes of ASCII !!", nil), ("NAME", "a=b, c", "a=b, c"),
            ("NAME", "", nil), ("NAME", "\t", nil),
            ("ADVIN", "100", "100"), ("ADVIN", "10000", "10000"), ("ADVIN", "0500", "500"),
            ("ADVIN", "99", nil), ("ADVIN", "10001", nil), ("ADVIN", "-1", nil), ("ADVIN", "", nil),
            ("ADVIN", "100 ", nil), ("ADVIN", "1e3", nil),
            ("TXPOWER", "0", "0"), ("TXPOWER", "f", "F"), ("TXPOWER", "A", "A"), ("TXPOWER", "10", nil),
            ("TXPOWER", "-8", nil), ("TXPOWER", "g", nil), ("TXPOWER", "", nil), ("TXPOWER", "+", nil),
            ("BWMODE", "0", "0"), ("BWMODE", "1", "1"), ("BWMODE", "2", nil), ("BWMODE", "", nil),
            ("KEYCFG", "100,100", "100,100"), ("KEYCFG", "10000,65535", "10000,65535"),
            ("KEYCFG", "0200,05000", "200,5000"), ("KEYCFG", "0,0", "0,0"), ("KEYCFG", "99,100", nil),
            ("KEYCFG", "100,99", nil), ("KEYCFG", "10001,100", nil), ("KEYCFG", "100,65536", nil),
            ("KEYCFG", "0,100", nil), ("KEYCFG", "100,0", nil), ("KEYCFG", "0", nil), ("KEYCFG", "", nil),
            ("KEYCFG", "200", nil), ("KEYCFG", "200,", nil), ("KEYCFG", "1,2,3", nil),
            ("KEYCFG", "200, 5000", nil),
            ("GSCFG", "200,5000", "200,5000"), ("GSCFG", "0,0", "0,0"), ("GSCFG", "5000", nil),
            ("LED", "1000", "1000"), ("LED", "0", "0"), ("LED", "-1", nil), ("LED", "x", nil),
        ] as [(String, String, String?)])
    func `follow their page`(name: String, value: String, kept: String?) throws {
        var bench = try Self.opened(Self.all)
        let before = bench.tell("AT+\(name)")
        #expect(bench.tell("AT+\(name)=\(value)") == [kept == nil ? "ERROR" : "OK"])
        let after = kept.map { ["+\(name)=\($0)", "OK"] } ?? before
        #expect(bench.tell("AT+\(name)") == after)
        bench.openWorkServer()
        bench.powerCycle()
        bench.openWorkServer()
        #expect(bench.tell("AT+\(name)") == after)
        #expect(bench.errors == [] && bench.statistics.changes == 1)
    }

    @Test(arguments: FBeaconAnswers.Restore.allCases)
    func `are those of the factory after AT+RESTORE, if that is supported`(answer: FBeaconAnswers.Restore)
        throws
    {
        var bench = try FBeaconBench.opened { $0.answers.restore = answer }
        let before = bench.tell("AT+NAME")
        #expect(bench.tell("AT+NAME=Shelf 7") == ["OK"])
        #expect(
            bench.tell("AT+RESTORE") == (answer == .answered ? ["OK"] : answer == .silent ? [] : ["ERROR"]))
        bench.openWorkServer()
        let isRestored = answer != .refused
        #expect(bench.tell("AT+NAME") == (isRestored ? before : ["+NAME=Shelf 7", "OK"]))
        bench.powerCycle()
        bench.openWorkServer()
        #expect(bench.tell("AT+NAME") == (isRestored ? before : ["+NAME=Shelf 7", "OK"]))
    }

    @Test(arguments: [
        ("-40", "-40"), ("20", "20"), ("+4", "4"), ("-0", "0"), ("-41", nil), ("21", nil), ("A", nil),
        ("", nil),
    ])
    func `are in dBm for the model that uses it`(value: String, kept: String?) throws {
        var bench = try Self.opened(Self.all, model: 31)
        #expect(bench.tell("AT+TXPOWER=\(value)") == [kept == nil ? "ERROR" : "OK"])
        #expect(bench.tell("AT+TXPOWER") == ["+TXPOWER=\(kept ?? "0")", "OK"])
    }

    @Test(
        arguments: [
            ([], []), (.led, ["LED"]), (.button, ["KEYCFG"]), (.gSensor, ["GSCFG"]), (.buzzer, []),
            (all, ["GSCFG", "KEYCFG", "LED"]),
        ] as [(Features, [String])])
    func `depend on its features`(features: Features, names: [String]) throws {
        var bench = try Self.opened(features)
        for (name, value) in [("GSCFG", "300,300"), ("KEYCFG", "300,300"), ("LED", "300")] {
            let (asked, told) = (bench.tell("AT+\(name)"), bench.tell("AT+\(name)=\(value)"))
            #expect((asked == ["ERROR"]) == !names.contains(name), "\(name)")
            #expect(told == [names.contains(name) ? "OK" : "ERROR"], "\(name)")
        }
        for name in ["NAME", "ADVIN", "TXPOWER", "BWMODE"] { #expect(bench.tell("AT+\(name)").count == 2) }
        for name in ["BUZ", "EXTEND"] { #expect(bench.tell("AT+\(name)") == ["ERROR"]) }
        #expect(bench.statistics.changes == names.count)
    }

    /// A missing feature counts as 0. The third value is the final one of the last setting.
    @Test(arguments: [
        (Features.led, ["ADVIN=0"], "ADVIN=1000"), (.button, ["ADVIN=0"], "ADVIN=1000"),
        (.button, ["KEYCFG=200,5000", "ADVIN=0"], "ADVIN=0"),
        (.button, ["KEYCFG=200,5000", "ADVIN=0", "KEYCFG=0,0"], "KEYCFG=200,5000"),
        (.gSensor, ["GSCFG=200,5000", "ADVIN=0", "GSCFG=0,0"], "GSCFG=200,5000"),
        (.gSensor, ["GSCFG=200,5000", "ADVIN=0", "ADVIN=500", "GSCFG=0,0"], "GSCFG=0,0"),
        (all, ["KEYCFG=200,5000", "GSCFG=300,300", "ADVIN=0", "KEYCFG=0,0"], "KEYCFG=0,0"),
        (all, ["GSCFG=300,300", "ADVIN=0", "GSCFG=0,0"], "GSCFG=300,300"),
    ])
    func `keep at least one reason to advertise`(features: Features, changes: [String], told: String) throws {
        var bench = try Self.opened(features)
        for change in changes.dropLast() { #expect(bench.tell("AT+\(change)") == ["OK"]) }
        let last = try #require(changes.last)
        #expect(bench.tell("AT+\(last)") == [last == told ? "OK" : "ERROR"])
        bench.powerCycle()
        bench.openWorkServer()
        #expect(bench.tell("AT+\(told.prefix { $0 != "=" })") == ["+\(told)", "OK"])
    }

    @Test func `can be acknowledged and not kept, or refused`() throws {
        var bench = try Self.opened(Self.all, [.forgetSetting(2), .refuseSetting(4)])
        let answers = ["ADVIN=1", "ADVIN=200", "TXPOWER=3", "NAME=Tag", "NAME=Tag"].map {
            bench.tell("AT+\($0)")
        }
        #expect(answers == [["ERROR"], ["OK"], ["OK"], ["ERROR"], ["OK"]])
        bench.powerCycle()
        bench.openWorkServer()
        #expect(bench.tell("AT+ADVIN") == ["+ADVIN=1000", "OK"])
        #expect(bench.tell("AT+NAME") == ["+NAME=Tag", "OK"])
        #expect(bench.tell("AT+TXPOWER") == ["+TXPOWER=3", "OK"])
        #expect(bench.statistics.changes == 5)
    }

    // MARK: What is heard of it

    private static func heard(_ bench: FBeaconBench, within time: Duration) -> Int {
        // One at a time: of many at once only the latest are reported.
        stride(from: 0, to: Int(time / .milliseconds(100)), by: 1).reduce(0) { count, step in
            let from = bench.now + .milliseconds(100 * step)
            return count
                + bench.device.reports(after: from, through: from + .milliseconds(100)).count {
                    $0.isConnectable != nil
                }
        }
    }

    @Test func `close it to the next link`() throws {
        var bench = try Self.opened(Self.all)
        #expect(bench.device.takesLink(at: bench.now))
        #expect(bench.tell("AT+BWMODE=1") == ["OK"])
        bench.disconnect()
        #expect(!bench.device.takesLink(at: bench.now))
        let reports = bench.device.reports(after: bench.now, through: bench.now + .seconds(4))
        #expect(reports.compactMap(\.isConnectable) == [false, false, false, false])
        #expect(bench.device.advertisement(at: bench.now)?.isConnectable == false)
        let features = reports.flatMap(\.data.elements).compactMap {
            if case .serviceData(_, let data) = $0 { data[3] } else { nil }
        }
        #expect(features == [0xF0, 0xF0])
        bench.powerCycle()
        #expect(!bench.device.takesLink(at: bench.programStart))
    }

    @Test(arguments: [["BWMODE=1"], ["KEYCFG=200,5000", "ADVIN=0"]])
    func `do not close it while it waits for an update`(settings: [String]) throws {
        var bench = try FBeaconBench.opened { $0.entry.staysConnected = false }
        for setting in settings { #expect(bench.tell("AT+\(setting)") == ["OK"]) }
        #expect(bench.ask("EnterDFU0") == "OK,3E038B021500")
        bench.disconnect()
        bench.pass(until: bench.programStart)
        #expect(bench.device.takesLink(at: bench.now))
        #expect(bench.device.advertisement(at: bench.now)?.isConnectable == true)
        bench.pass(for: .seconds(40))
        #expect(!bench.device.takesLink(at: bench.now))
    }

    @Test func `keep it silent except for a while after a button press`() throws {
        var bench = try Self.opened(
            Self.all, clicks: [.seconds(100), .seconds(200), .seconds(204), .seconds(300)])
        #expect(bench.tell("AT+KEYCFG=200,6000") == ["OK"])
        #expect(bench.tell("AT+ADVIN=0") == ["OK"])
        bench.disconnect()
        #expect(Self.heard(bench, within: .seconds(99)) == 0)
        #expect(!bench.device.takesLink(at: bench.now))
        #expect(bench.device.advertisement(at: bench.now) == nil)
        #expect(bench.device.nextReport(after: bench.now) > bench.now)
        bench.pass(until: .seconds(99))
        #expect(Self.heard(bench, within: .seconds(100)) == 30)
        bench.pass(until: .seconds(105))
        #expect(bench.device.takesLink(at: bench.now))
        #expect(bench.device.advertisement(at: bench.now)?.isConnectable == true)
        #expect(bench.device.nextReport(after: bench.now) - bench.now <= .milliseconds(200))
        bench.pass(until: .seconds(106))
        #expect(!bench.device.takesLink(at: bench.now))
        bench.pass(until: .seconds(199))
        #expect(Self.heard(bench, within: .seconds(100)) == 50)
        bench.pass(until: .seconds(301))
        bench.openWorkServer()
        #expect(bench.tell("AT+ADVIN=1000") == ["OK"])
        bench.disconnect()
        bench.pass(until: .seconds(400))
        #expect(Self.heard(bench, within: .seconds(10)) == 10)
    }
}
