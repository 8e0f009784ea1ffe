import Bluetooth
import Bytes
import Testing

@testable import Simulation

@Suite struct `A Legacy beacon of a scenario` {
    static func described(_ keys: String) throws -> NordicDescription {
        let text = "beacons: [{kind: nordic-legacy, address: 'F0:0D:BE:AC:07:FF', \(keys)}]"
        return try #require(`A scenario file`.scenario(text).nordic.first).description
    }

    @Test func `has an SDK 11 bootloader by default`() throws {
        let beacon = try Self.described("")
        let device = try #require(beacon.legacy)
        #expect(device == LegacyDevice(.sdk11))
        #expect(beacon.bootloaderAddress.description == "F0:0D:BE:AC:07:00")
        #expect(beacon.bootloaderName == "DfuTarg")
        #expect(beacon.softDevice == 0x98)
    }

    @Test func `is in the built-in tray`() throws {
        let beacons = Scenario.builtIn.nordic.map(\.description)
        #expect(beacons.count == 7)
        let legacy = beacons.filter { $0.legacy != nil }
        #expect(legacy.map(\.bootloaderAddress.description) == ["F0:0D:BE:AC:05:01"])
        #expect(legacy.first?.softDevice == 0x98)
        #expect(legacy.first?.program == .bootloader)
    }

    @Test func `is defined by its keys`() throws {
        let beacon = try Self.described(
            "personality: sdk-8, device_type: 0x52, device_revision: 7, image_check: extended-crc16, "
                + "handover: identity, answers_entry: false, buttonless: none, name: Bulb, softdevice: 0x67, "
                + "flash: instant, mode: application, application_version: 3, flash_kb: 256")
        let device = try #require(beacon.legacy)
        #expect(device.personality.version == 0x0006)
        #expect(device.personality.imageCheck == .extendedChecksum)
        #expect(device.type == 0x52 && device.revision == 7)
        #expect(device.handover == .identity && !device.answersEntry)
        #expect(beacon.buttonless == .none)
        #expect(beacon.softDevice == 0x67)
        #expect(beacon.layout.size == 256 * 1024)
    }

    @Test(arguments: [
        ("sdk-4", LegacyPersonality.sdk4), ("sdk-5.2", .sdk5_2), ("sdk-6.1", .sdk6_1), ("sdk-7", .sdk7),
        ("sdk-8", .sdk8), ("dfu-0.7", .hashing), ("sdk-11", .sdk11), ("sdk-11-two-banks", .sdk11TwoBanks),
        ("sdk-11-signed", .sdk11Signed), ("adafruit", .adafruit),
    ])
    func `has a profile by name`(name: String, personality: LegacyPersonality) throws {
        let beacon = try Self.described("personality: \(name)")
        #expect(beacon.legacy?.personality == personality)
        #expect((beacon.bootloaderAddress == beacon.address) == !personality.movesAddress)
        #expect(beacon.bootloaderName == personality.bootloaderName)
    }

    @Test(arguments: [
        ("personality: sdk-17.1", "'sdk-17.1' is not one of adafruit, dfu-0.7, sdk-11,"),
        ("image_check: md5", "'md5' is not one of crc16, extended-crc16, hash, signature"),
        ("handover: bond", "'bond' is not one of address, identity, none"),
        ("buttonless: sdk-12", "'sdk-12' is not one of legacy, none, sdk-13, sdk-14"),
        ("hardware: 52", "a beacon of kind nordic-legacy has no hardware"),
        ("bootloader_version: 1", "a beacon of kind nordic-legacy has no bootloader_version"),
        ("crashes_on_name: true", "a beacon of kind nordic-legacy has no crashes_on_name"),
        ("bootloader_takes_name: true", "a beacon of kind nordic-legacy has no bootloader_takes_name"),
        ("device_type: 65536", "'65536' is not a number from 0 to 65535"),
    ])
    func `is refused with an unknown key`(keys: String, problem: String) throws {
        let text = "beacons: [{kind: nordic-legacy, address: 'F0:0D:BE:AC:07:10', \(keys)}]"
        #expect(try `A scenario file`.problem(text)?.contains(problem) == true)
    }

    @Test(arguments: [
        "device_type: 1", "device_revision: 1", "image_check: hash", "handover: none", "answers_entry: true",
    ])
    func `has keys that a Secure one has not`(keys: String) throws {
        let text = "beacons: [{address: 'F0:0D:BE:AC:07:10', \(keys)}]"
        #expect(
            try `A scenario file`.problem(text)?.contains("a beacon of kind nordic-secure has no") == true)
    }

    @Test(arguments: [
        // As many packets as there are buffers, then a receipt over the air: never too fast.
        ("{interval_ms: 15}", 8, 0, "100401"), ("{interval_ms: 50}", 8, 0, "100401"),
        // Unless the settings page is still being written when the image begins.
        ("{interval_ms: 7.5}", 8, 0, "100306"), ("{interval_ms: 7.5}", 8, 100, "100401"),
        // Without air time even that is too fast for the flash.
        ("instant", 8, 100, "100306"), ("instant", 0, 100, "100306"),
    ])
    func `is updated over its link by a client that waits for receipts`(
        link: String, interval: Int, pause: Int, verdict: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "link: \(link)\nbeacons: [{kind: nordic-legacy, address: 'F0:0D:BE:AC:07:10', personality: sdk-11}]"
        )
        let answer = try await VirtualTime.run { time in
            try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
                let beacon = try #require(adapter.beacons.first)
                return try await adapter.withConnection(
                    to: beacon.description.bootloaderAddress, within: .seconds(10)
                ) { client in
                    let talk = try await LegacyTalk(client, time.clock)
                    return try await talk.update(
                        GoldenImage.bytes, interval: interval, pause: .milliseconds(pause))
                }
            }
        }
        #expect(answer == verdict)
    }
}

/// 4100 bytes, i mod 251.
private enum GoldenImage {
    static let bytes = (0..<4100).map { UInt8($0 % 251) }
}

/// A conversation with a Legacy bootloader (nordic-legacy.md, Conversation).
private struct LegacyTalk {
    static let control = Characteristic(AttributeTable.legacyService, AttributeTable.legacyControlPoint)
    static let packet = Characteristic(AttributeTable.legacyService, AttributeTable.legacyPacket)

    let client: ATTClient
    let queue: NotificationQueue
    let time: Timekeeper

    init(_ client: ATTClient, _ time: Timekeeper) async throws {
        self.client = client
        self.time = time
        queue = try await client.notifications(from: Self.control)
    }

    func ask(_ request: [UInt8]) async throws { try await client.write(request, to: Self.control) }

    func send(_ bytes: [UInt8]) async throws { try await client.send(bytes, to: Self.packet) }

    func next() async throws -> String {
        guard case .value(let value) = try await queue.next(within: .seconds(30), by: time) else {
            throw GATTError.disconnected
        }
        return HexText.encode(value)
    }

    /// The answer to Validate, or the first that is not a success.
    func update(_ image: [UInt8], interval: Int, pause: Duration) async throws -> String {
        var writer = ByteWriter()
        for size in [0, 0, image.count] { writer.integer(UInt32(size)) }
        try await ask([0x01, 0x04])
        try await send(writer.bytes)
        var answer = try await next()
        guard answer == "100101" else { return answer }
        writer = ByteWriter([0x52, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0x98, 0])
        writer.integer(CRC16.checksum(image, from: 0xFFFF))
        try await ask([0x02, 0x00])
        try await send(writer.bytes)
        try await ask([0x02, 0x01])
        answer = try await next()
        guard answer == "100201" else { return answer }
        try await ask([0x08, UInt8(interval), 0])
        try await ask([0x03])
        try await time.sleep(for: pause)
        for (index, start) in stride(from: 0, to: image.count, by: 20).enumerated() {
            try await send(Array(image[start..<min(start + 20, image.count)]))
            guard interval > 0, (index + 1).isMultiple(of: interval), start + 20 < image.count else {
                continue
            }
            answer = try await next()
            guard answer.hasPrefix("11") else { return answer }
        }
        answer = try await next()
        guard answer == "100301" else { return answer }
        try await ask([0x04])
        return try await next()
    }
}
