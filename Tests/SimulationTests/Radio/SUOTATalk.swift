import Bluetooth
import Bytes

@testable import Simulation

/// A conversation with a SUOTA receiver over an adapter (dialog-suota.md, Conversation).
struct SUOTATalk: Sendable {
    static let psm: UInt16 = 0x81

    let client: ATTClient
    let queue: NotificationQueue
    let time: Timekeeper

    static func at(_ uuid: BluetoothUUID) -> Characteristic {
        Characteristic(AttributeTable.suotaService, uuid)
    }

    init(_ client: ATTClient, _ time: Timekeeper) async throws {
        self.client = client
        self.time = time
        try await client.exchangeMTU()
        queue = try await client.notifications(from: Self.at(AttributeTable.suotaStatus))
    }

    func command(_ word: [UInt8]) async throws {
        try await client.write(word, to: Self.at(AttributeTable.suotaMemoryDevice))
    }

    func read(_ uuid: BluetoothUUID) async throws -> String {
        HexText.encode(try await client.read(Self.at(uuid)))
    }

    /// The next status; nil if none comes in time.
    func status(within limit: Duration = .seconds(30)) async throws -> UInt8? {
        guard case .value(let value) = try await queue.next(within: limit, by: time) else { return nil }
        return value.first
    }

    /// The status that answers `word`.
    func ask(_ word: [UInt8]) async throws -> UInt8? {
        try await command(word)
        return try await status()
    }

    func length(_ count: Int) async throws {
        try await client.write(
            [UInt8(count & 0xFF), UInt8(count >> 8)], to: Self.at(AttributeTable.suotaPatchLength))
    }

    /// Sends a block; returns its answer.
    func block(_ bytes: ArraySlice<UInt8>, chunk: Int) async throws -> UInt8? {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: chunk) {
            try await client.send(
                Array(bytes[start..<min(start + chunk, bytes.endIndex)]),
                to: Self.at(AttributeTable.suotaPatchData))
        }
        return try await status()
    }

    func start(pins: [UInt8] = [0x00, 0x03, 0x06, 0x05]) async throws -> UInt8? {
        let status = try await ask([0, 0, 0, 0x13])
        try await client.write(pins, to: Self.at(AttributeTable.suotaPinMap))
        return status
    }

    /// Everything up to the answer to END; returns the first unexpected status.
    func update(_ file: [UInt8], block: Int = 240, chunk: Int = 20) async throws -> UInt8? {
        let upload = file + [XORChecksum.checksum(file[...])]
        guard let first = try await start(), first == 0x10 else { return nil }
        var told = 0
        for start in stride(from: 0, to: upload.count, by: block) {
            let part = upload[start..<min(start + block, upload.count)]
            if part.count != told { try await length(part.count) }
            told = part.count
            let answer = try await self.block(part, chunk: chunk)
            guard answer == 0x02 else { return answer }
        }
        return try await ask([0, 0, 0, 0xFE])
    }

    func reboot() async throws { try await command([0, 0, 0, 0xFD]) }
}

/// A beacon with SUOTA on air of its own.
struct SUOTAAir: Sendable {
    let adapter: SimulatedAdapter
    let beacon: SUOTABeacon
    let time: Timekeeper
    var address: DeviceAddress { beacon.description.address }

    static func run<Value: Sendable>(
        _ personality: SUOTAPersonality = .da14585, faults: [Fault] = [], link: LinkModel? = LinkModel(),
        _ change: @Sendable (inout SUOTADescription) -> Void = { _ in },
        _ body: @Sendable (SUOTAAir) async throws -> Value
    ) async throws -> Value {
        guard let address = DeviceAddress("F0:0D:BE:AC:60:00") else { throw GATTError.disconnected }
        var description = SUOTADescription(address: address, personality)
        change(&description)
        let told = description
        return try await VirtualTime.run { time in
            let beacon = SUOTABeacon(told, time: time.clock, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: link, time: time.clock, readiness: time
            ) { try await body(SUOTAAir(adapter: $0, beacon: beacon, time: time.clock)) }
        }
    }

    func talk<Value: Sendable>(_ body: @Sendable (SUOTATalk) async throws -> Value) async throws -> Value {
        try await adapter.withConnection(to: address, within: .seconds(60)) {
            try await body(SUOTATalk($0, time))
        }
    }

    /// The version in Device Information, which takes a link of its own.
    func version() async throws -> String {
        try await adapter.withConnection(to: address, within: .seconds(60)) { client in
            let revision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
            return String(decoding: try await client.read(revision), as: UTF8.self)
        }
    }

    /// Header and code of version 2.0.0, `count` bytes of it.
    func file(_ count: Int = 1000) -> [UInt8] {
        SUOTAFirmware(version: "2.0.0", payload: (0..<count).map { UInt8($0 % 251) })
            .stored(beacon.description.personality.family)
    }
}
