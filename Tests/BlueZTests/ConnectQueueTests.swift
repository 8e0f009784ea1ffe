import Bluetooth
import Simulation
import TestSupport
import Testing

@testable import BlueZ

/// An air in which every device but the silent ones answers at once; it notes when each was connected to.
private final class Answering: Sendable {
    let attempts = Shared([(moment: Duration, peer: String)]())
    let far = Shared([PacketSocket]())
    private let silent: Set<String>

    init(silent: Set<String>) { self.silent = silent }

    func connecting(_ time: VirtualTime) -> KernelAdapter.Connecting {
        { [self] (_, _, peer, limit) async throws(ConnectFailure) in
            attempts.change { $0.append((time.now, peer.description)) }
            guard !silent.contains(peer.description) else {
                do { try await time.clock.sleep(for: limit) } catch { throw .cancelled }
                throw .timedOut
            }
            do {
                let (near, other) = try PacketSocket.pair(readiness: time)
                far.change { $0.append(other) }
                return near
            } catch { throw .system("socketpair", 0) }
        }
    }

    func moments(of peer: String) -> [Duration] {
        attempts.change { $0 }.filter { $0.peer == peer }.map(\.moment)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The connect queue` {
    private static let silent = "F0:0D:00:00:00:0A"
    /// The kernel knows no link to disconnect.
    private static let kernel = ScriptedKernel.controller(refusing: [0x14: 0x02])
    private static let present = "F0:0D:00:00:00:01"

    private static func open(
        _ peer: String, with adapter: KernelAdapter, within limit: Duration = .seconds(10)
    ) async throws -> AdapterError? {
        let peer = try address(peer)
        do throws(AdapterError) {
            try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: limit).close()
            return nil
        } catch { return error }
    }

    @Test func `counts the time of connecting, but not as deaf time`() async throws {
        let air = Answering(silent: [Self.silent])
        try await withAdapter(Self.kernel, connecting: air.connecting) { adapter, _, time in
            _ = try await Self.open(Self.silent, with: adapter)
            #expect(adapter.connectingTime > .seconds(8) && adapter.connectingTime <= time.now)
            #expect(adapter.deafTime == .zero)
        }
    }

    @Test func `gives a single device the whole of each attempt`() async throws {
        let air = Answering(silent: [Self.silent])
        try await withAdapter(Self.kernel, connecting: air.connecting) { adapter, _, time in
            let error = try await Self.open(Self.silent, with: adapter)
            #expect(error == .noAnswer(try address(Self.silent)))
            #expect(air.moments(of: Self.silent) == [0, 4200, 8600].map { .milliseconds($0) })
            #expect(time.now == .seconds(10))
        }
    }

    /// Attempts of other devices do not count: the silent one gets all its time.
    @Test func `lets a device wait for at most one attempt, the first of which is short`() async throws {
        let air = Answering(silent: [Self.silent])
        try await withAdapter(Self.kernel, connecting: air.connecting) { adapter, _, time in
            async let silent = Self.open(Self.silent, with: adapter)
            var waits: [Duration] = []
            for (number, second) in [0.1, 3, 9].enumerated() {
                try await time.clock.sleep(until: .seconds(1) * second)
                #expect(try await Self.open("F0:0D:00:00:00:0\(number)", with: adapter) == nil)
                waits.append(time.now - .seconds(1) * second)
            }
            // The second attempt, from 1.7 s on, has had 3 s at 4.7 s; the third, from 5.1 s on, ends at 9.1 s.
            #expect(waits == [1400, 1700, 100].map { .milliseconds($0) })
            #expect(try await silent == .noAnswer(try address(Self.silent)))
        }
    }

    @Test func `serves the next device while another one pauses between two attempts`() async throws {
        let air = Answering(silent: [Self.silent])
        try await withAdapter(Self.kernel, connecting: air.connecting) { adapter, _, time in
            async let silent = Self.open(Self.silent, with: adapter)
            try await time.clock.sleep(until: .milliseconds(4100))
            #expect(try await Self.open(Self.present, with: adapter) == nil)
            #expect(time.now == .milliseconds(4100))
            _ = try await silent
        }
    }

    @Test func `serves higher priorities first`() async throws {
        let air = Answering(silent: [Self.silent])
        try await withAdapter(Self.kernel, connecting: air.connecting) { adapter, _, time in
            async let silent = Self.open(Self.silent, with: adapter)
            try await time.clock.sleep(for: .milliseconds(100))
            async let later = Self.open("F0:0D:00:00:00:02", with: adapter)
            try await time.clock.sleep(for: .milliseconds(100))
            let peer = try address(Self.present)
            try await adapter.open(
                .attributes, to: peer, asking: LinkRequest(priority: 1), within: .seconds(10)
            )
            .close()
            _ = try await (later, silent)
            #expect(
                air.attempts.change { $0 }.prefix(3).map(\.peer)
                    == [Self.silent, Self.present, "F0:0D:00:00:00:02"])
        }
    }
}
