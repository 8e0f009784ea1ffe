import Bluetooth
import Logging
import Simulation
import Synchronization
import Testing

@testable import BlueZ
@testable import RadioCommands

/// A listener to which a test connects, once for each of its sockets.
private final class Visitors: ChannelListener {
    private let waiting: AsyncStream<PacketSocket>
    private let arriving: AsyncStream<PacketSocket>.Continuation

    init() { (waiting, arriving) = AsyncStream.makeStream(of: PacketSocket.self) }

    func come(over socket: PacketSocket) { arriving.yield(socket) }

    func accept() async throws(SocketError) -> (PacketSocket, DeviceAddress) {
        for await socket in waiting {
            if let client = DeviceAddress("F0:F1:F2:F3:F4:F5") { return (socket, client) }
        }
        throw SocketError(call: "accept", errno: 125)
    }
}

/// Accepts every command, and has one controller that is on.
private func obey(_ socket: PacketSocket) async {
    while let packet = try? await socket.receive(), packet.count >= 6 {
        let answer: [UInt8] =
            switch packet[0] {
            case 0x03: [1, 0, 0, 0]
            case 0x04:
                [1, 2, 3, 4, 5, 6, 9, 2, 0, 1, 0x82, 0, 0, 1, 2, 0, 0] + [UInt8](repeating: 0, count: 263)
            default: []
            }
        let body = packet[0...1] + [0] + answer
        try? await socket.send(
            [1, 0] + packet[2...3] + [UInt8(body.count & 0xFF), UInt8(body.count >> 8)] + body)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A served beacon` {
    /// Serves a bootloader in virtual time while `body` is its client; returns the output.
    private static func events(
        for length: Duration, _ body: @escaping @Sendable (PacketSocket) async throws -> Void
    ) async throws -> [SimulationEvent] {
        let told = Mutex<[SimulationEvent]>([])
        try await VirtualTime.run { time in
            let address = try #require(DeviceAddress("F0:0D:BE:AC:01:00"))
            let peer = NordicBeacon(NordicDescription(address: address), time: time.clock)
            let record = SimulationRecord { event in told.withLock { $0.append(event) } }
            await peer.watch { record.note($0, at: time.now) }
            let (near, far) = try PacketSocket.pair(readiness: time)
            async let kernel: Void = obey(far)
            try await KernelAdapter.withAdapter(
                nil, over: near,
                in: KernelAdapter.Environment(
                    time: time.clock, readiness: time,
                    log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: time)
            ) { adapter in
                let visitors = Visitors()
                try await KernelPeripheral.withPeripheral(
                    on: adapter, listening: { (_, _, _) throws(SocketError) in visitors }
                ) { peripheral in
                    let service = BeaconService(
                        peer: peer, peripheral: peripheral, adapter: "hci0", time: time.clock, record: record
                    )
                    async let client: Void = {
                        let (ours, theirs) = try PacketSocket.pair(readiness: time)
                        visitors.come(over: theirs)
                        try await body(ours)
                    }()
                    let wasEnded = try await service.run(for: length, once: false) {
                        try? await time.clock.sleep(for: .seconds(1000))
                    }
                    #expect(!wasEnded)
                    try await client
                }
            }
            await kernel
        }
        return told.withLock(\.self)
    }

    @Test func `is heard, serves its client, and is heard again`() async throws {
        let events = try await Self.events(for: .seconds(20)) { client in
            try await client.send([0x02, 0xF7, 0x00])
            #expect(try await client.receive() == [0x03, 0xF7, 0x00])
            client.close()
        }
        let address = try #require(DeviceAddress("F0:0D:BE:AC:01:01"))
        let heard = SimulationEvent.advertising(
            address, name: "DfuTarg", adapter: "hci0", own: nil, leftOut: 0)
        #expect(
            events == [
                heard, .connected(DeviceAddress("F0:F1:F2:F3:F4:F5")), .exchangedMTU(asked: 247, agreed: 247),
                .disconnected(seconds: 0, rulesBroken: 0), heard,
            ])
    }
}
