import Bluetooth
import Logging
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

/// An air with one device, which answers each query for its services five seconds late and with one service, of which
/// it has 65535.
private struct EndlessAir: Adapter {
    let virtual: VirtualTime
    let address: DeviceAddress
    var time: Timekeeper { virtual.clock }
    var passesEveryReport: Bool { true }

    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        let report = Advertisement(address: address, rssi: nil, isConnectable: true, data: AdvertisingData())
        let time = time
        return AsyncStream { (try? await time.sleep(for: .milliseconds(100))) == nil ? nil : report }
    }

    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PacketSocket {
        let ends: (near: PacketSocket, far: PacketSocket)
        do throws(SocketError) { ends = try PacketSocket.pair(readiness: virtual) } catch {
            throw .system(call: error.call, errno: error.errno)
        }
        let time = time
        Task(executorPreference: virtual) {
            while let packet = try await ends.far.receive(), packet.count >= 3 {
                guard packet[0] == 0x10 else {
                    try await ends.far.send([0x03, 23, 0])
                    continue
                }
                try await time.sleep(for: .seconds(5))
                try await ends.far.send([0x11, 6, packet[1], packet[2], packet[1], packet[2], 0x00, 0x18])
            }
        }
        return ends.near
    }

    func parameters(of channel: PacketSocket) async -> LinkParameters { LinkParameters() }

    func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        throw .notEncrypted(address, reason: "it does not pair")
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A device with an endless list of services` {
    @Test func `is given up after a bounded time`() async throws {
        let address = try #require(DeviceAddress("F0:0D:BE:AC:00:01"))
        try await VirtualTime.run { time in
            let air = EndlessAir(virtual: time, address: address)
            let updater = Updater(
                adapter: air, policy: RetryPolicy(fruitlessLinks: 2),
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ) { _ in }
            let procedure = SecureProcedure(TestFirmware(count: 100).secureImage)
            let failure = await #expect(throws: UpdateFailure.self) {
                try await updater.run(procedure, on: address)
            }
            #expect(failure?.code == .device.noAnswer)
            #expect(failure?.during == "discovering services")
            #expect(time.now < .seconds(100))
        }
    }
}
