import Bluetooth
import Bytes
import Simulation
import Testing

/// A KBeacon with its bootloader, over raw attribute packets (kbeacon.md, Attributes, Update).
@Suite(.timeLimit(.minutes(10))) struct `A simulated KBeacon` {
    static func bench(
        _ faults: [Fault] = [], clock: JumpingClock = JumpingClock(), retained: RetainedState? = nil,
        retainedImage: [UInt8] = [], _ change: (inout KBeaconDescription) -> Void = { _ in }
    ) throws -> BeaconBench {
        var session = KBeaconDescription(.second)
        change(&session)
        return try BeaconBench(faults, clock: clock, retained: retained, retainedImage: retainedImage) {
            $0.becomeKBeacon(session)
        }
    }

    static func link(
        _ bench: BeaconBench, _ body: @Sendable (KBeaconLink) async throws -> Void
    ) async throws {
        try await bench.link { try await body(KBeaconLink(client: $0)) }
    }

    @Test func `has the services of one`() async throws {
        let bench = try Self.bench { $0.fillsSystemID = true }
        try await Self.link(bench) { link async throws in
            #expect(try await link.ask("02f700") == "03f700")
            #expect(try await link.ask("0a0600") == "0bff0000feff" + "000df0")
            #expect(try await link.ask("0a0800") == "0b" + digits("KBPro"))
            #expect(try await link.ask("0a0a00") == "0b" + digits("V6.20"))
            #expect(try await link.ask("0a0300") == "0b" + digits("Beacon"))
            #expect(
                try await link.ask("080c0013000328") == "09070c000c0d00a1fe0e00100f00a2fe110020" + "1200a3fe")
            #expect(try await link.ask("10140014000028") == "1106140017" + "0059fe")
        }
        let plain = try Self.bench()
        try await Self.link(plain) { link async throws in
            #expect(try await link.ask("0a0600") == "0bff0000000df0")
        }
    }

    @Test func `communicates through its attributes`() async throws {
        let bench = try Self.bench()
        try await Self.link(bench) { link async throws in
            #expect(try await link.begin() == "1302f7")
            #expect(try await link.message(#"{"msg":"ring","ringTime":60000,"ringType":2}"#) == "")
            #expect(try await link.message(#"{"msg":"getPara","stype":32}"#) == "23000000000103")
            // A Write Command works as well.
            try await link.client.send("52" + KBeaconLink.write + "230000" + digits(#"{"msg":"cfg"}"#))
            #expect(try await link.client.next() == "1b0f0023000000000106")
            try await bench.time.sleep(for: .seconds(5))
        }
        let seen = try #require(await bench.beacon.session)
        #expect(seen.rings.map(\.lasted).allSatisfy { (.seconds(5)...(.seconds(6))).contains($0) })
        #expect(seen.rings.count == 1 && seen.commands.count == 3 && seen.passwordsTried == 1)
        #expect(seen.brokenRules == [:])
    }

    @Test func `accepts no more bytes in a write than it has announced`() async throws {
        for (reportsMTU, room) in [(true, 244), (false, 20)] {
            let bench = try Self.bench { $0.handshake.reportsMTU = reportsMTU }
            try await Self.link(bench) { link async throws in
                _ = try await link.begin()
                let value = "200000" + String(repeating: "7b", count: room - 3)
                #expect(try await link.ask("12" + KBeaconLink.write + value) == "13")
                _ = try await link.client.next()
                #expect(try await link.ask("12" + KBeaconLink.write + value + "7b") == "01120d000d")
            }
        }
        let small = try Self.bench { $0.handshake.maximumMTU = 185 }
        try await Self.link(small) { link async throws in #expect(try await link.ask("02f700") == "03b900") }
    }

    @Test func `is switched off until its button is held, or the power comes back`() async throws {
        let bench = try Self.bench()
        func isHeard() async -> Bool {
            let now = bench.time.now
            let reports = await bench.beacon.reports(after: now, through: now + .seconds(5))
            return !reports.isEmpty
        }
        func switchOff() async throws {
            try await Self.link(bench) { link async throws in
                _ = try await link.begin()
                #expect(try await link.message(#"{"msg":"admin","stype":"pwroff"}"#) == "")
            }
        }
        #expect(await isHeard())
        try await switchOff()
        #expect(await !isHeard())
        #expect(await bench.beacon.advertisement(at: bench.time.now) == nil)
        try await Self.link(bench) { link async throws in #expect(try await link.client.next() == nil) }
        await bench.beacon.holdButton()
        #expect(await isHeard())
        try await switchOff()
        await bench.beacon.powerCycle()
        #expect(await isHeard())
    }

    @Test func `indicates its events`() async throws {
        let bench = try Self.bench { $0.events = [KBeaconEvent(trigger: 4, after: .milliseconds(100))] }
        try await Self.link(bench) { link async throws in
            #expect(try await link.ask(KBeaconLink.eventsOn) == "13")
            #expect(try await link.begin() == "1302f7")
            #expect(try await link.client.next() == "1d120004")
            // The first confirmation is of the event, and only the second one of the bootloader entry.
            _ = try await link.ask(KBeaconLink.buttonlessOn)
            #expect(try await link.ask("12" + KBeaconLink.buttonless + "01") == "13")
            #expect(try await link.client.next() == "1d1600200101")
            try await link.client.send("1e")
            #expect(try await link.ask("0a0300") == "0b" + digits("Beacon"))
            try await bench.time.sleep(for: .seconds(1))
            #expect(await bench.beacon.mode == .application)
            try await link.client.send("1e")
            #expect(try await link.client.next() == nil)
        }
    }

    @Test func `can lose and repeat notifications, as others can`() async throws {
        let bench = try Self.bench([.loseNotification(3), .doubleNotification(4)])
        try await Self.link(bench) { link async throws in
            _ = try await link.begin()
            #expect(try await link.ask("12" + KBeaconLink.write + "2000007b22") == "13")
            try await bench.time.sleep(for: .seconds(1))
            #expect(try await link.tell("2000007b22") == "23000203e80004")
            #expect(try await link.client.next() == "1b0f0023000203e80004")
        }
    }
}
