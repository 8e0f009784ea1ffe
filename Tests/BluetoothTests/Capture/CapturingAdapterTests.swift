import Foundation
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Bluetooth

/// A recording in a file of its own, whose clock stands at 1970.
private final class Tape: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/capture-" + UUID().uuidString
    let losses = Mutex<[CaptureError]>([])

    deinit { unlink(path) }

    func file() throws -> CaptureFile {
        try CaptureFile(creating: path, now: { 0 }) { [self] loss in losses.withLock { $0.append(loss) } }
    }

    var bytes: [UInt8] { get throws { try Samples.file(at: path) } }
    var conversations: [RecordedConversation] {
        get throws { try BTSnoopFile(parsing: bytes).conversations() }
    }
}

private let information = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0x2A29))

/// Runs `body` with a recorded adapter among the built-in beacons, in virtual time.
private func recorded(
    _ tape: Tape, _ body: @Sendable (CapturingAdapter<SimulatedAdapter>) async throws -> Void
) async throws {
    try await VirtualTime.run { time in
        try await Scenario.builtIn.play(time: time.clock, readiness: time) { adapter in
            try await body(CapturingAdapter(adapter, into: try tape.file()))
        }
    }
}

private func address(_ text: String) throws -> DeviceAddress { try #require(DeviceAddress(text)) }

@Suite(.timeLimit(.minutes(10))) struct `A recorded adapter` {
    @Test func `records a link from beginning to end`() async throws {
        let tape = Tape()
        let peer = try address("F0:0D:BE:AC:01:01")
        try await recorded(tape) { adapter in
            try await adapter.withConnection(to: peer, within: .seconds(5)) { client in
                try await client.exchangeMTU()
                #expect(try await client.discoverServices().isEmpty == false)
            }
        }
        let found = try tape.conversations
        #expect(found.map(\.peer) == [peer])
        #expect(found.map(\.endReason) == [0x16])
        let packets = try #require(found.first?.packets)
        #expect(packets.first?.bytes == [0x02, 0x05, 0x02])
        #expect(packets.first?.direction == .sent)
        #expect(packets.dropFirst().first?.bytes.first == 0x03)
        // One request at a time: question, answer, question, answer.
        #expect(packets.enumerated().allSatisfy { ($1.direction == .sent) == $0.isMultiple(of: 2) })
        #expect(packets.count > 3 && packets.count.isMultiple(of: 2))
    }

    /// The simulated link has 15 ms, 12 units of 1.25 ms.
    @Test func `begins with the peer's address and the interval`() async throws {
        let tape = Tape()
        let peer = try address("F0:0D:BE:AC:02:01")
        try await recorded(tape) { adapter in
            try await adapter.withConnection(to: peer, within: .seconds(5)) { _ in }
        }
        let first = try #require(try BTSnoopFile(parsing: tape.bytes).records.first)
        #expect(
            first.packet == [UInt8](hex: "04 3e 13 01 00 0100 00 01 0102acbe0df0 0c00 0000 5802 00"))
    }

    @Test func `keeps simultaneous links apart`() async throws {
        let tape = Tape()
        let peers = [try address("F0:0D:BE:AC:01:01"), try address("F0:0D:BE:AC:02:01")]
        try await recorded(tape) { adapter in
            try await adapter.withConnection(to: peers[0], within: .seconds(5)) { one in
                try await adapter.withConnection(to: peers[1], within: .seconds(5)) { other in
                    async let first = one.discoverServices()
                    async let second = other.discoverServices()
                    _ = try await (first, second)
                    try await one.exchangeMTU()
                }
            }
        }
        let found = try tape.conversations
        #expect(found.map(\.peer) == peers)
        #expect(found.map { $0.packets.last?.bytes.first } == [0x03, found[1].packets.last?.bytes.first])
        #expect(found[0].packets.count == found[1].packets.count + 2)
    }

    @Test func `passes on the properties of a link, and that it cannot be encrypted`() async throws {
        let tape = Tape()
        let peer = try address("F0:0D:BE:AC:01:01")
        try await recorded(tape) { adapter in
            let channel = try await adapter.open(
                .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
            #expect(await adapter.parameters(of: channel).interval == .milliseconds(15))
            await #expect(throws: AdapterError.self) {
                try await adapter.encrypt(channel, within: .seconds(1))
            }
            channel.close()
        }
        #expect(try tape.conversations.map(\.packets.count) == [0])
    }

    @Test func `ends a link once, and writes nothing after its end`() async throws {
        let tape = Tape()
        let peer = try address("F0:0D:BE:AC:01:01")
        try await recorded(tape) { adapter in
            let channel = try await adapter.open(
                .attributes, to: peer, asking: LinkRequest(), within: .seconds(5))
            channel.close()
            channel.close()
            await #expect(throws: BearerError.closed) { try await channel.send([0x02, 0x17, 0x00]) }
            _ = try? await channel.receive()
        }
        #expect(try BTSnoopFile(parsing: tape.bytes).records.count == 2)
    }

    @Test func `writes nothing for a peer that does not answer`() async throws {
        let tape = Tape()
        let absent = try address("F0:00:00:00:00:00")
        try await recorded(tape) { adapter in
            await #expect(throws: AdapterError.noAnswer(absent)) {
                try await adapter.withConnection(to: absent, within: .seconds(1)) { _ in }
            }
        }
        #expect(try tape.bytes == BTSnoopFile.header)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A recorded channel` {
    private func onPair(
        _ tape: Tape, _ body: @Sendable (CapturingBearer<PacketSocket>, PacketSocket) async throws -> Void
    ) async throws {
        try await VirtualTime.run { time in
            let (near, far) = try PacketSocket.pair(readiness: time)
            let peer = try #require(Recorded.peer)
            let recorder = LinkRecorder(
                in: try tape.file(), peer: peer, interval: .milliseconds(15), supervisionTimeout: .seconds(6))
            try await body(CapturingBearer(near, recorder: recorder), far)
        }
    }

    /// Equal to the recording written by hand, except for the times.
    @Test func `writes the format as it is documented`() async throws {
        let tape = Tape()
        try await onPair(tape) { near, far in
            for (direction, packet) in Recorded.packets {
                switch direction {
                case .sent:
                    try await near.send(packet)
                    #expect(try await far.receive() == packet)
                case .received:
                    try await far.send(packet)
                    #expect(try await near.receive() == packet)
                }
            }
            far.close()
            #expect(try await near.receive() == nil)
        }
        let epoch: [UInt8] = [0x00, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, 0x00]
        var expected = Recorded.bytes
        for record in try BTSnoopFile(parsing: Recorded.bytes).records {
            expected.replaceSubrange(record.place - 8..<record.place, with: epoch)
        }
        #expect(try tape.bytes == expected)
    }

    @Test(arguments: [23, 517, 1017, 1018, 4000])
    func `records packets of every length whole`(_ count: Int) async throws {
        let tape = Tape()
        let packet = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try await onPair(tape) { near, far in
            try await near.send(packet)
            #expect(try await far.receive() == packet)
            try await far.send(packet)
            #expect(try await near.receive() == packet)
        }
        #expect(try tape.conversations.first?.packets.map(\.bytes) == [packet, packet])
        // An attribute packet is one record.
        let pieces = try BTSnoopFile(parsing: tape.bytes).records.count - 2
        #expect(pieces == 2 * ((count + 4 + 1020) / 1021))
    }

    /// The unfavourable order: the answer arrives before `send` returns.
    @Test func `has a request before its answer, however early that comes`() async throws {
        let tape = Tape()
        let eager = EagerBearer()
        let peer = try #require(Recorded.peer)
        let recorder = LinkRecorder(
            in: try tape.file(), peer: peer, interval: nil, supervisionTimeout: nil)
        let bearer = CapturingBearer(eager, recorder: recorder)
        await eager.onSend { _ = try? await bearer.receive() }
        try await bearer.send([0x0A, 0x03, 0x00])
        #expect(try tape.conversations.first?.packets.map(\.direction) == [.sent, .received])
    }

    @Test(arguments: [(Int32(110), UInt8(0x08)), (5, 0x1F)])
    func `records how the link failed`(_ errno: Int32, _ reason: UInt8) async throws {
        let tape = Tape()
        let peer = try #require(Recorded.peer)
        let recorder = LinkRecorder(in: try tape.file(), peer: peer, interval: nil, supervisionTimeout: nil)
        let bearer = CapturingBearer(FailingBearer(errno: errno), recorder: recorder)
        await #expect(throws: BearerError.system(call: "recv", errno: errno)) {
            try await bearer.receive()
        }
        #expect(try tape.conversations.map(\.endReason) == [reason])
    }

    /// A packet lost on the way out shows that the peer ended the link, even though we close it afterwards.
    @Test func `records that the peer ended the link when only a packet of ours failed`() async throws {
        let tape = Tape()
        try await onPair(tape) { near, far in
            try await far.send([0x1B, 0x0D, 0x00, 0x07])
            far.close()
            await #expect(throws: BearerError.closed) { try await near.send([0x0A, 0x0D, 0x00]) }
            #expect(try await near.receive() == [0x1B, 0x0D, 0x00, 0x07])
            near.close()
        }
        let found = try #require(try tape.conversations.first)
        #expect(found.endReason == 0x13)
        #expect(found.packets.map(\.direction) == [.sent, .received])
    }

    /// 70 MB of packets must not stay in memory, where other tests allocate some too.
    @Test func `keeps nothing in memory`() async throws {
        let peer = try #require(Recorded.peer)
        let file = try CaptureFile(creating: "/dev/null", now: { 0 }) { _ in Issue.record("lost") }
        let recorder = LinkRecorder(in: file, peer: peer, interval: nil, supervisionTimeout: nil)
        let packet = [UInt8](repeating: 0x52, count: 1000)
        let before = ResidentMemory.now
        for _ in 0..<70_000 { recorder.add(packet, .sent) }
        #expect(ResidentMemory.now - before < 40 << 20)
    }
}

/// A bearer whose answer is taken before `send` has returned.
private actor EagerBearer: Bearer {
    private var body: (@Sendable () async -> Void)?
    func onSend(_ body: @escaping @Sendable () async -> Void) { self.body = body }
    func send(_ packet: [UInt8]) async throws(BearerError) { await body?() }
    func receive() async throws(BearerError) -> [UInt8]? { [0x0B, 0x01] }
    nonisolated func close() {}
}

/// A bearer whose link has failed.
private struct FailingBearer: Bearer {
    let errno: Int32
    func send(_ packet: [UInt8]) async throws(BearerError) {}
    func receive() async throws(BearerError) -> [UInt8]? {
        throw .system(call: "recv", errno: errno)
    }
    func close() {}
}
