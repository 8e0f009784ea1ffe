import Bluetooth
import Logging
import Simulation
import Testing

@testable import BlueZ

/// A management socket like the kernel's: closing it does not wake a waiting reader.
private struct UncloseableBearer: Bearer {
    let socket: PacketSocket
    func send(_ packet: [UInt8]) async throws(BearerError) { try await socket.send(packet) }
    func receive() async throws(BearerError) -> [UInt8]? { try await socket.receive() }
    func close() {}
}

@Suite(.timeLimit(.minutes(10))) struct `A management socket that closing does not wake` {
    @Test func `does not delay the end of the scope`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            async let kernel: Void = {
                _ = try await far.receive()
                // Read Controller Index List: success, no controllers.
                try await far.send([0x01, 0x00, 0xFF, 0xFF, 0x05, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00])
            }()
            let clock = time.clock
            await #expect(throws: AdapterError.self) {
                try await KernelAdapter.withAdapter(
                    nil, over: UncloseableBearer(socket: near),
                    in: KernelAdapter.Environment(
                        time: clock, readiness: time,
                        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, executor: time)
                ) { _ in }
            }
            try await kernel
        }
    }
}
