import Bluetooth
import Logging
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

/// The controllers of a kernel by number, at this moment.
private final class Ports: Sendable {
    static let own = "665544332211"
    static let other = "010007DC1B00"

    private let plugged: Mutex<[UInt16: String]>

    init(_ plugged: [UInt16: String]) { self.plugged = Mutex(plugged) }

    /// Removes a controller, with the kernel's events.
    func remove(_ number: UInt16, from kernel: ScriptedKernel) async throws {
        plugged.withLock { $0[number] = nil }
        try await kernel.say(Packet.event(0x05, number, []))
    }

    /// Adds a controller.
    func add(_ number: UInt16, _ address: String, to kernel: ScriptedKernel) async throws {
        plugged.withLock { $0[number] = address }
        try await kernel.say(Packet.event(0x04, number, []))
    }

    /// Replaces a controller by another, with the kernel's events.
    func swap(_ number: UInt16, _ address: String) -> [[UInt8]] {
        plugged.withLock { $0[number] = address }
        return [Packet.event(0x05, number, []), Packet.event(0x04, number, [])]
    }

    var script: ScriptedKernel.Script {
        { [self] request in
            let plugged = plugged.withLock { $0 }
            switch request.opcode {
            case 0x0003:
                let numbers = plugged.keys.sorted().flatMap(Packet.word)
                return [request.complete(Packet.word(UInt16(plugged.count)) + numbers)]
            case 0x0004:
                guard let address = plugged[request.index] else { return [request.refused(0x11)] }
                return [request.complete(Packet.information(address: address))]
            default:
                return plugged[request.index] == nil ? [request.refused(0x11)] : [request.complete()]
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An adapter of the kernel is identified by its address` {
    @Test(
        arguments: [
            ("hci0", .number(0)), ("hci12", .number(12)), ("hci", nil), ("hci01", nil), ("hci0x", nil),
            ("hci65535", nil), ("hci-1", nil), ("00:1B:DC:07:00", nil), ("sim", nil),
        ] as [(String, ControllerName?)])
    func `and named by it or by its number`(_ text: String, _ name: ControllerName?) throws {
        #expect(ControllerName(text) == name)
        let address = try address("00:1B:DC:07:00:01", .public)
        #expect(ControllerName("00:1b:dc:07:00:01") == .address(address))
        #expect("\(ControllerName.address(address))" == "00:1B:DC:07:00:01")
    }

    @Test func `and chosen by it, whatever its number is`() async throws {
        let ports = Ports([0: Ports.other, 3: Ports.own])
        try await withAdapter(ports.script, name: "11:22:33:44:55:66") { adapter, _, _ in
            #expect(adapter.name == "hci3")
            #expect(adapter.key == "11:22:33:44:55:66")
        }
        let missing = AdapterError.unavailable(
            "no adapter 00:00:00:00:00:01; present: hci0 (00:1B:DC:07:00:01), hci3 (11:22:33:44:55:66)"
        )
        await #expect(throws: missing) {
            try await withAdapter(ports.script, name: "00:00:00:00:00:01") { _, _, _ in }
        }
    }

    @Test func `and not chosen by it if two have it`() async throws {
        let ports = Ports([0: Ports.own, 1: Ports.own])
        let twins = AdapterError.unavailable(
            "hci0 and hci1 have the same address 11:22:33:44:55:66; choose one by its number")
        await #expect(throws: twins) {
            try await withAdapter(ports.script, name: "11:22:33:44:55:66") { _, _, _ in }
        }
        try await withAdapter(ports.script, name: "hci1") { adapter, _, _ in #expect(adapter.name == "hci1") }
    }

    @Test func `and followed to another number`() async throws {
        let ports = Ports([0: Ports.own])
        try await withAdapter(ports.script) { adapter, kernel, time in
            try await ports.remove(0, from: kernel)
            try await time.clock.sleep(for: .seconds(1))
            #expect(adapter.presence.value == .removed)
            try await ports.add(4, Ports.own, to: kernel)
            try await adapter.awaitController()
            #expect(adapter.name == "hci4")
            #expect(adapter.key == "11:22:33:44:55:66")
            let stream = try await adapter.advertisements()
            #expect(kernel.requests.last { $0.opcode == 0x23 }?.index == 4)
            try await kernel.say(Packet.event(0x12, 4, Packet.found))
            var reports = stream.makeAsyncIterator()
            #expect(await reports.next()?.rssi == -60)
        }
    }

    @Test func `and not replaced by another one that gets its number`() async throws {
        let ports = Ports([0: Ports.own])
        try await withAdapter(ports.script) { adapter, kernel, time in
            try await ports.remove(0, from: kernel)
            try await ports.add(0, Ports.other, to: kernel)
            try await time.clock.sleep(for: .seconds(1))
            await #expect(throws: AdapterError.unavailable("hci0 was removed")) {
                try await adapter.advertisements()
            }
            // Events of the other controller are ignored as well.
            try await kernel.say(Packet.event(0x06, 0, [1, 2, 0, 0]))
            try await time.clock.sleep(for: .seconds(1))
            #expect(adapter.presence.value == .removed)
            let before = kernel.requests.count { $0.index == 0 && $0.opcode != 0x04 }
            try await ports.add(1, Ports.own, to: kernel)
            try await adapter.awaitController()
            #expect(adapter.name == "hci1")
            _ = try await adapter.advertisements()
            #expect(kernel.requests.count { $0.index == 0 && $0.opcode != 0x04 } == before)
        } after: { kernel in
            // Settings are restored on the original controller.
            #expect(!kernel.requests.contains { $0.index == 0 && $0.opcode == 0x23 })
        }
    }

    /// The kernel has removed the controller and reassigned its number; the events are still unread.
    @Test func `and another one that a command reaches in that moment gets it undone`() async throws {
        let ports = Ports([0: Ports.own])
        let isSwapped = Mutex(false)
        let script: ScriptedKernel.Script = { request in
            let isFirst =
                request.opcode == 0x23
                && isSwapped.withLock { swapped in
                    defer { swapped = true }
                    return !swapped
                }
            guard isFirst else { return ports.script(request) }
            return ports.swap(0, Ports.other) + ports.script(request)
        }
        try await withAdapter(script) { adapter, kernel, time in
            await #expect(throws: AdapterError.unavailable("hci0 was removed")) {
                try await adapter.advertisements()
            }
            #expect(kernel.opcodes.filter { [0x23, 0x24].contains($0) } == [0x23, 0x24])
            try await ports.add(1, Ports.own, to: kernel)
            try await adapter.awaitController()
            _ = try await adapter.advertisements()
            #expect(kernel.requests.last { $0.opcode == 0x23 }?.index == 1)
        } after: { kernel in
            let orders = kernel.requests.filter { $0.index == 0 && $0.opcode != 0x04 }
            #expect(orders.map(\.opcode) == [0x23, 0x24])
        }
    }

    /// A raw channel belongs to the adapter that has the number when it is opened.
    @Test func `and hears no other controller`() async throws {
        let ports = Ports([0: Ports.own])
        let opened = Mutex<[PacketSocket]>([])
        let isOpening = Mutex(false)
        let script: ScriptedKernel.Script = { request in
            let isNow = isOpening.withLock { now in
                defer { now = false }
                return now
            }
            return (isNow ? ports.swap(0, Ports.other) : []) + ports.script(request)
        }
        let opening: @Sendable (VirtualTime) throws -> KernelAdapter.HCIOpening = { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            return { _ in
                isOpening.withLock { $0 = true }
                opened.withLock { $0.append(far) }
                return near
            }
        }
        try await withAdapter(script, controller: opening) { adapter, _, time in
            try await time.clock.sleep(for: .seconds(1))
            #expect(opened.withLock { $0.count } == 1)
            #expect(adapter.state.withLock { $0.hci == nil })
            // The channel is closed.
            let far = try #require(opened.withLock { $0.first })
            #expect(try await time.clock.within(.seconds(1)) { try await far.receive() } == .some(nil))
        }
    }

    @Test func `unless it has none, and is then known by its number`() async throws {
        let none = "000000000000"
        let ports = Ports([0: none])
        try await withAdapter(ports.script) { adapter, kernel, time in
            #expect(adapter.key == "hci0")
            try await ports.remove(0, from: kernel)
            try await ports.add(2, none, to: kernel)
            try await time.clock.sleep(for: .seconds(1))
            #expect(adapter.presence.value == .removed)
            try await ports.add(0, none, to: kernel)
            try await adapter.awaitController()
            #expect(adapter.name == "hci0")
        }
    }

    /// Both controllers are removed and added again; each adapter learns of it on its own channel.
    @Test func `also when two of them swap their numbers`() async throws {
        let ports = Ports([0: Ports.own, 1: Ports.other])
        try await withAdapter(ports.script, name: "hci0") { first, kernel, time in
            try await withAdapter(ports.script, name: "hci1", in: time) { second, other in
                for kernel in [kernel, other] {
                    try await ports.remove(0, from: kernel)
                    try await ports.remove(1, from: kernel)
                }
                for kernel in [kernel, other] {
                    try await ports.add(0, Ports.other, to: kernel)
                    try await ports.add(1, Ports.own, to: kernel)
                }
                try await time.clock.sleep(for: .seconds(1))
                #expect([first, second].map(\.presence.value) == [.ready, .ready])
                #expect(first.name == "hci1" && second.name == "hci0")
            }
        }
    }
}

/// Runs `body` with one more adapter in the same virtual time.
private func withAdapter(
    _ script: @escaping ScriptedKernel.Script, name: String, in time: VirtualTime,
    _ body: @escaping @Sendable (KernelAdapter, ScriptedKernel) async throws -> Void
) async throws {
    let (near, far) = try PacketSocket.pair(readiness: time)
    let kernel = ScriptedKernel(far, time)
    async let served: Void = kernel.serve(script)
    try await KernelAdapter.withAdapter(
        ControllerName(name), over: near,
        in: KernelAdapter.Environment(
            time: time.clock, readiness: time,
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), executor: time)
    ) { try await body($0, kernel) }
    await served
}
