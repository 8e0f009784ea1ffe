import Simulation
import Testing

@testable import Bluetooth

/// Vol 3, Part F, 3.3: one request at a time, 30 s for each.
@Suite(.timeLimit(.minutes(10))) struct `A transaction` {
    static func reading(_ client: ATTClient) -> @Sendable () async throws(GATTError) -> [UInt8] {
        { () throws(GATTError) in try await client.read(.value) }
    }

    @Test func `without an answer closes the bearer after 30 s`() async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure(of: Self.reading(client))
            await peer.hears("0a 0d00")
            let start = peer.time.now
            #expect(await error == .transactionTimeout(during: "reading AA01"))
            #expect(peer.time.now - start == .seconds(30))
            #expect(await peer.next() == nil)
            #expect(await failure(of: Self.reading(client)) == .disconnected)
        }
    }

    @Test func `lasts until just before 30 s`() async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.time.clock.sleep(for: .seconds(30) - .nanoseconds(1))
            try await peer.says("0b 01")
            #expect(try await value == [1])
        }
    }

    @Test func `whose request cannot be sent ends after 30 s`() async throws {
        try await onDiscoveredLink { client, peer in
            let flood = Task(executorPreference: peer.time) {
                while (try? await client.send([UInt8](repeating: 0, count: 20), to: .sink)) != nil {}
            }
            try await peer.pause()
            let start = peer.time.now
            #expect(
                await failure(of: Self.reading(client)) == .transactionTimeout(during: "reading AA01"))
            #expect(peer.time.now - start == .seconds(30))
            await flood.value
        }
    }

    /// 3.3.2: an answer without a matching request violates the protocol.
    @Test(arguments: ["0d", "09 07", "13", "03 1700", "2f"])
    func `answered as if it were another closes the bearer`(_ packet: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure(of: Self.reading(client))
            await peer.hears("0a 0d00")
            try await peer.says(packet)
            let opcode = UInt8(packet.prefix(2), radix: 16) ?? 0
            #expect(await error == .unexpectedAnswer(opcode: opcode, during: "reading AA01"))
            #expect(await peer.next() == nil)
        }
    }

    @Test(arguments: ["01 0c 0d00 0a", "01 00 0000 06", "01 ff 0d00 01", "01", "01 0a", "01 0a 0d00", ""])
    func `is not ended by the refusal of another request`(_ packet: String) async throws {
        try await onDiscoveredLink { client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            if !packet.isEmpty { try await peer.says(packet) }
            try await peer.pause()
            try await peer.says("0b 05")
            #expect(try await value == [5])
        }
    }

    @Test func `is not answered by an earlier packet`() async throws {
        try await onDiscoveredLink { client, peer in
            for packet in ["0b 66", "01 0a 0d00 05", "13", "2f", "03 ff00"] { try await peer.says(packet) }
            try await peer.pause()
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b 05")
            #expect(try await value == [5])
            #expect(await client.mtu == 23)
        }
    }

    @Test func `of many tasks runs one at a time, and each gets its own answer`() async throws {
        try await onDiscoveredLink { client, peer in
            async let peerWork: Void = {
                for _ in 0..<50 {
                    let packet = await peer.next() ?? ""
                    // No other request may be sent while this one is unanswered.
                    try await peer.hearsNothing()
                    #expect(packet.hasPrefix("0c0d00"))
                    try await peer.says("0d" + packet.dropFirst(6))
                }
            }()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 as Range<UInt16> {
                    group.addTask {
                        let value = try? await client.perform(.readBlob(13, from: number), "asking")
                        #expect(value == [UInt8(number & 0xFF), UInt8(number >> 8)])
                    }
                }
            }
            try await peerWork
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A cancelled request` {
    static func read(_ client: ATTClient, _ peer: Peer) -> Task<GATTError?, Never> {
        Task(executorPreference: peer.time) { await failure(of: `A transaction`.reading(client)) }
    }

    @Test func `is not sent if it had not begun`() async throws {
        try await onDiscoveredLink { client, peer in
            let task = Task(executorPreference: peer.time) {
                while !Task.isCancelled { await Task.yield() }
                return await failure(of: `A transaction`.reading(client))
            }
            task.cancel()
            #expect(await task.value == .cancelled)
            try await peer.hearsNothing()
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("0b 01")
            #expect(try await value == [1])
        }
    }

    @Test func `that is queued ends at once, and the others keep their places`() async throws {
        try await onDiscoveredLink { client, peer in
            async let first = client.read(.value)
            await peer.hears("0a 0d00")
            let second = Self.read(client, peer)
            try await peer.pause()
            let third = Task(executorPreference: peer.time) { try await client.read(.value) }
            try await peer.pause()
            let start = peer.time.now
            second.cancel()
            #expect(await second.value == .cancelled)
            #expect(peer.time.now == start)
            try await peer.says("0b 01")
            #expect(try await first == [1])
            await peer.hears("0a 0d00")
            try await peer.says("0b 03")
            #expect(try await third.value == [3])
        }
    }

    @Test func `that waits for its answer closes the bearer, so that no other gets that answer`() async throws
    {
        try await onDiscoveredLink { client, peer in
            let task = Self.read(client, peer)
            await peer.hears("0a 0d00")
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(await peer.next() == nil)
            #expect(await failure(of: `A transaction`.reading(client)) == .disconnected)
        }
    }

    @Test func `that waits for space in the send queue ends at once`() async throws {
        try await onDiscoveredLink { client, peer in
            let flood = Task(executorPreference: peer.time) {
                while (try? await client.send([UInt8](repeating: 0, count: 20), to: .sink)) != nil {}
            }
            try await peer.pause()
            let task = Self.read(client, peer)
            try await peer.pause()
            let start = peer.time.now
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(peer.time.now == start)
            flood.cancel()
            await flood.value
        }
    }

    @Test func `that was answered at the same moment still ends`() async throws {
        try await onDiscoveredLink { client, peer in
            let task = Self.read(client, peer)
            await peer.hears("0a 0d00")
            try await peer.says("0b 01")
            task.cancel()
            let error = await task.value
            #expect(error == nil || error == .cancelled)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A link that ends` {
    @Test func `before the request refuses it`() async throws {
        try await onDiscoveredLink { client, peer in
            peer.end.close()
            try await peer.pause()
            #expect(await failure(of: `A transaction`.reading(client)) == .disconnected)
        }
    }

    @Test func `ends requests that wait for their answer or in the queue`() async throws {
        try await onDiscoveredLink { client, peer in
            let tasks = (0..<3).map { _ in `A cancelled request`.read(client, peer) }
            await peer.hears("0a 0d00")
            try await peer.pause()
            let start = peer.time.now
            peer.end.close()
            for task in tasks { #expect(await task.value == .disconnected) }
            #expect(peer.time.now == start)
        }
    }

    @Test func `ends a command that waits for space`() async throws {
        try await onDiscoveredLink { client, peer in
            let flood = Task(executorPreference: peer.time) {
                var error: GATTError?
                while error == nil {
                    error = await failure { () throws(GATTError) in
                        try await client.send([UInt8](repeating: 0, count: 20), to: .sink)
                    }
                }
                return error
            }
            try await peer.pause()
            peer.end.close()
            #expect(await flood.value == .disconnected)
        }
    }

    @Test func `ends discovery under way`() async throws {
        try await onLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.discoverServices() }
            await peer.hears("10 0100 ffff 0028")
            try await peer.says("11 06 0b00 1000 59fe")
            await peer.hears("10 1100 ffff 0028")
            peer.end.close()
            #expect(await error == .disconnected)
        }
    }

    @Test func `ends a subscription under way, and its queue`() async throws {
        try await onDiscoveredLink { client, peer in
            async let error = failure { () throws(GATTError) in try await client.notifications(from: .value) }
            await peer.hears("04 0e00 0e00")
            try await peer.says("05 01 0e00 0229")
            await peer.hears("12 0e00 0100")
            peer.end.close()
            #expect(await error == .disconnected)
            let queue = await client.queues[13]
            #expect(await arrival(queue, .seconds(1), peer.time.clock) == .disconnected)
        }
    }
}

@Suite struct `An ATT status` {
    @Test(
        arguments: [
            (0x01, "invalid handle"), (0x0A, "attribute not found"), (0x0F, "insufficient encryption"),
            (0x80, "application error 0x80"), (0xA0, "reserved error 0xa0"), (0xFF, "out of range"),
        ] as [(UInt8, String)])
    func `has the specification's name`(_ code: UInt8, _ name: String) {
        #expect(ATTStatus(rawValue: code).description == name)
    }
}
