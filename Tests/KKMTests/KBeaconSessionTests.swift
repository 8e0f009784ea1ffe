import Bluetooth
import Bytes
import Simulation
import Synchronization
import Testing
import UpdateEngine
import UpdateModel

@testable import KKM

@Suite(.timeLimit(.minutes(10))) struct `A session with a simulated KBeacon` {
    private static func run(
        _ password: Secret = KKM.KBeaconSession.factoryPassword,
        faults: [Fault] = [],
        _ body: @escaping @Sendable (BeaconSession<KKM.KBeaconSession>, Timekeeper) async throws -> Void
    ) async throws -> [SessionEvent] {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        var description = NordicDescription(address: address)
        description.becomeKBeacon(KBeaconDescription(.second))
        description.program = .application
        let kind = description
        let events = Mutex<[SessionEvent]>([])
        try await VirtualTime.run { time in
            try await SimulatedAdapter.withBeacons(
                [NordicBeacon(kind, time: time.clock, faults: faults)], link: nil, time: time.clock,
                readiness: time
            ) { adapter in
                try await adapter.withSession(
                    KKM.KBeaconSession(password), with: address, within: .seconds(10),
                    telling: { event in events.withLock { $0.append(event) } }
                ) { try await body($0, adapter.time) }
            }
        }
        return events.withLock { $0 }
    }

    @Test func `is open until its end, and reported in events`() async throws {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        let played = Mutex<BeaconSession<KKM.KBeaconSession>?>(nil)
        let events = try await Self.run { session, _ in
            played.withLock { $0 = session }
            #expect(await session.state == .open)
            try await session.ring()
        }
        #expect(events == [.opened(address), .closed(address, nil)])
        #expect(await played.withLock { $0 }?.state == .closed)
    }

    @Test func `runs one request at a time`() async throws {
        _ = try await Self.run { session, _ in
            let codes = await withTaskGroup(of: FailureCode?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            try await session.ring()
                            return nil
                        } catch { return (error as? SessionFailure)?.code }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .session.busy } == 2)
            try await session.ring()
        }
    }

    @Test func `accepts none after its end`() async throws {
        _ = try await Self.run { session, _ in
            await session.close()
            #expect(await session.state == .closing)
            let failure = await #expect(throws: SessionFailure.self) { try await session.ring() }
            #expect(failure?.code == .session.closed)
        }
    }

    @Test func `stays closed if it is closed during a request`() async throws {
        _ = try await Self.run { session, time in
            async let ringing: Void = session.ring(for: .seconds(5))
            try await time.sleep(for: .seconds(1))
            await session.close()
            try await ringing
            #expect(await session.state == .closing)
            let failure = await #expect(throws: SessionFailure.self) { try await session.ring() }
            #expect(failure?.code == .session.closed)
        }
    }

    @Test func `never reports a blink of a beacon whose link was cut meanwhile`() async throws {
        var cuts = 0
        while true {
            do {
                _ = try await Self.run(faults: [.cut(afterPacket: cuts + 1)]) { session, _ in
                    try await session.ring(for: .seconds(5))
                }
                break
            } catch let failure as SessionFailure {
                #expect(failure.code == .device.linkLost)
            } catch GATTError.disconnected, AdapterError.noAnswer {}
            cuts += 1
        }
        // The last cut comes after the command, while the beacon blinks.
        #expect(cuts > 10 && cuts < 60, "\(cuts)")
    }

    @Test func `names the settings that may have been written if it is interrupted`() async throws {
        let wanted = try KKM.KBeaconSettings(
            try YAMLValue(parsing: Array("generation: 2\nname: Bench 7\n".utf8)), besides: [])
        let failure = await #expect(throws: SessionFailure.self) {
            _ = try await Self.run(faults: [.kbeacon(.loseAnswer(5))]) { session, time in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        _ = try await session.perform { (peer) throws(SessionFailure) in
                            SettingsChange(to: wanted, of: peer)
                        }
                    }
                    try await time.sleep(for: .seconds(2))
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        #expect(failure?.code == .system.interrupted)
        #expect(failure?.message == "interrupted before the end; settings may have been written: name")
        #expect(failure?.remedy == "run the same command again: it writes only settings that differ")
    }

    @Test func `does not open with another password`() async throws {
        let failure = await #expect(throws: SessionFailure.self) {
            try await Self.run(Secret("Bench-07")) { _, _ in Issue.record("it is open") }
        }
        #expect(failure?.code == .session.passwordWrong)
    }
}

extension BeaconSession<KKM.KBeaconSession> {
    fileprivate func ring(for length: Duration = .seconds(1)) async throws {
        try await perform { (peer) throws(SessionFailure) in
            try KBeaconRing(by: .light, for: length, of: peer)
        }
    }
}
