import Bluetooth
import Bytes
import Logging
import Simulation
import TestSupport
import Testing

@testable import BlueZ

private let start: UInt16 = 0x23
private let stop: UInt16 = 0x24

@Suite(.timeLimit(.minutes(10))) struct `A scan of the kernel's adapter` {
    /// When discoveries begin for a listener from the start, up to the ninth second.
    static let begins: [Duration] = [0, 300, 600, 1000, 2000, 4000, 8000].map { .milliseconds($0) }

    /// Listens until it is cancelled; returns the number of reports.
    static func listener(of adapter: KernelAdapter, _ time: VirtualTime) -> Task<Int, any Error> {
        Task(executorPreference: time) {
            var count = 0
            for await _ in try await adapter.advertisements() { count += 1 }
            return count
        }
    }

    @Test func `passes on adverts that this controller heard`() async throws {
        try await withAdapter { adapter, kernel, time in
            let reports = try await adapter.advertisements()
            #expect(kernel.opcodes.last == start)
            try await kernel.say(Packet.event(0x12, 1, [UInt8](hex: "665544332211 01 7F 00000000 0000")))
            try await kernel.say(Packet.event(0x05, 1, []))
            try await kernel.say(Packet.deviceFound)
            var iterator = reports.makeAsyncIterator()
            let report = await iterator.next()
            #expect(
                report
                    == Advertisement(
                        address: try address("F0:0D:00:00:00:01"), rssi: -60, isConnectable: true,
                        data: AdvertisingData([2, 1, 6])))
            #expect(time.now == .zero)
        }
    }

    @Test func `restarts the discovery every few seconds, and stops it at the end`() async throws {
        try await withAdapter { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(9))
            #expect(kernel.moments(of: start) == Self.begins)
            #expect(kernel.moments(of: stop) == Array(Self.begins.dropFirst()))
            try await kernel.say(Packet.deviceFound)
            try await kernel.say(Packet.deviceFound)
            try await time.clock.sleep(for: .seconds(1))
            task.cancel()
            #expect(try await task.value == 2)
            try await time.clock.sleep(for: .seconds(30))
            #expect(kernel.moments(of: start).count == 7)
            // It runs for another second, for a possible next listener.
            #expect(kernel.moments(of: stop) == Self.begins.dropFirst() + [.seconds(11)])
        }
    }

    @Test func `stops when its scope ends right after the listener`() async throws {
        try await withAdapter { adapter, kernel, time in
            try await kernel.say(Packet.deviceFound)
            let peer = try address("F0:0D:00:00:00:01")
            async let heard = adapter.firstHeard(of: [peer], within: .seconds(5))
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.deviceFound)
            #expect(try await heard?.address == peer)
        } after: { kernel in
            #expect(kernel.opcodes.last == stop)
        }
    }

    @Test func `stops when its scope ends during the scan`() async throws {
        try await withAdapter { adapter, _, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(1))
            withExtendedLifetime(task) {}
        } after: { kernel in
            #expect(kernel.opcodes.suffix(2) == [start, stop])
        }
    }

    @Test func `stops when everything is cancelled`() async throws {
        try await withAdapter(within: .seconds(2)) { adapter, _, time in
            let reports = try await adapter.advertisements()
            try await time.clock.sleep(for: .seconds(100))
            withExtendedLifetime(reports) {}
        } after: { kernel in
            #expect(kernel.opcodes.suffix(2) == [start, stop])
        }
    }

    @Test func `of an adapter whose scope is ending ends at once`() async throws {
        try await withChannel { channel, kernel, time in
            let (_, jobs) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
            jobs.finish()
            var reader = ByteReader(Packet.information())
            let adapter = KernelAdapter(
                index: 0, information: try ControllerInformation(parsing: &reader), management: channel,
                jobs: jobs,
                in: KernelAdapter.Environment(
                    time: time.clock, readiness: time,
                    log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), executor: time))
            let ended: Void? = try await time.clock.within(.seconds(1)) {
                for await report in try await adapter.advertisements() { Issue.record("\(report)") }
            }
            #expect(ended != nil)
            #expect(
                kernel.opcodes.count(where: { $0 == start }) == kernel.opcodes.count(where: { $0 == stop }))
        }
    }

    @Test func `ends with its scope`() async throws {
        let reports = Shared<AsyncStream<Advertisement>?>(nil)
        try await withAdapter { adapter, _, _ in
            let stream = try await adapter.advertisements()
            reports.change { $0 = stream }
        }
        let stream = try #require(reports.change { $0 })
        for await report in stream { Issue.record("\(report)") }
    }

    @Test(
        arguments: [
            (0x14, .notPermitted(capability: "CAP_NET_ADMIN", to: "scan")),
            (
                0x03,
                .unavailable("hci0 cannot scan: the kernel answers 'failed' to Start Discovery")
            ),
        ] as [(UInt8, AdapterError)])
    func `reports why it cannot start`(_ status: UInt8, _ error: AdapterError) async throws {
        try await withAdapter(ScriptedKernel.controller(refusing: [start: status])) { adapter, kernel, time in
            await #expect(throws: error) { _ = try await adapter.advertisements() }
            try await time.clock.sleep(for: .seconds(9))
            #expect(kernel.opcodes.filter { $0 == start || $0 == stop } == [start])
        }
    }

    /// The scan retries for ten seconds, since a controller may just have been plugged in.
    @Test(
        arguments: [
            (0x0F, "hci0 is off"), (0x12, "hci0 is off"), (0x11, "no adapter hci0"),
        ] as [(UInt8, String)])
    func `reports that the controller is away when it stays away`(_ status: UInt8, _ text: String)
        async throws
    {
        try await withAdapter(ScriptedKernel.controller(refusing: [start: status])) { adapter, kernel, time in
            await #expect(throws: AdapterError.unavailable(text)) { _ = try await adapter.advertisements() }
            #expect(time.now == .milliseconds(7750))
            #expect(kernel.moments(of: start).count == 6)
        }
    }

    @Test func `begins once a controller that refused is ready`() async throws {
        let starts = Shared(0)
        let script: ScriptedKernel.Script = { request in
            guard request.opcode == start else { return ScriptedKernel.controller()(request) }
            let count = starts.change { count -> Int in
                count += 1
                return count
            }
            return [count < 3 ? request.refused(0x0F) : request.complete()]
        }
        try await withAdapter(script) { adapter, _, time in
            _ = try await adapter.advertisements()
            #expect(time.now == .milliseconds(750))
        }
    }

    @Test func `listens during another program's scan without ending it`() async throws {
        try await withAdapter(ScriptedKernel.controller(refusing: [start: 0x0A])) { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(9))
            #expect(kernel.moments(of: start) == Self.begins)
            try await kernel.say(Packet.deviceFound)
            try await time.clock.sleep(for: .seconds(1))
            task.cancel()
            #expect(try await task.value == 1)
        } after: { kernel in
            #expect(kernel.moments(of: stop) == [])
        }
    }

    @Test func `continues after a discovery that could not start`() async throws {
        let starts = Shared(0)
        let ordinary = ScriptedKernel.controller()
        let script: ScriptedKernel.Script = { request in
            guard request.opcode == start else { return ordinary(request) }
            let count = starts.change { count -> Int in
                count += 1
                return count
            }
            return [count == 2 ? request.refused(0x03) : request.complete()]
        }
        try await withAdapter(script) { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(9))
            #expect(kernel.moments(of: start) == Self.begins)
            task.cancel()
            _ = try await task.value
        }
    }

    @Test func `ends when the controller is removed, and so does every later one`() async throws {
        try await withAdapter { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.deviceFound)
            try await kernel.say(Packet.indexRemoved)
            #expect(try await task.value == 1)
            let removed = AdapterError.unavailable("hci0 was removed")
            await #expect(throws: removed) { try await adapter.advertisements() }
            #expect(time.now == .seconds(11))
            let peer = try address("F0:0D:00:00:00:02")
            await #expect(throws: removed) {
                try await adapter.open(.attributes, to: peer, asking: LinkRequest(), within: .seconds(1))
            }
            #expect(time.now == .seconds(12))
            try await kernel.say(Packet.event(0x04, 0, []))
            try await time.clock.sleep(for: .seconds(1))
            _ = try await adapter.advertisements()
        }
    }

    @Test func `ends when the controller is switched off, and reports that when it is asked again`()
        async throws
    {
        let isOn = Shared(true)
        let ordinary = ScriptedKernel.controller()
        let script: ScriptedKernel.Script = { request in
            guard request.opcode == 0x04, !isOn.change({ $0 }) else { return ordinary(request) }
            return [request.complete(Packet.information(settings: 0x200))]
        }
        try await withAdapter(script) { adapter, kernel, time in
            let task = Self.listener(of: adapter, time)
            try await time.clock.sleep(for: .seconds(1))
            isOn.change { $0 = false }
            try await kernel.say(Packet.event(0x06, 0, [0, 2, 0, 0]))
            #expect(try await task.value == 0)
            #expect(time.now == .seconds(1))
            let off = AdapterError.unavailable("hci0 was switched off")
            await #expect(throws: off) { try await adapter.advertisements() }
            #expect(time.now == .seconds(11))
        }
    }

    /// Settings from an event may be older than later commands; the actual state counts.
    @Test func `is not prevented by outdated settings`() async throws {
        try await withAdapter { adapter, kernel, time in
            try await kernel.say(Packet.event(0x06, 0, [0, 2, 0, 0]))
            try await time.clock.sleep(for: .seconds(1))
            _ = try await adapter.advertisements()
            #expect(time.now == .seconds(1))
        }
    }

    @Test func `of one device continues when the controller is plugged in again`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, kernel, time in
            async let heard = adapter.firstHeard(of: [peer], within: .seconds(30))
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.indexRemoved)
            try await time.clock.sleep(for: .seconds(5))
            try await kernel.say(Packet.event(0x04, 0, []))
            try await time.clock.sleep(for: .milliseconds(1))
            try await kernel.say(Packet.deviceFound)
            #expect(try await heard?.address == peer)
            #expect(time.now < .seconds(7))
        }
    }

    @Test func `of one device ends with the reason when the controller stays away`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, kernel, time in
            let search = Task(executorPreference: time) {
                try await adapter.firstHeard(of: [peer], within: .seconds(30))
            }
            try await time.clock.sleep(for: .seconds(1))
            try await kernel.say(Packet.indexRemoved)
            await #expect(throws: AdapterError.unavailable("hci0 was removed")) { try await search.value }
            #expect(time.now == .seconds(11))
        }
    }

    @Test func `ends when its task is cancelled`() async throws {
        try await withAdapter { adapter, _, time in
            let task = Task(executorPreference: time) {
                do throws(AdapterError) {
                    _ = try await adapter.advertisements()
                    return AdapterError?.none
                } catch { return error }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }
}
