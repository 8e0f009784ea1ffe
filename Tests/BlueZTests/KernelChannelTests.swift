import Bluetooth
import Glibc
import Simulation
import Testing

@testable import BlueZ

/// What the kernel of a test reports of a channel; encryption is pending until it is completed.
struct ScriptedOptions: Sendable {
    let encryption = Shared(ChannelOptions.Encryption.pending)
    let news = OneShot<Void>()
    var refusal: Int32 = 0
    var hasKey = false

    func settle(_ state: ChannelOptions.Encryption) {
        encryption.change { $0 = state }
        news.resolve(())
    }

    var options: ChannelOptions {
        ChannelOptions(
            encrypt: { [refusal] in refusal }, encryption: { [encryption] in encryption.change { $0 } },
            encryptionNews: { [news] in _ = await news.value() }, hasKey: { [hasKey] in hasKey },
            handle: { 0x40 }, phy: { .le2M }, sendMTU: { 100 })
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A channel of the kernel` {
    static func withChannel(
        _ kind: LinkChannel = .attributes, _ script: ScriptedOptions = ScriptedOptions(),
        onClose: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (KernelChannel, PacketSocket, VirtualTime) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let channel = KernelChannel(
                to: try address("F0:0D:00:00:00:01"), kind, on: near, options: script.options,
                onClose: onClose)
            try await body(channel, far, time)
        }
    }

    @Test func `accepts packets up to the peer's MTU, and no longer ones`() async throws {
        try await Self.withChannel(.creditBased(psm: 0x80)) { channel, far, _ in
            #expect(channel.maximumPacket == 100)
            try await channel.send([UInt8](repeating: 1, count: 100))
            let packet1 = try await far.receive()
            #expect(packet1?.count == 100)
            await #expect(throws: BearerError.system(call: "send", errno: EMSGSIZE)) {
                try await channel.send([UInt8](repeating: 1, count: 101))
            }
        }
    }

    @Test func `for attributes leaves the length to the exchanged MTU`() async throws {
        try await Self.withChannel { channel, far, _ in
            #expect(channel.maximumPacket == nil)
            try await channel.send([UInt8](repeating: 1, count: 517))
            let packet2 = try await far.receive()
            #expect(packet2?.count == 517)
        }
    }

    @Test func `reports once that it is closed, also when the link is lost`() async throws {
        let closed = Shared(0)
        try await Self.withChannel(onClose: { closed.change { $0 += 1 } }) { channel, far, _ in
            channel.close()
            channel.close()
            #expect(closed.change { $0 } == 1)
            let packet3 = try await far.receive()
            #expect(packet3 == nil)
            await #expect(throws: BearerError.closed) { try await channel.send([1]) }
        }
        #expect(closed.change { $0 } == 1)
        try await Self.withChannel(onClose: { closed.change { $0 += 1 } }) { _, _, _ in }
        #expect(closed.change { $0 } == 2)
    }

    @Test func `holds packets back while its link is being encrypted`() async throws {
        try await Self.withChannel { channel, far, time in
            let clock = time.clock
            let pairing = Task(executorPreference: time) {
                try await channel.whileEncrypting { () async throws(AdapterError) in
                    try? await clock.sleep(for: .seconds(2))
                }
            }
            try await clock.sleep(for: .seconds(1))
            let sending = Task(executorPreference: time) {
                try await channel.send([7])
                return clock.now
            }
            let early = try await clock.within(.milliseconds(500)) { try await far.receive() }
            #expect(early == nil)
            #expect(try await sending.value == .seconds(2))
            let packet4 = try await far.receive()
            #expect(packet4 == [7])
            try await pairing.value
            try await channel.send([8])
            let packet5 = try await far.receive()
            #expect(packet5 == [8])
        }
    }

    @Test func `drops a packet that is cancelled while the link is being encrypted`() async throws {
        try await Self.withChannel { channel, _, time in
            let clock = time.clock
            let pairing = Task(executorPreference: time) {
                try await channel.whileEncrypting { () async throws(AdapterError) in
                    try? await clock.sleep(for: .seconds(9))
                }
            }
            try await clock.sleep(for: .seconds(1))
            let sending = Task(executorPreference: time) {
                do throws(BearerError) {
                    try await channel.send([7])
                    return BearerError?.none
                } catch { return error }
            }
            try await clock.sleep(for: .seconds(1))
            sending.cancel()
            #expect(await sending.value == .cancelled)
            #expect(clock.now == .seconds(2))
            try await pairing.value
        }
    }

    @Test(
        arguments: [
            (0x0600, .le1M), (0x1800, .le2M), (0x6000, .leCoded), (0x0800, .le2M), (0, nil), (0x1000, nil),
            (0x0A00, nil), (0x0001, nil), (UInt32.max, nil),
        ] as [(UInt32, PHY?)])
    func `has the PHY with which it sends`(_ mask: UInt32, _ phy: PHY?) {
        #expect(PHY(sendingWith: mask) == phy)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The links of the kernel's adapter` {
    /// The state that `open` leaves after connecting.
    static func adopt(
        _ adapter: KernelAdapter, _ kind: LinkChannel, _ peer: DeviceAddress, _ time: VirtualTime
    ) throws -> KernelChannel {
        let (near, _) = try PacketSocket.pair(readiness: time)
        return adapter.adopt(near, kind, to: peer)
    }

    @Test func `are stale only after their last channel has closed`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, kernel, time in
            let first = try Self.adopt(adapter, .attributes, peer, time)
            let second = try Self.adopt(adapter, .creditBased(psm: 0x80), peer, time)
            first.close()
            first.close()
            #expect(adapter.isLinked(to: peer))
            try await adapter.endStaleLink(to: peer, by: .seconds(100))
            #expect(kernel.moments(of: 0x14) == [])
            second.close()
            #expect(!adapter.isLinked(to: peer))
            try await adapter.endStaleLink(to: peer, by: .seconds(100))
            #expect(kernel.moments(of: 0x14) == [.zero])
        }
    }

    @Test func `stay stale when their disconnection was cancelled`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, kernel, time in
            try Self.adopt(adapter, .attributes, peer, time).close()
            for round in 1...2 {
                let ending = Task(executorPreference: time) {
                    do throws(AdapterError) {
                        try await adapter.endStaleLink(to: peer, by: .seconds(100))
                        return AdapterError?.none
                    } catch { return error }
                }
                try await time.clock.sleep(for: .seconds(1))
                ending.cancel()
                #expect(await ending.value == .cancelled)
                #expect(kernel.moments(of: 0x14).count == round)
            }
        }
    }

    @Test func `are ended with the scope`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, _, time in
            try Self.adopt(adapter, .attributes, peer, time).close()
        } after: { kernel in
            #expect(kernel.requests.last?.opcode == 0x14)
            #expect(kernel.requests.last?.parameters == peer.managementBytes)
        }
    }

    @Test(arguments: [0x02, 0x0E] as [UInt8])
    func `are forgotten at once when the kernel has none of them`(_ status: UInt8) async throws {
        let peer = try address("F0:0D:00:00:00:01")
        let controller = ScriptedKernel.controller()
        try await withAdapter({ $0.opcode == 0x14 ? [$0.refused(status)] : controller($0) }) {
            adapter, kernel, time in
            try Self.adopt(adapter, .attributes, peer, time).close()
            try await adapter.endStaleLink(to: peer, by: .seconds(100))
            #expect(time.clock.now == .zero)
            try await adapter.endStaleLink(to: peer, by: .seconds(100))
            #expect(kernel.moments(of: 0x14) == [.zero])
        }
    }

    @Test func `are forgotten when the kernel reports their end`() async throws {
        let peer = try address("F0:0D:00:00:00:01")
        try await withAdapter { adapter, kernel, time in
            try Self.adopt(adapter, .attributes, peer, time).close()
            try await kernel.say(Packet.event(0x0C, 0, peer.managementBytes + [2]))
            try await time.clock.sleep(for: .seconds(1))
            try await adapter.endStaleLink(to: peer, by: .seconds(100))
            #expect(kernel.moments(of: 0x14) == [])
        }
    }
}
