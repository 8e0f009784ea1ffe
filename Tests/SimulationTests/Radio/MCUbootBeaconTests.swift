import Bluetooth
import Bytes
import Testing

@testable import Simulation

/// A conversation with an SMP server over an adapter (mcuboot-smp.md, Conversation).
private struct SMPTalk: Sendable {
    let client: ATTClient
    let queue: NotificationQueue
    let time: Timekeeper

    static let characteristic = Characteristic(AttributeTable.smpService, AttributeTable.smpCharacteristic)

    init(_ client: ATTClient, _ time: Timekeeper) async throws {
        self.client = client
        self.time = time
        try await client.exchangeMTU()
        queue = try await client.notifications(from: Self.characteristic)
    }

    /// The map of the answer to a request of version 2; nil if none comes in time.
    func ask(_ operation: UInt8, _ group: UInt16, _ command: UInt8, _ map: SMPMap = [:]) async throws
        -> SMPMap?
    {
        let body = map.encoded(.definite)
        let header = [operation, 0] + UInt16(body.count).bytes(.big) + group.bytes(.big) + [1, command]
        try await client.send(header + body, to: Self.characteristic)
        var bytes: [UInt8] = []
        while SMPHeader(bytes).map({ $0.frameSize > bytes.count }) ?? true {
            guard case .value(let piece) = try await queue.next(within: .seconds(40), by: time) else {
                return nil
            }
            bytes += piece
        }
        return SMPValue(decoding: bytes.dropFirst(SMPHeader.size))?.map
    }

    func upload(_ file: [UInt8], chunk: Int = 128) async throws {
        var offset = 0
        while offset < file.count {
            var map: SMPMap = [
                "off": .number(offset), "data": .bytes(Array(file.dropFirst(offset).prefix(chunk))),
            ]
            if offset == 0 {
                map.append("len", .number(file.count))
                map.append("sha", .bytes(SHA256Digest.digest(file)))
            }
            offset = try #require(try await ask(0x0A, 1, 1, map)?["off"]?.number)
        }
    }

    func mark(_ hash: [UInt8]?, confirm: Bool) async throws {
        var map: SMPMap = ["confirm": .truth(confirm)]
        if let hash { map.append("hash", .bytes(hash)) }
        _ = try await ask(0x0A, 1, 0, map)
    }
}

/// A beacon with MCUboot on air of its own.
private struct MCUbootAir: Sendable {
    let adapter: SimulatedAdapter
    let beacon: MCUbootBeacon
    let time: Timekeeper

    static func run<Value: Sendable>(
        faults: [Fault] = [], _ change: @Sendable (inout MCUbootDescription) -> Void = { _ in },
        _ body: @Sendable (MCUbootAir) async throws -> Value
    ) async throws -> Value {
        guard let address = DeviceAddress("F0:0D:BE:AC:60:00") else { throw GATTError.disconnected }
        var description = MCUbootDescription(address: address)
        change(&description)
        let told = description
        return try await VirtualTime.run { time in
            let beacon = MCUbootBeacon(told, time: time.clock, faults: faults)
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: LinkModel(), time: time.clock, readiness: time
            ) { try await body(MCUbootAir(adapter: $0, beacon: beacon, time: time.clock)) }
        }
    }

    func talk<Value: Sendable>(_ body: @Sendable (SMPTalk) async throws -> Value) async throws -> Value {
        try await adapter.withConnection(to: beacon.description.address, within: .seconds(60)) {
            try await body(SMPTalk($0, time))
        }
    }

    /// The firmware revision, which takes a link of its own.
    func revision() async throws -> String {
        try await adapter.withConnection(to: beacon.description.address, within: .seconds(60)) { client in
            let revision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A26))
            return String(decoding: try await client.read(revision), as: UTF8.self)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A beacon with MCUboot` {
    private static let next = MCUbootFirmware(version: "1.1.0", payload: (0..<9000).map { UInt8($0 % 251) })

    @Test func `is updated, tested and confirmed`() async throws {
        try await MCUbootAir.run { air async throws in
            #expect(try await air.revision() == "1.0.0")
            let hash = try #require(Self.hash(of: Self.next.file))
            try await air.talk { talk async throws in
                try await talk.upload(Self.next.file)
                try await talk.mark(hash, confirm: false)
                _ = try await talk.ask(0x0A, 0, 5)
                try await air.time.sleep(for: .seconds(1))
            }
            #expect(await air.beacon.runningVersion == nil)
            try await air.time.sleep(for: .seconds(20))
            #expect(await air.beacon.runningVersion == "1.1.0")
            #expect(await air.beacon.slots.map(\.isConfirmed) == [false, true])
            try await air.talk { talk async throws in
                _ = try await talk.ask(0x08, 1, 0)
                try await talk.mark(nil, confirm: true)
            }
            #expect(await air.beacon.slots.map(\.isConfirmed) == [true, false])
            #expect(await air.beacon.content(image: 0, slot: 0).starts(with: Self.next.file))
            #expect(await air.beacon.record.brokenRules == [])
            #expect(try await air.revision() == "1.1.0")
        }
    }

    private static func hash(of file: [UInt8]) -> [UInt8]? {
        MCUbootImage(in: file.count) { Array(file[$0]) }?.hash
    }

    @Test func `reports what a client does`() async throws {
        let acts = AsyncStream.makeStream(of: ClientAct.self)
        try await MCUbootAir.run { air async throws in
            await air.beacon.watch { acts.continuation.yield($0) }
            let hash = try #require(Self.hash(of: Self.next.file))
            try await air.talk { talk async throws in
                try await talk.upload(Self.next.file)
                try await talk.mark(hash, confirm: true)
            }
        }
        acts.continuation.finish()
        var requests: [String] = []
        var completed: CompletedUpdate?
        var (data, rules) = (0, [BrokenRule]())
        for await act in acts.stream {
            switch act {
            case .requested(let request): requests.append(request.name)
            case .sent: data += 1
            case .completed(let update): completed = update
            case .broke(let rule): rules.append(rule)
            default: break
            }
        }
        #expect(requests == ["set-image-state"] && data == 71)
        #expect(completed?.held == Self.next.file && completed?.isRight == true)
        #expect(rules.map(\.id) == ["smp-confirm-before-read"])
    }

    @Test func `advertises its service or only its name`() async throws {
        try await MCUbootAir.run { air async throws in
            let heard = try #require(await air.beacon.advertisement(at: air.time.now))
            #expect(heard.data.services == [AttributeTable.smpService] && heard.data.name == "Beacon")
        }
        try await MCUbootAir.run({ $0.advertisesService = false }) { air async throws in
            #expect(await air.beacon.advertisement(at: air.time.now)?.data.services == [])
        }
    }

    @Test func `pairs, and keeps the bond until its storage is erased`() async throws {
        try await MCUbootAir.run({ $0.needsEncryption = true }) { air async throws in
            for _ in 0..<2 {
                try await air.talk { talk async throws in
                    #expect(try await talk.ask(0x08, 1, 0)?["images"]?.list?.count == 1)
                }
                #expect(await air.beacon.bond == 1)
            }
            let address = air.beacon.description.address
            _ = try await air.talk { talk async throws in try await talk.ask(0x0A, 63, 0) }
            await #expect(throws: GATTError.self) {
                try await air.talk { talk async throws in _ = try await talk.ask(0x08, 1, 0) }
            }
            // Without permission to encrypt, subscribing is refused.
            await #expect(throws: GATTError.self) {
                try await air.adapter.withLink(to: address, within: .seconds(60), mayEncrypt: false) {
                    client, _ in
                    _ = try await SMPTalk(client, air.time)
                }
            }
        }
    }

    @Test func `has no services of applications without them`() async throws {
        try await MCUbootAir.run({
            $0.application.hasServer = false
            $0.application.revision = .none
            $0.batteryPercent = 42
        }) { air async throws in
            await #expect(throws: GATTError.self) { try await air.revision() }
            await #expect(throws: GATTError.self) { try await air.talk { _ in } }
            try await air.adapter.withConnection(to: air.beacon.description.address, within: .seconds(60)) {
                client async throws in
                let level = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))
                #expect(try await client.read(level) == [42])
            }
        }
    }
}
