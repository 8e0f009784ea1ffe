import BeaconSessions
import BluetoothTypes
import KBeacon
import PacketSockets
import Radio
import Sessions
import SimulatedDevice
import SimulatedRadio
import SimulatedTime
import Synchronization
import Testing
import Timing

@Suite(.timeLimit(.minutes(10))) struct `A session with a simulated KBeacon` {
    private static func run(
        _ password: Secret = KBeacon.KBeaconSession.factoryPassword,
        _ body: @escaping @Sendable (BeaconSession<KBeacon.KBeaconSession>) async throws -> Void
    ) async throws -> [SessionEvent] {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        var description = NordicDescription(address: address)
        description.becomeKBeacon(KBeaconDescription(.second))
        description.program = .application
        let kind = description
        let events = Mutex<[SessionEvent]>([])
        try await VirtualTime.run { time in
            try await SimulatedAdapter.withBeacons(
                [NordicBeacon(kind, time: time.keeper)], link: nil, time: time.keeper, readiness: time
            ) { adapter in
                try await adapter.withSession(
                    KBeacon.KBeaconSession(password), with: address, within: .seconds(10),
                    telling: { event in events.withLock { $0.append(event) } }, body)
            }
        }
        return events.withLock { $0 }
    }

    private static let light = KBeaconRing(by: .light, for: .seconds(1))

    @Test func `is open until its end, and is told of`() async throws {
        let address = try #require(DeviceAddress("DD:34:02:06:5B:5C"))
        let held = Mutex<BeaconSession<KBeacon.KBeaconSession>?>(nil)
        let events = try await Self.run { session in
            held.withLock { $0 = session }
            #expect(await session.state == .open)
            let answer = try await session.perform { (peer) throws(SessionFailure) in
                try Self.light.exchange(with: peer)
            }
            #expect(answer == [])
        }
        #expect(events == [.opened(address), .closed(address, nil)])
        #expect(await held.withLock { $0 }?.state == .closed)
    }

    @Test func `takes one question at a time`() async throws {
        _ = try await Self.run { session in
            let codes = await withTaskGroup(of: SessionFailure.Code?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            _ = try await session.perform { (peer) throws(SessionFailure) in
                                try Self.light.exchange(with: peer)
                            }
                            return nil
                        } catch { return (error as? SessionFailure)?.code }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .busy } == 2)
            _ = try await session.perform { (peer) throws(SessionFailure) in
                try Self.light.exchange(with: peer)
            }
        }
    }

    @Test func `takes none after its end`() async throws {
        _ = try await Self.run { session in
            await session.close()
            #expect(await session.state == .closing)
            let failure = await #expect(throws: SessionFailure.self) {
                try await session.perform { (peer) throws(SessionFailure) in
                    try Self.light.exchange(with: peer)
                }
            }
            #expect(failure?.code == .closed)
        }
    }

    @Test func `does not open with another password`() async throws {
        let failure = await #expect(throws: SessionFailure.self) {
            try await Self.run(Secret("Bench-07")) { _ in Issue.record("it is open") }
        }
        #expect(failure?.code == .passwordWrong)
    }
}
