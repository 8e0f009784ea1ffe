import Bluetooth
import Simulation
import Synchronization
import Testing
import UpdateModel

@testable import CommandKit

/// An adapter whose one peer is at the other end of a socket, and that notes whether encryption was requested.
private final class OneLinkAdapter: Adapter {
    let time: Timekeeper
    let channel: PacketSocket
    var passesEveryReport: Bool { false }
    let wasEncrypted = Mutex(false)

    init(time: Timekeeper, channel: PacketSocket) {
        self.time = time
        self.channel = channel
    }

    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> { AsyncStream { nil } }
    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PacketSocket { self.channel }
    func parameters(of channel: PacketSocket) async -> LinkParameters { LinkParameters(phy: .le2M) }
    func encrypt(_ channel: PacketSocket, within limit: Duration) async throws(AdapterError) {
        wasEncrypted.withLock { $0 = true }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A plain link` {
    /// Encrypting it would pair with the device.
    @Test func `is not encrypted, even if the device requests it`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let adapter = OneLinkAdapter(time: time.clock, channel: near)
            async let _: Void = {
                while let request = try? await far.receive() {
                    guard case .says(let answer) = ordinary(request) else { continue }
                    try? await far.send(answer)
                }
            }()
            let peer = try report().address
            let (found, link) = try await adapter.withLink(
                to: peer, within: .seconds(1), mayEncrypt: false
            ) {
                client, link in
                let reader = InventoryReader(client, time: time.clock, within: .seconds(9))
                return (try await reader.read(), await link())
            }
            #expect(found.characteristics.last?.reading == .unread("insufficient encryption"))
            #expect(link.phy == .le2M)
            #expect(adapter.wasEncrypted.withLock { $0 } == false)
        }
    }

    /// `withLink` opens an encrypted link, as an update needs it.
    @Test func `differs in that from the link of an update`() async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let adapter = OneLinkAdapter(time: time.clock, channel: near)
            async let _: Void = {
                while let request = try? await far.receive() {
                    guard case .says(let answer) = ordinary(request) else { continue }
                    try? await far.send(answer)
                }
            }()
            _ = try await adapter.withConnection(to: try report().address, within: .seconds(1)) { client in
                let reader = InventoryReader(client, time: time.clock, within: .seconds(9))
                return try await reader.read()
            }
            #expect(adapter.wasEncrypted.withLock { $0 })
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A scan that loses its adapter` {
    @Test func `fails instead of ending early`() async throws {
        try await VirtualTime.run { time in
            let (near, _) = try PacketSocket.pair(readiness: time)
            let adapter = OneLinkAdapter(time: time.clock, channel: near)
            await #expect(throws: AdapterError.unavailable("the adapter is gone")) {
                _ = try await adapter.listen(for: .seconds(3)) { _ in false }
            }
        }
    }
}
