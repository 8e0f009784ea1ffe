import Bluetooth
import Bytes
import Nordic
import Simulation

extension TransferBench {
    /// The result of a sender with `policy`, implemented here from the protocol alone.
    public func fixed(_ policy: FixedPolicy) async throws -> TransferResult {
        let description = try description()
        let firmware = firmware
        return try await VirtualTime.run { time in
            let clock = time.clock
            let beacon = NordicBeacon(description, time: clock)
            return try await SimulatedAdapter.withBeacons([beacon], link: link, time: clock, readiness: time)
            {
                adapter in
                var failure: String?
                var result: (length: Duration, repeated: Int)?
                do {
                    result = try await adapter.withConnection(
                        to: description.bootloaderAddress, within: .seconds(10)
                    ) { client in
                        try await client.exchangeMTU()
                        _ = try await client.offers(FixedSender.controlPoint)
                        var sender = FixedSender(policy, client, clock, await client.mtu - 3)
                        return try await sender.send(firmware.initPacket, firmware.bytes)
                    }
                    try await clock.sleep(for: .seconds(120))
                    let image = await beacon.runningApplication?.image
                    if image != firmware.bytes { failure = "wrong image" }
                } catch let given as GivenUp { failure = given.reason } catch { failure = "\(error)" }
                return TransferResult(
                    seconds: failure == nil ? result?.length.seconds : nil, size: size,
                    lost: await beacon.statistics.bootloader.packetsDropped, repeated: result?.repeated ?? 0,
                    failure: failure)
            }
        }
    }
}

/// Why a sender stopped.
struct GivenUp: Error { let reason: String }

/// A sender that waits for what its policy requires, and does not adapt.
struct FixedSender {
    static let service = BluetoothUUID(0xFE59)
    static let controlPoint = characteristic("8EC90001-F315-4F60-9FB8-838830DAEA50")
    static let packet = characteristic("8EC90002-F315-4F60-9FB8-838830DAEA50")
    private static let attempts = 4
    private static let objectSize = 4096

    private let policy: FixedPolicy
    private let client: ATTClient
    private let time: Timekeeper
    private let payload: Int
    private var repeated = 0

    init(_ policy: FixedPolicy, _ client: ATTClient, _ time: Timekeeper, _ maximum: Int) {
        self.policy = policy
        self.client = client
        self.time = time
        payload = min(policy.longestPacket, maximum / 4 * 4)
    }

    private static func characteristic(_ text: String) -> Characteristic {
        Characteristic(service, BluetoothUUID(text) ?? service)
    }

    mutating func send(
        _ initPacket: [UInt8], _ image: [UInt8]
    ) async throws -> (length: Duration, repeated: Int) {
        let start = time.now
        let answers = try await client.notifications(from: Self.controlPoint)
        let receipts = UInt8(policy.receipts)
        try await ask([2, receipts, 0], answers)
        try await ask([6, 1], answers)
        try await ask([1, 1] + Self.bytes(initPacket.count), answers)
        try await stream(initPacket[...], answers)
        try await ask([3], answers)
        try await ask([4], answers)
        try await ask([6, 2], answers)
        for offset in stride(from: 0, to: image.count, by: Self.objectSize) {
            let end = min(offset + Self.objectSize, image.count)
            try await sendObject(image, offset..<end, answers)
        }
        return (time.now - start, repeated)
    }

    private mutating func sendObject(
        _ image: [UInt8], _ range: Range<Int>, _ answers: NotificationQueue
    ) async throws {
        let wanted =
            Self.bytes(range.upperBound) + CRC32.checksum(image[..<range.upperBound]).littleEndianBytes
        for attempt in 1...Self.attempts {
            try await ask([1, 2] + Self.bytes(range.count), answers)
            let wait = range.lowerBound == 0 ? policy.firstWait : policy.laterWait
            if wait > .zero { try await time.sleep(for: wait) }
            try await stream(image[range], answers)
            if try await ask([3], answers) == wanted {
                try await ask([4], answers)
                return
            }
            if attempt < Self.attempts { repeated += 1 }
        }
        throw GivenUp(reason: "object \(range.lowerBound / Self.objectSize + 1) never arrives")
    }

    private func stream(_ bytes: ArraySlice<UInt8>, _ answers: NotificationQueue) async throws {
        var count = 0
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: payload) {
            try await client.send(Array(bytes[start..<min(start + payload, bytes.endIndex)]), to: Self.packet)
            count += 1
            guard policy.receipts > 0, count.isMultiple(of: policy.receipts) else { continue }
            // Without a receipt it continues after a while; the checksum will reveal a loss.
            _ = try await answers.next(within: .seconds(1), by: time)
        }
    }

    /// The payload of the answer.
    @discardableResult private func ask(
        _ request: [UInt8], _ answers: NotificationQueue
    ) async throws -> [UInt8] {
        _ = answers.drain()
        try await client.write(request, to: Self.controlPoint)
        while case .value(let answer) = try await answers.next(within: .seconds(10), by: time) {
            guard answer.count >= 3, answer[1] == request[0] else { continue }
            guard answer[2] == 1 else { throw GivenUp(reason: "\(request[0]) was refused with \(answer[2])") }
            return Array(answer[3...])
        }
        throw GivenUp(reason: "\(request[0]) was not answered")
    }

    private static func bytes(_ number: Int) -> [UInt8] { UInt32(number).littleEndianBytes }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}

/// The pacing of a well-known tool: fixed numbers, whatever the device.
public struct FixedPolicy: Hashable, Sendable {
    /// The pacing, and the tools that use it.
    public let name: String
    /// Packets per receipt; 0 for none.
    public var receipts = 0
    /// Wait after the first Create of an object.
    public var firstWait = Duration.zero
    /// Wait after every other Create.
    public var laterWait = Duration.zero
    /// The longest packet, whatever the MTU allows.
    public var longestPacket = 244

    /// The policies of mobile libraries and of older scripts. Nordic's library for iOS waits 0.4 s before the first
    /// object and requests a receipt after 12 packets; its library for Android has an option to wait 0.4 s before each;
    /// nrfutil requests none; one receipt per packet and 20-byte packets remain safe elsewhere.
    public static let all = [
        FixedPolicy(name: "PRN 12, 400 ms first", receipts: 12, firstWait: .milliseconds(400)),
        FixedPolicy(
            name: "400 ms each object", firstWait: .milliseconds(400), laterWait: .milliseconds(400)),
        FixedPolicy(name: "PRN off"),
        FixedPolicy(name: "PRN 1", receipts: 1),
        FixedPolicy(name: "20-byte packets", longestPacket: 20),
    ]
}
