import Simulation
import TestSupport
import Testing

@testable import Bluetooth

@Suite(.timeLimit(.minutes(10))) struct `A replayed link` {
    private static let value = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0xAA01))

    private func conversation(_ packets: [(Direction, String)], end: UInt8? = nil) -> RecordedConversation {
        RecordedConversation(
            packets: packets.map {
                RecordedConversation.Packet(direction: $0.0, bytes: [UInt8](hex: $0.1))
            },
            endReason: end)
    }

    /// Reads AA01 of FE59, at handle 13.
    private var reading: RecordedConversation {
        conversation([
            (.sent, "10 0100 ffff 0028"), (.received, "11 06 0b00 0d00 59fe"),
            (.sent, "10 0e00 ffff 0028"), (.received, "01 10 0e00 0a"),
            (.sent, "08 0b00 0d00 0328"), (.received, "09 07 0c00 02 0d00 01aa"),
            (.sent, "08 0d00 0d00 0328"), (.received, "01 08 0d00 0a"),
            (.sent, "0a 0d00"), (.received, "0b 010203"),
        ])
    }

    @Test func `answers a client as the peer did`() async throws {
        try await VirtualTime.run { time in
            let link = ReplayedLink(reading)
            let client = ATTClient(bearer: link, time: time.clock)
            async let _ = client.run()
            defer { link.close() }
            let value = try await client.read(Self.value)
            #expect(value == [1, 2, 3])
            #expect(link.isFinished)
            #expect(link.deviation == nil)
        }
    }

    @Test func `ends if the client deviates from the recording`() async throws {
        try await VirtualTime.run { time in
            let link = ReplayedLink(reading)
            let client = ATTClient(bearer: link, time: time.clock)
            async let _ = client.run()
            defer { link.close() }
            _ = try await client.offers(Self.value)
            await #expect(throws: GATTError.disconnected) { try await client.write([7], to: Self.value) }
            #expect(link.deviation?.index == 4)
            #expect(link.deviation?.expected == [0x0A, 0x0D, 0x00])
        }
    }

    @Test func `sends nothing before its place, and nothing twice`() async throws {
        try await VirtualTime.run { time in
            let link = ReplayedLink(conversation([(.sent, "0a 0300"), (.received, "0b 01")]))
            let early = try await time.clock.within(.seconds(1)) { try await link.receive() }
            #expect(early == nil)
            async let answer = link.receive()
            try await time.clock.sleep(for: .milliseconds(1))
            try await link.send([0x0A, 0x03, 0x00])
            #expect(try await answer == [0x0B, 0x01])
            #expect(try await link.receive() == nil)
        }
    }

    @Test func `stays open after its end if the client had disconnected`() async throws {
        try await VirtualTime.run { time in
            let link = ReplayedLink(conversation([(.received, "1b 0300 01")], end: 0x16))
            #expect(try await link.receive() == [0x1B, 0x03, 0x00, 0x01])
            let more = try await time.clock.within(.seconds(1)) { () -> Bool in
                do { return try await link.receive() == nil } catch BearerError.cancelled { return false }
            }
            #expect(more == nil)
            let end = Task(executorPreference: time) { try await link.receive() }
            try await time.clock.sleep(for: .milliseconds(1))
            link.close()
            await #expect(throws: BearerError.closed) { try await end.value }
        }
    }

    @Test func `accepts no packet after the recording's end`() async throws {
        let link = ReplayedLink(conversation([]))
        await #expect(throws: BearerError.closed) { try await link.send([0x02]) }
        #expect(link.deviation == ReplayedLink.Deviation(index: 0, expected: nil, found: [0x02]))
    }
}
