import Bluetooth
import Testing

@testable import Simulation

/// A conversation with a Feasycom beacon over an adapter (fbeacon.md, Transfer).
struct FBeaconTalk: Sendable {
    let client: ATTClient
    let queue: NotificationQueue
    let time: Timekeeper

    private static let commands = Characteristic(
        AttributeTable.fbeaconService, AttributeTable.fbeaconCommands)

    init(_ client: ATTClient, _ time: Timekeeper) async throws {
        self.client = client
        self.time = time
        try await client.exchangeMTU()
        queue = try await client.notifications(
            from: Characteristic(AttributeTable.fbeaconService, AttributeTable.fbeaconAnswers))
    }

    /// The next answer; nil if none comes in time.
    func next(within limit: Duration = .seconds(3)) async throws -> [UInt8]? {
        guard case .value(let value) = try await queue.next(within: limit, by: time) else { return nil }
        return value
    }

    func ask(_ text: String) async throws -> String? {
        try await client.write(Array(text.utf8), to: Self.commands)
        return try await next().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends a packet or a control byte in pieces that fit; returns its answer.
    func send(_ bytes: [UInt8]) async throws -> [UInt8]? {
        let size = await client.mtu - 3
        for start in stride(from: 0, to: bytes.count, by: size) {
            try await client.send(Array(bytes[start..<min(start + size, bytes.count)]), to: Self.commands)
        }
        return try await next()
    }

    /// Sends blocks of one value each, and the end, after the receiver's request; returns the first answer that is not
    /// ACK.
    func transfer(blocks: Int) async throws -> [UInt8]? {
        guard try await next(within: .seconds(5)) == [0x53] else { return nil }
        for block in 1...blocks {
            let data = [UInt8](repeating: UInt8(block), count: 1024)
            let crc = data.reduce(UInt16(0)) { crc, byte in
                (0..<8).reduce(crc ^ UInt16(byte) << 8) { value, _ in
                    value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
                }
            }
            let packet = [0x02, UInt8(block), ~UInt8(block)] + data + [UInt8(crc >> 8), UInt8(crc & 0xFF)]
            guard try await send(packet) == [0x06] else { return nil }
        }
        return try await send([0x04])
    }
}

/// A beacon with FBeacon updates on air of its own.
struct FBeaconAir: Sendable {
    let adapter: SimulatedAdapter
    let beacon: FBeaconBeacon
    let time: Timekeeper

    static func run<Value: Sendable>(
        faults: [Fault] = [], _ change: @Sendable (inout FBeaconDescription) -> Void = { _ in },
        _ body: @Sendable (FBeaconAir) async throws -> Value
    ) async throws -> Value {
        guard let address = DeviceAddress("F0:0D:BE:AC:60:00") else { throw GATTError.disconnected }
        var description = FBeaconDescription(address: address)
        change(&description)
        let told = description
        return try await VirtualTime.run { time in
            let beacon = FBeaconBeacon(told, time: time.clock, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: LinkModel(), time: time.clock, readiness: time
            ) { try await body(FBeaconAir(adapter: $0, beacon: beacon, time: time.clock)) }
        }
    }

    func talk<Value: Sendable>(_ body: @Sendable (FBeaconTalk) async throws -> Value) async throws -> Value {
        try await adapter.withConnection(to: beacon.description.address, within: .seconds(60)) {
            try await body(FBeaconTalk($0, time))
        }
    }

    /// Enters, optionally connects again, and sends some blocks; returns the answer to EOT.
    func update(blocks: Int = 3, reconnects: Bool = true) async throws -> [UInt8]? {
        let answer = try await talk { talk async throws in
            #expect(try await talk.ask("EnterDFU0")?.count == 15)
            return reconnects ? nil : try await talk.transfer(blocks: blocks)
        }
        guard reconnects else { return answer }
        try await time.sleep(for: .seconds(3))
        return try await talk { talk async throws in try await talk.transfer(blocks: blocks) }
    }

    /// Model and software of Device Information, which take a link of their own.
    func information() async throws -> [String] {
        try await adapter.withConnection(to: beacon.description.address, within: .seconds(60)) { client in
            var texts: [String] = []
            for number in [0x2A24, 0x2A28] as [UInt16] {
                let value = try await client.read(
                    Characteristic(BluetoothUUID(0x180A), BluetoothUUID(number)))
                texts.append(String(decoding: value, as: UTF8.self))
            }
            return texts
        }
    }
}
