import Bluetooth
import Bytes
import Foundation
import Glibc
import Logging
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

/// The kernel and the controller of an exclusive adapter.
final class ExclusiveAir: Sendable {
    let controller: Shared<ImitatedController>
    let isPowered = Shared(true)
    /// Links that others have, as in the answer to Get Connections.
    let connections = Shared<[UInt8]>([0, 0])
    /// Status of a command of the management channel, by opcode.
    let refusals = Shared<[UInt16: UInt8]>([:])
    private let far = Mutex<PacketSocket?>(nil)
    private let time: VirtualTime

    init(_ controller: ImitatedController, _ time: VirtualTime) {
        self.controller = Shared(controller)
        self.time = time
    }

    /// The kernel: hci0, on or off.
    func answer(_ request: Request) -> [[UInt8]] {
        if let status = refusals.change({ $0[request.opcode] }) { return [request.refused(status)] }
        switch request.opcode {
        case 0x0003: return [request.complete([1, 0, 0, 0])]
        case 0x0004:
            let settings: UInt32 = isPowered.change { $0 } ? 0x0201 : 0x0200
            return [request.complete(Packet.information(settings: settings))]
        case 0x0005:
            isPowered.change { $0 = request.parameters == [1] }
            return [request.complete()]
        case 0x0015: return [request.complete(connections.change { $0 })]
        default: return [request.complete()]
        }
    }

    /// The user channel, which the kernel gives only of a controller that is off.
    func open() throws(SocketError) -> any Bearer {
        guard !isPowered.change({ $0 }) else { throw SocketError(call: "bind", errno: EBUSY) }
        let (near, far) = try PacketSocket.pair(queueBytes: 65536, readiness: time)
        self.far.withLock { $0 = far }
        Task(executorPreference: time) { [controller] in
            while let packet = try? await far.receive() {
                for answer in controller.change({ $0.take(packet) }) { try? await far.send(answer) }
            }
        }
        return near
    }

    func say(_ packets: [[UInt8]]) async throws {
        let far = far.withLock { $0 }
        for packet in packets { try await far?.send(packet) }
    }

    func advertise(_ peer: DeviceAddress) async throws {
        try await say(controller.change { $0.advertise(peer) })
    }

    /// The controller is unplugged.
    func unplug() { far.withLock { $0 }?.close() }
}

func withExclusiveAdapter(
    _ controller: ImitatedController = ImitatedController(), locks: NamedLocks = .apart(),
    records: ControllerRecords? = nil, logging lines: Shared<[String]> = Shared([]),
    preparing: @escaping @Sendable (ExclusiveAir) -> Void = { _ in },
    _ body: @escaping @Sendable (UserChannelAdapter, ExclusiveAir, VirtualTime) async throws -> Void,
    after: @escaping @Sendable (ExclusiveAir, ScriptedKernel) -> Void = { _, _ in }
) async throws {
    try await VirtualTime.run { time in
        let air = ExclusiveAir(controller, time)
        preparing(air)
        let (near, far) = try PacketSocket.pair(readiness: time)
        let kernel = ScriptedKernel(far, time)
        async let served: Void = kernel.serve { air.answer($0) }
        let environment = UserChannelAdapter.Environment(
            time: time.keeper, log: Logger(label: "test") { _ in LineHandler(lines: lines) }, executor: time,
            locks: locks, records: records, openSocket: { (_) throws(SocketError) in try air.open() })
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await UserChannelAdapter.withAdapter(.number(0), over: near, in: environment) {
                    try await body($0, air, time)
                })
        } catch { result = .failure(error) }
        await served
        after(air, kernel)
        try result.get()
    }
}

@Suite(.timeLimit(.minutes(1))) struct `An exclusive adapter` {
    static func failure(_ body: () async throws -> Void) async -> AdapterError? {
        do {
            try await body()
            return nil
        } catch { return error as? AdapterError }
    }

    @Test func `is switched off for its use, reset, and switched on again`() async throws {
        try await withExclusiveAdapter { adapter, air, _ in
            #expect(adapter.name == "hci0")
            #expect(!air.isPowered.change { $0 })
        } after: { air, kernel in
            #expect(air.isPowered.change { $0 })
            #expect(air.controller.change { $0.commands.last } == 0x0C03)
            #expect(kernel.requests.filter { $0.opcode == 5 }.map(\.parameters) == [[0], [1]])
        }
    }

    @Test func `that was off stays off`() async throws {
        try await withExclusiveAdapter(preparing: { $0.isPowered.change { $0 = false } }) { _, _, _ in
        } after: { air, kernel in
            #expect(!air.isPowered.change { $0 })
            #expect(!kernel.opcodes.contains(5))
        }
    }

    @Test func `is switched on again after a failure and after a cancellation`() async throws {
        struct Fault: Error {}
        await #expect(throws: Fault.self) {
            try await withExclusiveAdapter { _, _, _ in
                throw Fault()
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        _ = await Self.failure {
            try await withExclusiveAdapter { adapter, _, time in
                _ = try await time.keeper.within(.seconds(1)) {
                    try await adapter.open(
                        .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(60))
                }
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
    }

    @Test func `is refused while it has links, or another program scans`() async throws {
        let linked = await Self.failure {
            try await withExclusiveAdapter(preparing: {
                $0.connections.change { $0 = [1, 0] + HostBench.peer(1).managementBytes }
            }) { _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect("\(linked.map(\.description) ?? "")".contains("has links to F0:0D:BE:AC:00:01"))
        let scanned = await Self.failure {
            try await withExclusiveAdapter(preparing: { $0.refusals.change { $0 = [0x23: 0x0A] } }) {
                _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect("\(scanned.map(\.description) ?? "")".contains("another program is scanning"))
    }

    /// The kernel refuses the first command that needs it.
    @Test(arguments: [[0x05], [0x05, 0x23], [0x05, 0x15, 0x23]] as [[UInt16]])
    func `needs a capability`(_ opcodes: [UInt16]) async throws {
        let refused = await Self.failure {
            try await withExclusiveAdapter(preparing: { air in
                air.refusals.change { $0 = Dictionary(uniqueKeysWithValues: opcodes.map { ($0, 0x14) }) }
            }) { _, _, _ in }
        }
        #expect(refused == .notPermitted(capability: "CAP_NET_ADMIN", to: "use hci0 exclusively"))
    }

    @Test(arguments: ["changed", "connecting", "exclusive"])
    func `is refused while another copy of this program uses it`(_ lock: String) async throws {
        let locks = NamedLocks.apart()
        let other = try NamedLocks(prefix: locks.prefix).share(in: "\(lock)/11:22:33:44:55:66")
        let refused = await Self.failure {
            try await withExclusiveAdapter(locks: locks) { _, _, _ in
            } after: { air, kernel in
                #expect(!kernel.opcodes.contains(5))
            }
        }
        withExtendedLifetime(other) {}
        guard case .unavailable(let reason)? = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(
            reason.hasPrefix("hci0 cannot be used exclusively: ") && reason.contains("(process \(getpid()))"))
    }

    @Test func `that a killed run has left off is switched on again`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(
            ControllerRecord(settings: [.powered, .lowEnergy], isExclusive: true), of: "11:22:33:44:55:66")
        try await withExclusiveAdapter(
            records: records, preparing: { $0.isPowered.change { $0 = false } }
        ) { _, _, _ in
        } after: { air, _ in
            #expect(air.isPowered.change { $0 })
            #expect(records.record(of: "11:22:33:44:55:66") == nil)
        }
    }

    @Test func `that the kernel does not get back has a record`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        try await withExclusiveAdapter(records: records) { _, air, _ in
            // Invalid Index.
            air.refusals.change { $0 = [0x04: 0x11] }
        }
        #expect(records.record(of: "11:22:33:44:55:66")?.isExclusive == true)
    }

    @Test func `on which a killed run has left something says so before its record is lost`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/records-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let records = ControllerRecords(folder: folder)
        records.keep(ControllerRecord(settings: [.lowEnergy]), of: "11:22:33:44:55:66")
        let lines = Shared<[String]>([])
        try await withExclusiveAdapter(records: records, logging: lines) { _, _, _ in }
        #expect(
            lines.change { $0 }
                == ["a run that was killed has left hci0 switched on, which it was not before"])
        #expect(records.record(of: "11:22:33:44:55:66") == nil)
    }

    @Test func `whose controller cannot be used is given back`() async throws {
        var controller = ImitatedController()
        controller.mute = [0x1002]
        let refused = await Self.failure {
            try await withExclusiveAdapter(controller) { _, _, _ in
            } after: { air, _ in
                #expect(air.isPowered.change { $0 })
            }
        }
        #expect(refused == .unavailable("hci0 does not answer Read Local Supported Commands"))
    }

    @Test func `hears for all listeners, and a second longer`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            do {
                let streams = [try await adapter.advertisements(), try await adapter.advertisements()]
                try await time.keeper.sleep(for: .milliseconds(10))
                try await air.advertise(HostBench.peer(1))
                for stream in streams {
                    for await report in stream {
                        #expect(report.address == HostBench.peer(1))
                        break
                    }
                }
                #expect(adapter.scanHistory().sightings.map(\.address) == [HostBench.peer(1)])
                #expect(adapter.scanHistory().listeningSince != nil)
            }
            try await time.keeper.sleep(for: .milliseconds(900))
            #expect(air.controller.change { $0.isScanning })
            try await time.keeper.sleep(for: .milliseconds(200))
            #expect(!air.controller.change { $0.isScanning })
            #expect(adapter.scanHistory().listeningSince == nil)
        }
    }

    @Test func `connects to eight at the same time`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            try await withThrowingTaskGroup(of: UserChannelLink.self) { group in
                for number in 1...8 {
                    group.addTask {
                        try await adapter.open(
                            .attributes, to: HostBench.peer(UInt8(number)), asking: LinkRequest(),
                            within: .seconds(10))
                    }
                }
                try await time.keeper.sleep(for: .milliseconds(10))
                for number in (1...8).reversed() {
                    try await air.advertise(HostBench.peer(UInt8(number)))
                    try await time.keeper.sleep(for: .milliseconds(10))
                }
                var links: [UserChannelLink] = []
                for try await link in group { links.append(link) }
                #expect(Set(links.map(\.peer)).count == 8)
                #expect(air.controller.change { $0.links.count } == 8)
            }
            // Released links end.
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.count } == 0)
        }
    }

    @Test func `carries attributes both ways, and says when the link ends`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            try await link.send([0x0A, 3, 0])
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.data.last?.bytes } == [3, 0, 4, 0, 0x0A, 3, 0])
            try await air.say(ImitatedController.packet([0x0B, 1, 2], of: 0x41))
            #expect(try await link.receive() == [0x0B, 1, 2])
            #expect(
                await adapter.parameters(of: link) == LinkParameters(interval: .milliseconds(15), phy: .le2M))
            try await air.say(ImitatedController.packet([0x1B, 3, 0, 1], of: 0x41))
            try await air.say(air.controller.change { $0.lose(0x41) })
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(try await link.receive() == [0x1B, 3, 0, 1])
            #expect(try await link.receive() == nil)
            await #expect(throws: BearerError.closed) { try await link.send([1]) }
            #expect(await adapter.parameters(of: link) == LinkParameters())
        }
    }

    @Test func `lets a sender wait while the controller is full`() async throws {
        var controller = ImitatedController()
        controller.buffers = 1
        try await withExclusiveAdapter(controller) { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            let sent = Shared(0)
            async let packets: Void = {
                for _ in 0..<10 {
                    try? await link.send([1, 2, 3])
                    sent.change { $0 += 1 }
                }
            }()
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(sent.change { $0 } == 5)
            for _ in 0..<10 {
                try await air.say(air.controller.change { $0.acknowledge(0x41) })
                try await time.keeper.sleep(for: .milliseconds(10))
            }
            await packets
            #expect(air.controller.change { $0.data.count } == 10)
            #expect(air.controller.change { $0.complaints } == [])
        }
    }

    @Test func `ends what waits on a link when it is closed`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            async let end = Self.end(of: link)
            try await time.keeper.sleep(for: .milliseconds(10))
            link.close()
            link.close()
            #expect(await end == .closed)
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.isEmpty })
        }
    }

    private static func end(of link: UserChannelLink) async -> BearerError? {
        do throws(BearerError) {
            _ = try await link.receive()
            return nil
        } catch { return error }
    }

    @Test func `says why it does not connect`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let begun = time.now
            await #expect(throws: AdapterError.noAnswer(HostBench.peer(2))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(3))
            }
            #expect(time.now - begun == .seconds(3))
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(!air.controller.change { $0.isWaiting })
            let link = try await Self.link(adapter, air, time)
            await #expect(throws: AdapterError.held(HostBench.peer(1))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3))
            }
            let channel = await Self.failure {
                _ = try await adapter.open(
                    .creditBased(psm: 0x80), to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3)
                )
            }
            #expect(channel?.description.contains("through the kernel") == true)
            let pairing = await Self.failure { try await adapter.encrypt(link, within: .seconds(1)) }
            #expect(pairing?.description.contains("through the kernel") == true)
        }
    }

    @Test func `has no answer of a peer to which a link of its own is being made or ended`() async throws {
        var controller = ImitatedController()
        controller.peersAnswer = false
        try await withExclusiveAdapter(controller) { adapter, air, time in
            async let made = Self.failure {
                _ = try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3))
            }
            try await time.keeper.sleep(for: .milliseconds(10))
            try await air.advertise(HostBench.peer(1))
            #expect(await made == .noAnswer(HostBench.peer(1)))
            try await time.keeper.sleep(for: .seconds(1))
            air.controller.change { $0.peersAnswer = true }
            let link = try await Self.link(adapter, air, time)
            air.controller.change { $0.mute = [0x0406] }
            link.close()
            await #expect(throws: AdapterError.noAnswer(HostBench.peer(1))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(1))
            }
        }
    }

    @Test func `forgets how often a peer advertised when it connects`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let reports = try await adapter.advertisements()
            for moment in [2000, 12_240] {
                try await time.keeper.sleep(until: .milliseconds(moment))
                try await air.advertise(HostBench.peer(1))
            }
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(adapter.advertisingInterval(of: HostBench.peer(1)) == .milliseconds(10_240))
            let link = try await Self.link(adapter, air, time)
            #expect(adapter.advertisingInterval(of: HostBench.peer(1)) == nil)
            withExtendedLifetime((reports, link)) {}
        }
    }

    @Test func `leaves no link behind an opening that was cancelled`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            for delay in [0, 1, 5, 20] {
                async let opened = time.keeper.within(.milliseconds(delay)) {
                    try await adapter.open(
                        .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(5))
                }
                try await time.keeper.sleep(for: .milliseconds(delay))
                try await air.advertise(HostBench.peer(1))
                _ = try? await opened?.close()
                try await time.keeper.sleep(for: .seconds(2))
                #expect(air.controller.change { $0.links.isEmpty && !$0.isWaiting })
            }
        }
    }

    @Test func `that is unplugged ends links, openings and listeners`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            let stream = try await adapter.advertisements()
            async let opening = Self.failure {
                _ = try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(60))
            }
            try await time.keeper.sleep(for: .milliseconds(10))
            air.unplug()
            let removed = AdapterError.unavailable("hci0 was removed")
            #expect(await opening == removed)
            #expect(try await link.receive() == nil)
            for await _ in stream {}
            await #expect(throws: removed) { try await adapter.advertisements() }
            await #expect(throws: removed) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(60))
            }
        }
    }

    @Test func `ends the link of a peer whose packets nobody reads`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            for _ in 0..<1100 { try await air.say(ImitatedController.packet([0x1B, 3, 0], of: 0x41)) }
            try await time.keeper.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.isEmpty })
            withExtendedLifetime(link) {}
        }
    }

    /// A link to the first peer.
    private static func link(
        _ adapter: UserChannelAdapter, _ air: ExclusiveAir, _ time: VirtualTime
    ) async throws -> UserChannelLink {
        async let link = adapter.open(
            .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(10))
        try await time.keeper.sleep(for: .milliseconds(10))
        try await air.advertise(HostBench.peer(1))
        return try await link
    }
}
