import Bluetooth
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A packet socket` {
    static func pair() throws -> (PacketSocket, PacketSocket) {
        try PacketSocket.pair(readiness: EventLoop.shared.get())
    }

    @Test func `keeps packet boundaries`() async throws {
        let (near, far) = try Self.pair()
        for length in [1, 23, 247, 517] {
            try await near.send([UInt8](repeating: 7, count: length))
            #expect(try await far.receive()?.count == length)
        }
    }

    @Test func `waits for a reader when its queue is full`() async throws {
        let (near, far) = try Self.pair()
        async let sending: Void = {
            for number in 0..<2000 { try await near.send([UInt8(number & 0xFF), UInt8(number >> 8)]) }
            near.close()
        }()
        var received = 0
        while let packet = try? await far.receive() {
            #expect(Int(packet[0]) | Int(packet[1]) << 8 == received)
            received += 1
        }
        #expect(received == 2000)
        try await sending
    }

    @Test func `ends with nil when the other end closes`() async throws {
        let (near, far) = try Self.pair()
        far.close()
        #expect(try await near.receive() == nil)
    }

    @Test func `refuses to send after it was closed`() async throws {
        let (near, _) = try Self.pair()
        near.close()
        await #expect(throws: BearerError.closed) { try await near.send([1]) }
    }

    @Test func `wakes a reader that is cancelled`() async throws {
        let (near, far) = try Self.pair()
        let reader = Task { try await near.receive() }
        reader.cancel()
        await #expect(throws: BearerError.cancelled) { try await reader.value }
        far.close()
    }

    @Test func `wakes a reader when it is closed during a read`() async throws {
        let (near, far) = try Self.pair()
        async let packet = try? near.receive()
        await Task.yield()
        near.close()
        #expect(await packet == nil)
        far.close()
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A packet socket on its thread` {
    @Test func `gives each of two readers a packet`() async throws {
        let (near, far) = try `A packet socket`.pair()
        async let first = near.receive()
        async let second = near.receive()
        try await far.send([1])
        try await far.send([2])
        let packets = try await [first, second]
        #expect(Set(packets) == [[1], [2]])
    }

    @Test func `receives what was sent before the other end closed`() async throws {
        let (near, far) = try `A packet socket`.pair()
        try await far.send([1])
        try await far.send([2])
        far.close()
        #expect(try await near.receive() == [1])
        #expect(try await near.receive() == [2])
        #expect(try await near.receive() == nil)
        await #expect(throws: BearerError.closed) { try await near.send([3]) }
    }
}
