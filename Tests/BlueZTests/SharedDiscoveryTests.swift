import Bluetooth
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

private let start: UInt16 = 0x23
private let stop: UInt16 = 0x24

/// A kernel with one discovery for all programs, which ends some time after the answer to the stop command.
private final class OneDiscovery: Sendable {
    let isOn: Shared<Bool>
    init(isOn: Bool = false) { self.isOn = Shared(isOn) }

    static let ended = Packet.event(0x13, 0, [6, 0])
    static let begun = Packet.event(0x13, 0, [6, 1])

    /// Busy while a discovery is on; stopping takes effect when `end` is called.
    func script(endingAtOnce: Bool = true) -> ScriptedKernel.Script {
        let ordinary = ScriptedKernel.controller()
        return { [isOn] request in
            switch request.opcode {
            case start:
                let wasOn = isOn.change { isOn in
                    defer { isOn = true }
                    return isOn
                }
                return [wasOn ? request.refused(0x0A) : request.complete()]
            case stop:
                guard endingAtOnce else { return [request.complete()] }
                isOn.change { $0 = false }
                return [request.complete(), Self.ended]
            default: return ordinary(request)
            }
        }
    }

    func end(_ kernel: ScriptedKernel) async throws {
        isOn.change { $0 = false }
        try await kernel.say(Self.ended)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The discovery of the kernel's adapter` {
    private static func listener(of adapter: KernelAdapter, _ time: VirtualTime) -> Task<Int, any Error> {
        `A scan of the kernel's adapter`.listener(of: adapter, time)
    }

    /// The trace of a killed program: a discovery that runs on for up to 10.24 s and has reported every beacon already.
    @Test func `begins when another program's discovery ends`() async throws {
        let air = OneDiscovery(isOn: true)
        try await withAdapter(air.script()) { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(8400))
            #expect(adapter.state.withLock { $0.discovery.isForeign })
            try await air.end(kernel)
            try await time.clock.sleep(for: .milliseconds(1))
            #expect(
                kernel.moments(of: start)
                    == `A scan of the kernel's adapter`.begins + [.milliseconds(8400)])
            #expect(adapter.state.withLock { $0.discovery.isOurs && !$0.discovery.isForeign })
            try await time.clock.sleep(for: .milliseconds(700))
            #expect(kernel.moments(of: start).suffix(2) == [.milliseconds(8700), .milliseconds(9000)])
            try await time.clock.sleep(for: .seconds(20))
            #expect(adapter.deafTime == .milliseconds(8400))
            task.cancel()
            _ = try await task.value
        } after: { kernel in
            #expect(kernel.opcodes.last == stop)
        }
    }

    /// A search for ten seconds, 8.4 of them deaf: the beacon is heard 16 s after the start.
    @Test func `extends a search by the time in which it was deaf`() async throws {
        let air = OneDiscovery(isOn: true)
        try await withAdapter(air.script()) { adapter, kernel, time in
            let peer = try address("F0:0D:00:00:00:01")
            async let heard = adapter.firstHeard(of: [peer], within: .seconds(10))
            try await time.clock.sleep(for: .milliseconds(8400))
            try await air.end(kernel)
            try await time.clock.sleep(until: .seconds(16))
            try await kernel.say(Packet.deviceFound)
            #expect(try await heard?.address == peer)
        }
    }

    @Test func `extends a search by no more than the longest scan a killed program leaves`() async throws {
        let air = OneDiscovery(isOn: true)
        try await withAdapter(air.script()) { adapter, _, time in
            let peer = try address("F0:0D:00:00:00:01")
            #expect(try await adapter.firstHeard(of: [peer], within: .seconds(10)) == nil)
            #expect(time.now == .seconds(25))
        }
    }

    @Test func `does not extend a search that was never deaf`() async throws {
        try await withAdapter(OneDiscovery().script()) { adapter, _, time in
            let peer = try address("F0:0D:00:00:00:01")
            #expect(try await adapter.firstHeard(of: [peer], within: .seconds(10)) == nil)
            #expect(time.now == .seconds(10))
            #expect(adapter.deafTime == .zero)
        }
    }

    /// The end of a search and the start of the next coincide in the kernel.
    @Test func `is not taken for another program's while it is ending`() async throws {
        let air = OneDiscovery()
        try await withAdapter(air.script(endingAtOnce: false)) { adapter, kernel, time in
            let first = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(10))
            first.cancel()
            let second = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(30))
            #expect(adapter.state.withLock { !$0.discovery.isForeign })
            try await air.end(kernel)
            try await time.clock.sleep(for: .milliseconds(1))
            #expect(adapter.state.withLock { $0.discovery.isOurs && !$0.discovery.isForeign })
            #expect(kernel.moments(of: start).last == .milliseconds(40))
            #expect(adapter.deafTime == .zero)
            air.isOn.change { $0 = false }
            second.cancel()
            _ = try await (first.value, second.value)
        }
    }

    @Test func `restarts for another listener, and continues when the first leaves`() async throws {
        let air = OneDiscovery()
        try await withAdapter(air.script()) { adapter, kernel, time in
            let first = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(5500))
            let second = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(500))
            #expect(
                kernel.moments(of: start).suffix(3) == [
                    .seconds(4), .milliseconds(5500), .milliseconds(5800),
                ])
            first.cancel()
            _ = try await first.value
            #expect(kernel.moments(of: stop).count == kernel.moments(of: start).count - 1)
            try await time.clock.sleep(for: .seconds(1))
            #expect(kernel.moments(of: start).last == .milliseconds(6500))
            second.cancel()
            _ = try await second.value
            try await time.clock.sleep(for: .seconds(20))
            #expect(kernel.moments(of: start).last == .milliseconds(6500))
            #expect(kernel.moments(of: stop).count == kernel.moments(of: start).count)
            #expect(!air.isOn.change { $0 })
        }
    }

    /// The kernel interrupts the discovery to connect, and does not resume it.
    @Test func `begins again at once after a connection interrupted it`() async throws {
        let air = OneDiscovery()
        try await withAdapter(air.script()) { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(4500))
            try await air.end(kernel)
            try await time.clock.sleep(for: .milliseconds(1))
            #expect(kernel.moments(of: start).suffix(2) == [.seconds(4), .milliseconds(4500)])
            try await time.clock.sleep(for: .seconds(1))
            #expect(kernel.moments(of: start).suffix(2) == [.milliseconds(5100), .milliseconds(5500)])
            task.cancel()
            _ = try await task.value
        }
    }

    @Test func `continues when a listener is cancelled while it joins`() async throws {
        let air = OneDiscovery()
        try await withAdapter(air.script(endingAtOnce: false)) { adapter, kernel, time in
            let first = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(200))
            let second = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(10))
            second.cancel()
            await #expect(throws: AdapterError.cancelled) { try await second.value }
            #expect(time.now == .milliseconds(210))
            try await time.clock.sleep(for: .milliseconds(10))
            try await air.end(kernel)
            try await time.clock.sleep(for: .milliseconds(1))
            #expect(kernel.moments(of: start).last == .milliseconds(220))
            #expect(adapter.state.withLock { $0.discovery.isOurs })
            air.isOn.change { $0 = false }
            first.cancel()
            _ = try await first.value
        }
    }

    /// A kernel refuses to end a discovery that it has accepted until it also reports that it is on.
    @Test func `restarts for a listener that joins before the kernel reports it as on`() async throws {
        let isOn = Shared(false)
        let air = OneDiscovery()
        let script = air.script()
        try await withAdapter { request in
            request.opcode == stop && !isOn.change { $0 } ? [request.refused(0x0B)] : script(request)
        } _: { adapter, kernel, time in
            let first = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(5))
            let second = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .milliseconds(5))
            #expect(kernel.moments(of: stop) == [.milliseconds(5)])
            isOn.change { $0 = true }
            try await kernel.say(OneDiscovery.begun)
            try await time.clock.sleep(for: .milliseconds(1))
            #expect(kernel.moments(of: stop) == [.milliseconds(5), .milliseconds(10)])
            #expect(kernel.moments(of: start) == [.zero, .milliseconds(10)])
            #expect(adapter.state.withLock { $0.discovery.isOurs && !$0.discovery.isForeign })
            first.cancel()
            second.cancel()
            _ = try await (first.value, second.value)
        }
    }

    @Test func `still runs for a listener that joins soon after, and shares its scan history`() async throws {
        let air = OneDiscovery()
        try await withAdapter(air.script()) { adapter, kernel, time in
            let peer = try address("F0:0D:00:00:00:01")
            async let heard = adapter.firstHeard(of: [peer], within: .seconds(10))
            try await time.clock.sleep(for: .milliseconds(100))
            try await kernel.say(Packet.deviceFound)
            #expect(try await heard?.address == peer)
            try await time.clock.sleep(for: .milliseconds(100))
            let memory = adapter.scanHistory()
            #expect(memory.listeningSince == .zero)
            #expect(memory.sightings.map(\.address) == [peer])
            #expect(memory.sightings.map(\.lastSeen) == [.milliseconds(100)])
            var further: AsyncStream? = try await adapter.furtherAdvertisements()
            #expect(kernel.moments(of: start) == [.zero])
            try await time.clock.sleep(for: .milliseconds(50))
            withExtendedLifetime(further) {}
            further = nil
            try await time.clock.sleep(for: .seconds(20))
            #expect(kernel.moments(of: stop) == [.milliseconds(1250)])
            #expect(adapter.scanHistory().listeningSince == nil)
            #expect(adapter.scanHistory().sightings.isEmpty)
        }
    }
}
