import Bluetooth
import Bytes

@testable import Simulation

/// A beacon with a client at the end of each link that is opened.
struct BeaconBench: Sendable {
    let clock: JumpingClock
    let time: Timekeeper
    let beacon: NordicBeacon

    init(
        _ faults: [Fault] = [], clock: JumpingClock = JumpingClock(), retained: RetainedState? = nil,
        retainedImage: [UInt8] = [], memory: (any BeaconMemory)? = nil,
        _ change: (inout NordicDescription) -> Void = { _ in }
    ) throws {
        guard let address = DeviceAddress("F0:0D:00:00:00:FF") else { throw Failure() }
        var description = NordicDescription(address: address)
        description.timing = .instant
        description.key = GoldenUpdate.key
        change(&description)
        self.clock = clock
        time = Timekeeper(clock)
        beacon = NordicBeacon(
            description, time: time, faults: faults, retained: retained, retainedImage: retainedImage,
            memory: memory)
    }

    struct Failure: Error {}

    /// Runs `body` over a link of its own; both ends are done when it returns.
    func link<Value: Sendable>(
        _ body: @Sendable (LinkClient) async throws -> Value
    ) async throws -> Value {
        let (near, far) = MemoryLink.pair()
        async let serving: Void = beacon.serve(far)
        defer { near.close() }
        let value: Value
        do { value = try await body(LinkClient(bearer: near)) } catch {
            near.close()
            await serving
            throw error
        }
        near.close()
        await serving
        return value
    }

    /// The golden update from Set PRN to the last Execute; returns the answer to that.
    func update() async throws -> String? {
        try await link { client in
            try await client.start()
            try await client.bring(GoldenUpdate.signed, type: 1)
            _ = try await client.ask("04")
            for start in [0, 4096] {
                try await client.bring(Array(GoldenUpdate.image[start..<min(start + 4096, 4100)]), type: 2)
                guard start == 0 else { break }
                _ = try await client.ask("04")
            }
            return try await client.ask("04")
        }
    }
}

/// A client that writes to known handles and receives packets in order.
struct LinkClient: Sendable {
    let bearer: MemoryLink

    func send(_ packet: String) async throws { try await bearer.send(hex(packet)) }

    func next() async throws -> String? { try await bearer.receive().map(HexText.encode) }

    /// MTU 247, notifications on, PRN off.
    func start() async throws {
        try await send("02f700")
        _ = try await next()
        try await send("1207000100")
        _ = try await next()
        _ = try await ask("020000")
    }

    /// Writes a request to the Control Point; returns the notification after the Write Response, nil at the end.
    func ask(_ request: String) async throws -> String? {
        try await send("120600" + request)
        guard try await next() != nil else { return nil }
        return try await next().map { String($0.dropFirst(6)) }
    }

    func bring(_ bytes: [UInt8], type: Int) async throws {
        _ = try await ask("010" + String(type) + word(bytes.count))
        var rest = bytes[...]
        while !rest.isEmpty {
            try await bearer.send([0x52, 9, 0] + rest.prefix(244))
            rest = rest.dropFirst(244)
        }
    }
}
