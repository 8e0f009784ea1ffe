import Bluetooth
import Glibc
import Logging
import Simulation
import Synchronization
import TestSupport

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
    _ controller: ImitatedController = ImitatedController(), locks: NamedLocks = .unshared(),
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
            time: time.clock, log: Logger(label: "test") { _ in LineHandler(lines: lines) }, executor: time,
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

/// The error of `body`, if it is one of an adapter.
func failure(_ body: () async throws -> Void) async -> AdapterError? {
    do {
        try await body()
        return nil
    } catch { return error as? AdapterError }
}
