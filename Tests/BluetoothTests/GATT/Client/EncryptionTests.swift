import Simulation
import Synchronization
import Testing

@testable import Bluetooth

/// Vol 3, Part F, 4: a server that requires an encrypted link answers with an error; the request is then repeated.
@Suite(.timeLimit(.minutes(10))) struct `A request that is refused for lack of encryption` {
    /// A discovered client whose link `encrypt` encrypts.
    static func onLink(
        encrypting encrypt: ATTClient.Encryption?,
        _ body: @Sendable (ATTClient, Peer) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let client = ATTClient(bearer: near, time: time.clock, encrypting: encrypt)
            let peer = Peer(time: time, end: far)
            async let _ = client.run()
            defer { near.close() }
            async let offered = client.offers(.value)
            try await peer.isDiscovered()
            #expect(try await offered)
            try await body(client, peer)
        }
    }

    static func reading(_ client: ATTClient) -> @Sendable () async throws(GATTError) -> [UInt8] {
        { () throws(GATTError) in try await client.read(.value) }
    }

    @Test(arguments: ["05", "0f"]) func `is repeated once the link is encrypted`(_ status: String)
        async throws
    {
        let times = Mutex(0)
        try await Self.onLink(encrypting: { () throws(EncryptionError) in times.withLock { $0 += 1 } }) {
            client, peer in
            async let value = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("01 0a 0d00 \(status)")
            await peer.hears("0a 0d00")
            try await peer.says("0b 07")
            #expect(try await value == [7])
        }
        #expect(times.withLock { $0 } == 1)
    }

    @Test func `and refused again stays refused`() async throws {
        let times = Mutex(0)
        try await Self.onLink(encrypting: { () throws(EncryptionError) in times.withLock { $0 += 1 } }) {
            client, peer in
            for round in [2, 1] {
                async let error = failure(of: Self.reading(client))
                for _ in 0..<round {
                    await peer.hears("0a 0d00")
                    try await peer.says("01 0a 0d00 0f")
                }
                #expect(
                    await error == .refused(.insufficientEncryption, handle: 13, during: "reading AA01"))
                try await peer.hearsNothing()
            }
        }
        #expect(times.withLock { $0 } == 1)
    }

    @Test func `fails with the reason when the link cannot be encrypted, and may be tried again`()
        async throws
    {
        let times = Mutex(0)
        let encrypt: ATTClient.Encryption = { () throws(EncryptionError) in
            times.withLock { $0 += 1 }
            throw EncryptionError(reason: "no keys")
        }
        try await Self.onLink(encrypting: encrypt) { client, peer in
            for _ in 0..<2 {
                async let error = failure(of: Self.reading(client))
                await peer.hears("0a 0d00")
                try await peer.says("01 0a 0d00 05")
                #expect(await error == .notEncrypted(reason: "no keys", during: "reading AA01"))
            }
        }
        #expect(times.withLock { $0 } == 2)
    }

    @Test func `keeps other requests waiting until the link is encrypted`() async throws {
        let gate = OneShot<Void>()
        try await Self.onLink(encrypting: { () throws(EncryptionError) in await gate.value() }) {
            client, peer in
            async let first = client.read(.value)
            await peer.hears("0a 0d00")
            try await peer.says("01 0a 0d00 05")
            async let second: Void = client.write([9], to: .value)
            try await peer.hearsNothing()
            gate.resolve(())
            await peer.hears("0a 0d00")
            try await peer.says("0b 07")
            await peer.hears("12 0d00 09")
            try await peer.says("13")
            #expect(try await first == [7])
            try await second
        }
    }

    @Test func `can be cancelled while the link is being encrypted`() async throws {
        try await VirtualTime.run { time in
            let clock = time.clock
            let encrypt: ATTClient.Encryption = { () throws(EncryptionError) in
                do { try await clock.sleep(for: .seconds(30)) } catch {
                    throw EncryptionError(reason: "cancelled")
                }
            }
            let (near, far) = try PacketSocket.pair(readiness: time)
            let client = ATTClient(bearer: near, time: clock, encrypting: encrypt)
            let peer = Peer(time: time, end: far)
            async let _ = client.run()
            defer { near.close() }
            async let offered = client.offers(.value)
            try await peer.isDiscovered()
            #expect(try await offered)
            let task = Task(executorPreference: time) { await failure(of: Self.reading(client)) }
            await peer.hears("0a 0d00")
            try await peer.says("01 0a 0d00 05")
            try await clock.sleep(for: .seconds(1))
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(clock.now < .seconds(2))
            try await peer.hearsNothing()
        }
    }

    @Test func `stays refused if the link cannot be encrypted`() async throws {
        try await Self.onLink(encrypting: nil) { client, peer in
            async let error = failure(of: Self.reading(client))
            await peer.hears("0a 0d00")
            try await peer.says("01 0a 0d00 05")
            #expect(
                await error == .refused(.insufficientAuthentication, handle: 13, during: "reading AA01"))
        }
    }

    @Test func `for another reason is not repeated`() async throws {
        let encrypt: ATTClient.Encryption = { () throws(EncryptionError) in
            throw EncryptionError(reason: "not requested")
        }
        try await Self.onLink(encrypting: encrypt) { client, peer in
            async let error = failure(of: Self.reading(client))
            await peer.hears("0a 0d00")
            try await peer.says("01 0a 0d00 02")
            #expect(
                await error == .refused(ATTStatus(rawValue: 2), handle: 13, during: "reading AA01"))
        }
    }
}
