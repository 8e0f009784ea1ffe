import Bluetooth
import Simulation

extension SUOTATransfer {
    /// The result of a sender with `policy`, implemented here from the protocol alone; from the start up to the
    /// device's verdict on the image.
    public func fixed(_ policy: FixedSUOTAPolicy) async throws -> TransferResult {
        guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { throw BenchError.address }
        let description = SUOTADescription(address: address, personality)
        let firmware = firmware
        let file = firmware.stored(personality.family)
        return try await VirtualTime.run { time in
            let clock = time.clock
            let beacon = SUOTABeacon(description, time: clock)
            return try await SimulatedAdapter.withBeacons([beacon], link: link, time: clock, readiness: time)
            {
                adapter in
                var failure: String?
                var length: Duration?
                do {
                    length = try await adapter.withConnection(to: address, within: .seconds(10)) { client in
                        try await client.exchangeMTU()
                        let sender = FixedSUOTASender(policy, client, clock, await client.maximumWriteLength)
                        return try await sender.send(file)
                    }
                } catch let given as GivenUp { failure = given.reason } catch { failure = "\(error)" }
                try await clock.sleep(for: .seconds(60))
                if failure == nil, await beacon.runningImage?.payload != firmware.payload {
                    failure = "wrong image"
                }
                return TransferResult(
                    seconds: failure == nil ? length?.seconds : nil, size: size, lost: 0, repeated: 0,
                    failure: failure)
            }
        }
    }
}

/// A sender that waits for what its policy requires.
private struct FixedSUOTASender {
    private static let service = BluetoothUUID(0xFEF5)
    private static let memoryDevice = characteristic("8082CAA8-41A6-4021-91C6-56F9B954CC34")
    private static let pins = characteristic("724249F0-5EC3-4B5F-8804-42345AF08651")
    private static let patchLength = characteristic("9D84B9A3-000C-49D8-9183-855B673FDA31")
    private static let patchData = characteristic("457871E8-D516-4CA1-9116-57D0B17B9CB2")
    private static let status = characteristic("5F78DF94-798C-46F5-990A-B3EB6A065C88")
    private static let chunkSize = characteristic("42C3DFDD-77BE-4D9C-8454-8F875267FB3B")
    private static let block = 240

    let policy: FixedSUOTAPolicy
    let client: ATTClient
    let time: Timekeeper
    let maximum: Int

    init(_ policy: FixedSUOTAPolicy, _ client: ATTClient, _ time: Timekeeper, _ maximum: Int) {
        self.policy = policy
        self.client = client
        self.time = time
        self.maximum = maximum
    }

    private static func characteristic(_ text: String) -> Characteristic {
        Characteristic(service, BluetoothUUID(text) ?? service)
    }

    /// From the start to the answer to the end.
    func send(_ file: [UInt8]) async throws -> Duration {
        let statuses = try await client.notifications(from: Self.status)
        let chunk = min(policy.longestChunk, try await longestChunk)
        let block = max(Self.block, chunk)
        let upload = file + [file.reduce(0, ^)]
        let start = time.now
        try await client.write([0, 0, 0, 0x13], to: Self.memoryDevice)
        try await expect(0x10, statuses)
        try await client.write([0x00, 0x03, 0x06, 0x05], to: Self.pins)
        var told = 0
        for offset in stride(from: 0, to: upload.count, by: block) {
            let part = upload[offset..<min(offset + block, upload.count)]
            if part.count != told {
                try await client.write(
                    [UInt8(part.count & 0xFF), UInt8(part.count >> 8)], to: Self.patchLength)
            }
            told = part.count
            try await send(part, by: chunk)
            try await expect(0x02, statuses)
        }
        try await client.write([0, 0, 0, 0xFE], to: Self.memoryDevice)
        try await expect(0x02, statuses)
        let length = time.now - start
        try await client.write([0, 0, 0, 0xFD], to: Self.memoryDevice)
        try await time.sleep(for: .seconds(1))
        return length
    }

    private var longestChunk: Int {
        get async throws {
            guard try await client.offers(Self.chunkSize) else { return 20 }
            let value = try await client.read(Self.chunkSize)
            return min(value.reversed().reduce(0) { $0 << 8 | Int($1) }, maximum)
        }
    }

    private func send(_ block: ArraySlice<UInt8>, by size: Int) async throws {
        for start in stride(from: block.startIndex, to: block.endIndex, by: size) {
            let bytes = Array(block[start..<min(start + size, block.endIndex)])
            if policy.isAnswered {
                try await client.write(bytes, to: Self.patchData)
            } else {
                try await client.send(bytes, to: Self.patchData)
            }
            if policy.wait > .zero { try await time.sleep(for: policy.wait) }
        }
    }

    private func expect(_ wanted: UInt8, _ statuses: NotificationQueue) async throws {
        guard case .value(let value) = try await statuses.next(within: .seconds(30), by: time) else {
            throw GivenUp(reason: "no status")
        }
        guard value == [wanted] else { throw GivenUp(reason: "status \(value)") }
    }
}

/// The way in which a well-known tool sends an image over SUOTA: fixed numbers, whatever the device.
public struct FixedSUOTAPolicy: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The longest chunk, whatever the device accepts.
    public var longestChunk = 20
    /// Whether each chunk is a write with a response.
    public var isAnswered = false
    /// Wait after each chunk.
    public var wait = Duration.zero

    /// Blocks of 240 bytes, as in the vendor's library; its chunks are as long as the device accepts. Scripts write
    /// chunks of 20 bytes and wait for each response, or for a fixed time if their library reports none.
    public static let all = [
        FixedSUOTAPolicy(name: "blocks of 240", longestChunk: 244),
        FixedSUOTAPolicy(name: "20, answered", isAnswered: true),
        FixedSUOTAPolicy(name: "20, 5 ms each", wait: .milliseconds(5)),
    ]
}
