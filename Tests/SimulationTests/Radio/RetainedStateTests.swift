import Bluetooth
import Bytes
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Simulation

/// A conversation with a bootloader, one request at a time (nordic-secure.md, Conversation).
private struct Talk {
    static let service = BluetoothUUID(0xFE59)
    static let control = Characteristic(
        service, BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50))
    static let packet = Characteristic(
        service, BluetoothUUID(high: 0x8EC9_0002_F315_4F60, low: 0x9FB8_8388_30DA_EA50))

    let client: ATTClient
    let queue: NotificationQueue
    let time: Timekeeper

    init(_ client: ATTClient, _ time: Timekeeper) async throws {
        self.client = client
        self.time = time
        queue = try await client.notifications(from: Self.control)
    }

    /// The answer to `request`, without its first two bytes.
    func ask(_ request: [UInt8]) async throws -> [UInt8] {
        try await client.write(request, to: Self.control)
        guard case .value(let answer) = try await queue.next(within: .seconds(20), by: time) else {
            throw GATTError.disconnected
        }
        return Array(answer.dropFirst(2))
    }

    func send(_ bytes: some Collection<UInt8>) async throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            try await client.send(Array(rest.prefix(20)), to: Self.packet)
            rest = rest.dropFirst(20)
        }
    }

    /// Offset and crc of an object.
    func select(_ type: UInt8) async throws -> (offset: UInt32, crc: UInt32) {
        var reader = ByteReader(try await ask([0x06, type]))
        _ = try reader.bytes("result and maximum", 5)
        return (try reader.integer("offset"), try reader.integer("crc"))
    }

    static func create(_ type: UInt8, _ size: Int) -> [UInt8] {
        var writer = ByteWriter([0x01, type])
        writer.integer(UInt32(size))
        return writer.bytes
    }
}

/// An image and the init packet for it, composed field by field: version 1, hardware 52, SoftDevice 0x98.
private struct Firmware {
    let image = (0..<4096 + 400).map { UInt8(truncatingIfNeeded: $0 % 251) }
    var initPacket: [UInt8] {
        let hash: [UInt8] = [0x08, 0x03, 0x12, 0x20] + SHA256Digest.digest(image).reversed()
        let size = [UInt8(image.count & 0x7F | 0x80), UInt8(image.count >> 7)]
        let fields: [UInt8] =
            [0x08, 1, 0x10, 52, 0x1A, 2, 0x98, 0x01, 0x20, 0, 0x28, 0, 0x30, 0, 0x38] + size
            + [0x42, UInt8(hash.count)] + hash + [0x48, 0]
        let command: [UInt8] = [0x08, 0x01, 0x12, UInt8(fields.count)] + fields
        return [0x0A, UInt8(command.count)] + command
    }
}

/// A scenario with one beacon that keeps its state, and its saved files.
private struct Kept {
    let folder: TemporaryFolder
    let address = "F0:0D:BE:AC:07:10"
    var state: String { folder.path + "/kept/F00DBEAC0710.json" }
    var flash: String { folder.path + "/kept/F00DBEAC0710.flash" }

    init() throws { folder = try TemporaryFolder() }

    func play<Value: Sendable>(
        _ time: VirtualTime, _ more: String = "",
        _ body: (Talk, NordicBeacon) async throws -> Value
    ) async throws -> Value {
        let path = try folder.write(
            """
            state: kept
            beacons: [{address: '\(address)', personality: sdk-15.3, flash: instant, \(more)}]
            """)
        return try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
            let beacon = try #require(adapter.beacons.first)
            return try await adapter.withConnection(
                to: beacon.description.bootloaderAddress, within: .seconds(10)
            ) { try await body(Talk($0, time.clock), beacon) }
        }
    }

    /// Leaves a beacon in the middle of an object, its link cut.
    func cutInTheMiddle(_ time: VirtualTime) async throws {
        let firmware = Firmware()
        await #expect(throws: (any Error).self) {
            try await play(time, "faults: [{cut_after_packet: 90}]") { talk, _ in
                #expect(try await talk.ask(Talk.create(1, firmware.initPacket.count)) == [1])
                try await talk.send(firmware.initPacket)
                #expect(try await talk.ask([0x04]) == [1])
                #expect(try await talk.ask(Talk.create(2, 4096)) == [1])
                try await talk.send(firmware.image[..<4096])
                _ = try await talk.ask([0x04])
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A scenario with a state folder` {
    @Test func `resumes where the previous run was cut`() async throws {
        let kept = try Kept()
        let firmware = Firmware()
        try await VirtualTime.run { try await kept.cutInTheMiddle($0) }
        try await VirtualTime.run { time in
            let beacon = try await kept.play(time) { talk, beacon in
                let start = try await talk.select(1)
                #expect(start.offset == UInt32(firmware.initPacket.count))
                #expect(start.crc == CRC32.checksum(firmware.initPacket))
                let place = try await talk.select(2)
                let done = Int(place.offset)
                #expect((1..<4096).contains(done))
                #expect(place.crc == CRC32.checksum(Array(firmware.image[..<done])))
                try await talk.send(firmware.image[done..<4096])
                #expect(try await talk.ask([0x04]) == [1])
                #expect(try await talk.ask(Talk.create(2, 400)) == [1])
                try await talk.send(firmware.image[4096...])
                #expect(try await talk.ask([0x04]) == [1])
                return beacon
            }
            try await time.clock.sleep(for: .seconds(10))
            #expect(await beacon.runningApplication?.image == firmware.image)
        }
        // A third run finds the application.
        try await VirtualTime.run { time in
            let path = kept.folder.path + "/scenario.yaml"
            try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
                let application = await adapter.beacons.first?.runningApplication
                #expect(application?.image == firmware.image)
                #expect(application?.version == 1)
            }
        }
    }

    /// A file at the path of a beacon's saved file: instead of its flash, with or without its state, and instead of the
    /// state.
    @Test(arguments: [".flash", ".json"], ["key", "text", "link"])
    func `overwrites no other file`(_ end: String, _ what: String) async throws {
        for isPlayed in [false, true] where !(isPlayed && what == "text" && end == ".flash") {
            let kept = try Kept()
            let path = kept.folder.path + "/kept/F00DBEAC0710" + end
            try FileManager.default.createDirectory(
                atPath: kept.folder.path + "/kept", withIntermediateDirectories: true)
            if isPlayed { try await VirtualTime.run { try await kept.cutInTheMiddle($0) } }
            try? FileManager.default.removeItem(atPath: path)
            let victim = kept.folder.path + "/victim"
            let text = what == "key" ? "-----BEGIN PRIVATE KEY-----\n" : "notes of mine\n"
            try Data(text.utf8).write(to: URL(filePath: victim))
            if what == "link" {
                #expect(symlink(victim, path) == 0)
            } else {
                #expect(link(victim, path) == 0)
            }
            let scenario = try kept.folder.write(
                "state: kept\nbeacons: [{address: '\(kept.address)', personality: sdk-15.3, flash: instant}]")
            let error = await #expect(throws: ScenarioError.self) {
                try await VirtualTime.run { time in
                    try await Scenario(path: scenario).play(time: time.clock, readiness: time) { _ in }
                }
            }
            #expect(
                error?.path == path && error?.problem.contains("not a beacon's state") == true,
                "\(error as Any)")
            #expect(try Samples.file(at: victim) == Array(text.utf8))
        }
    }

    /// Stations start at the same moment, with beacons in range of several.
    @Test func `can be created by several programs at once`() async throws {
        for _ in 0..<5 {
            let kept = try Kept()
            let beacons = stride(from: 10, to: 99, by: 2).map {
                "  - {address: 'F0:0D:BE:AC:07:\($0)', personality: sdk-15.3, flash: instant}"
            }
            let scenario = try kept.folder.write(
                "state: kept\nbeacons:\n" + beacons.joined(separator: "\n"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await VirtualTime.run { time in
                            try await Scenario(path: scenario).play(time: time.clock, readiness: time) { _ in
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `in a folder that cannot be created is refused`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "kept")
        let path = try folder.write("beacons: [{address: 'F0:0D:BE:AC:07:10'}]\nstate: kept/deeper")
        let error = await #expect(throws: ScenarioError.self) {
            try await VirtualTime.run { time in
                try await Scenario(path: path).play(time: time.clock, readiness: time) { _ in }
            }
        }
        #expect(error?.path == file + "/deeper")
        #expect(error?.problem == "cannot be created: Not a directory")
        #expect(error?.kind == .unusable)
    }
}

/// Every way in which a beacon's saved file can be corrupted: the beacon is refused with a `ScenarioError`, or it works
/// and answers.
@Suite(.timeLimit(.minutes(10))) struct `A corrupted state` {
    /// Whether the scenario was played; a conversation uses every number of the state.
    @discardableResult private func plays(_ kept: Kept, _ time: VirtualTime) async throws -> ScenarioError? {
        do {
            try await kept.play(time) { talk, beacon in
                let firmware = Firmware()
                // Any answer is accepted, as long as the beacon works.
                let requests: [[UInt8]] = [
                    [0x06, 2], [0x03], [0x04], [0x06, 1], [0x03], [0x04], [0x02, 3, 0], Talk.create(2, 4096),
                ]
                for request in requests { _ = try? await talk.ask(request) }
                try? await talk.send(firmware.image[..<200])
                _ = try? await talk.ask([0x04])
                _ = await beacon.runningApplication
            }
        } catch let error as ScenarioError {
            return error
        } catch {
            // A beacon that runs its application, or ends the link, works.
        }
        return nil
    }

    private func bytes(_ path: String) throws -> [UInt8] { try Samples.file(at: path) }
    private func put(_ bytes: [UInt8], _ path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `with a wrong number never traps`(_ choice: Int) async throws {
        let numbers = ["-1", "9223372036854775807", "-9223372036854775808", "1099511627776", "65535", "null"]
        let kept = try Kept()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let (state, flash) = (try bytes(kept.state), try bytes(kept.flash))
            let text = String(decoding: state, as: UTF8.self)
            var refused = 0
            var tried = 0
            // Bytes of init packets are in brackets; other numbers follow a colon.
            for match in text.matches(of: /:(-?[0-9]+)/) {
                var spoilt = text
                spoilt.replaceSubrange(match.1.startIndex..<match.1.endIndex, with: numbers[choice])
                try put(Array(spoilt.utf8), kept.state)
                try put(flash, kept.flash)
                tried += 1
                if try await plays(kept, time) != nil { refused += 1 }
            }
            #expect(tried > 20)
            // Negative and immense numbers are invalid everywhere.
            if choice < 4 { #expect(refused == tried, "\(refused) of \(tried)") }
        }
    }

    @Test func `cut short is refused`() async throws {
        let kept = try Kept()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let state = try bytes(kept.state)
            for count in stride(from: 0, to: state.count, by: 37) {
                try put(Array(state.prefix(count)), kept.state)
                let error = try await plays(kept, time)
                #expect(error?.path == kept.state)
                #expect(error?.problem == "not a beacon's state; delete it to start over")
            }
        }
    }

    @Test func `with any byte changed never traps`() async throws {
        let kept = try Kept()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let (state, flash) = (try bytes(kept.state), try bytes(kept.flash))
            for index in stride(from: 0, to: state.count, by: 3) {
                for mask in [0x01, 0x0F] as [UInt8] {
                    var spoilt = state
                    spoilt[index] ^= mask
                    try put(spoilt, kept.state)
                    try put(flash, kept.flash)
                    try await plays(kept, time)
                }
            }
        }
    }

    @Test func `with a flash that is short, empty or missing is still a beacon`() async throws {
        let kept = try Kept()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let (state, flash) = (try bytes(kept.state), try bytes(kept.flash))
            for count in [flash.count - 1, 1000, 1, 0] {
                try put(state, kept.state)
                try put(Array(flash.prefix(count)), kept.flash)
                #expect(try await plays(kept, time) == nil)
            }
            try put(state, kept.state)
            try FileManager.default.removeItem(atPath: kept.flash)
            #expect(try await plays(kept, time) == nil)
        }
    }

    @Test func `with a flash or a state of impossible size is refused`() async throws {
        let kept = try Kept()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let flash = FlashLayout()
            #expect(truncate(kept.flash, off_t(flash.size - flash.applicationStart)) == 0)
            #expect(try await plays(kept, time) == nil)
            #expect(truncate(kept.flash, off_t(flash.size - flash.applicationStart + 1)) == 0)
            #expect(try await plays(kept, time)?.path == kept.flash)
            // A sparse file of a terabyte is not read into memory.
            #expect(truncate(kept.flash, 1 << 40) == 0)
            #expect(try await plays(kept, time)?.path == kept.flash)
            #expect(truncate(kept.flash, 0) == 0)
            #expect(truncate(kept.state, 1 << 40) == 0)
            #expect(try await plays(kept, time)?.path == kept.state)
        }
    }

    @Test func `of a beacon with a larger flash is refused`() async throws {
        let kept = try Kept()
        let firmware = Firmware()
        try await VirtualTime.run { time in
            try await kept.cutInTheMiddle(time)
            let text = String(decoding: try bytes(kept.state), as: UTF8.self)
            let digits = try #require(text.firstMatch(of: /"updateAddress":([0-9]+)/)).1
            // Inside 512 kB, in the bootloader of 256 kB.
            let address = FlashLayout(size: 256 * 1024).bootloaderStart - firmware.image.count + 4
            try put(
                Array(
                    text.replacing("\"updateAddress\":\(digits)", with: "\"updateAddress\":\(address)").utf8),
                kept.state)
            #expect(try await plays(kept, time) == nil)
            let error = await #expect(throws: ScenarioError.self) {
                try await kept.play(time, "flash_kb: 256") { _, _ in }
            }
            #expect(
                error?.problem == "not a beacon's state: initPacket is impossible; delete it to start over")
        }
    }
}
