import Bluetooth
import Bytes
import Simulation
import TestSupport
import Testing

/// The far end of a link, which sends and expects bytes written by hand.
struct Peer: Sendable {
    let time: VirtualTime
    let end: PacketSocket

    /// The next packet as hexadecimal text; nil if none comes within a minute or the link ends.
    func next() async -> String? {
        let end = end
        let packet = try? await time.clock.within(.seconds(60)) { try await end.receive() }
        return packet.flatMap(\.self).map { HexText.encode($0) }
    }

    /// Expects `text` as the next packet.
    func hears(_ text: String, _ location: SourceLocation = #_sourceLocation) async {
        let packet = await next()
        #expect(packet == text.filter { $0 != " " }, sourceLocation: location)
    }

    /// Sends `text`.
    func says(_ text: String) async throws { try await end.send([UInt8](hex: text)) }

    /// Lets all pending work run.
    func pause() async throws { try await time.clock.sleep(for: .milliseconds(1)) }

    /// Expects that nothing has been sent.
    func hearsNothing(_ location: SourceLocation = #_sourceLocation) async throws {
        let end = end
        let packet = try await time.clock.within(.milliseconds(1)) { try await end.receive() }
        #expect(packet == nil, sourceLocation: location)
    }

    /// Answers a client's requests up to its discovery of the two test characteristics: a service FE59 at 11 to 16 with
    /// AA01 (read, write, notify; value at 13) and AA02 (write, write without response; value at 16).
    func isDiscovered() async throws {
        await hears("10 0100 ffff 0028")
        try await says("11 06 0b00 1000 59fe")
        await hears("10 1100 ffff 0028")
        try await says("01 10 1100 0a")
        await hears("08 0b00 1000 0328")
        try await says("09 07 0c00 1a 0d00 01aa 0f00 0c 1000 02aa")
        await hears("08 1000 1000 0328")
        try await says("01 08 1000 0a")
    }
}

extension Characteristic {
    static let value = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0xAA01))
    static let sink = Characteristic(BluetoothUUID(0xFE59), BluetoothUUID(0xAA02))
}

/// Runs a client with its pump in virtual time, against a peer that `body` controls.
func onLink(
    _ body: @Sendable (ATTClient, Peer) async throws -> Void
) async throws {
    try await VirtualTime.run { time in
        let (near, far) = try PacketSocket.pair(readiness: time)
        let client = ATTClient(bearer: near, time: time.clock)
        async let _ = client.run()
        defer { near.close() }
        try await body(client, Peer(time: time, end: far))
    }
}

/// A client that has discovered the test characteristics.
func onDiscoveredLink(
    _ body: @Sendable (ATTClient, Peer) async throws -> Void
) async throws {
    try await onLink { client, peer in
        async let offered = client.offers(.value)
        try await peer.isDiscovered()
        #expect(try await offered)
        try await body(client, peer)
    }
}

/// The error of `body`; nil on success.
func failure<Value>(of body: () async throws(GATTError) -> Value) async -> GATTError? {
    do throws(GATTError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// The result of waiting for the next value of `queue`; nil if the wait is cancelled.
func arrival(
    _ queue: NotificationQueue?, _ limit: Duration, _ clock: Timekeeper
) async -> NotificationQueue.WaitResult? {
    try? await queue?.next(within: limit, by: clock)
}
