import Bluetooth
import Simulation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A simulated beacon` {
    @Test func `is updated over a link and then runs the new application`() async throws {
        let bench = try BeaconBench()
        #expect(try await bench.update() == "600401")
        bench.clock.pass(until: .seconds(10))
        #expect(await bench.beacon.mode == .application)
        let application = try #require(await bench.beacon.runningApplication)
        #expect(application.image == GoldenUpdate.image)
        #expect(application.version == 1)
        let heard = try #require(await bench.beacon.advertisement(at: .seconds(10)))
        #expect(heard.address.description == "F0:0D:00:00:00:FF")
        #expect(heard.data.elements == [.flags(6), .name("Beacon", complete: true)])
        let version = try await bench.link { client in
            try await client.send("080100ffff262a")
            return try await client.next()
        }
        #expect(version == "0903060031")
    }

    @Test func `advertises as a bootloader one address further, without carry`() async throws {
        let bench = try BeaconBench()
        let heard = try #require(await bench.beacon.advertisement(at: .zero))
        #expect(heard.address.description == "F0:0D:00:00:00:00")
        #expect(
            heard.data.elements == [
                .flags(6), .services([BluetoothUUID(0xFE59)], complete: false),
                .name("DfuTarg", complete: true),
            ])
        #expect(heard.isConnectable == true)
    }

    @Test func `is silent while connected, resetting and activating`() async throws {
        let bench = try BeaconBench { $0.timing = .stock }
        let beacon = bench.beacon
        let finished = try await bench.link { client in
            try await client.start()
            #expect(await beacon.advertisement(at: .zero) == nil)
            try await client.bring(GoldenUpdate.signed, type: 1)
            _ = try await client.ask("04")
            bench.clock.pass(until: .seconds(1))
            for start in [0, 4096] {
                let part = Array(GoldenUpdate.image[start..<min(start + 4096, 4100)])
                _ = try await client.ask("0102" + word(part.count))
                let created = bench.time.now
                for (index, offset) in stride(from: 0, to: part.count, by: 244).enumerated() {
                    bench.clock.pass(until: created + .milliseconds(100 + 20 * index))
                    try await client.bearer.send([0x52, 9, 0] + part[offset..<min(offset + 244, part.count)])
                    try await client.send("0a0300")
                    _ = try await client.next()
                }
                #expect(try await client.ask("04") == "600401")
                // The second time the link ends by itself.
                if start > 0 { #expect(try await client.next() == nil) }
            }
            return bench.time.now
        }
        #expect(await beacon.advertisement(at: finished) == nil)
        // Closing takes 200 ms, two pages 129 ms each.
        #expect(await beacon.advertisement(at: finished + .milliseconds(457)) == nil)
        #expect(await beacon.advertisement(at: finished + .milliseconds(458)) != nil)
    }

    @Test func `delays the answer to Execute until flash is done`() async throws {
        let bench = try BeaconBench {
            $0.timing = .stock
            $0.key = nil
        }
        let image = GoldenUpdate.pattern(40)
        try await bench.link { client in
            try await client.start()
            try await client.bring(InitRecipe(image).packet, type: 1)
            _ = try await client.ask("04")
            try await client.bring(image, type: 2)
            #expect(try await client.ask("04") == "600401")
        }
        // Three erases, the settings' 90 pieces and the image's two.
        #expect(bench.time.now >= .milliseconds(3 * 87) + .microseconds(92 * 1100))
    }

    @Test func `returns to its application without any activity`() async throws {
        let bench = try BeaconBench()
        #expect(await bench.beacon.advertisement(at: .seconds(119))?.data.name == "DfuTarg")
        #expect(await bench.beacon.advertisement(at: .seconds(120))?.data.name == "Beacon")
        await bench.beacon.startBootloader()
        #expect(await bench.beacon.mode == .bootloader)
    }

    @Test func `ends a link that was idle for two minutes at its next packet`() async throws {
        let bench = try BeaconBench()
        try await bench.link { client in
            try await client.start()
            bench.clock.pass(until: .seconds(121))
            try await client.send("120600" + "0602")
            #expect(try await client.next() == nil)
        }
        #expect(await bench.beacon.mode == .application)
    }

    @Test func `sends nothing to a client without notifications`() async throws {
        let bench = try BeaconBench()
        let heard = try await bench.link { client in
            try await client.send("1206000602")
            return try await client.next()
        }
        #expect(heard == "01120600fd")
    }

    @Test func `without an application always is in its bootloader`() async throws {
        let bench = try BeaconBench {
            $0.applicationImage = []
            $0.program = .application
        }
        #expect(await bench.beacon.advertisement(at: .seconds(1000))?.data.name == "DfuTarg")
    }

    @Test func `serves one link at a time`() async throws {
        let bench = try BeaconBench()
        let beacon = bench.beacon
        try await bench.link { client in
            try await client.start()
            let (near, far) = MemoryLink.pair()
            await beacon.serve(far)
            #expect(try await near.receive() == nil)
            #expect(try await client.ask("0602") == "600601001000000000000000000000")
        }
        #expect(await beacon.advertisement(at: .zero) != nil)
    }

    @Test func `stops serving when its task is cancelled`() async throws {
        let bench = try BeaconBench()
        let (near, far) = MemoryLink.pair()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bench.beacon.serve(far) }
            try await near.send(hex("0a0300"))
            #expect(try await near.receive() != nil)
            group.cancelAll()
        }
        #expect(try await near.receive() == nil)
    }

    @Test func `counts what it received`() async throws {
        let bench = try BeaconBench()
        _ = try await bench.update()
        let statistics = await bench.beacon.statistics
        #expect(statistics.commandsReceived == 19)
        #expect(statistics.packetsReceived == 28)
        #expect(statistics.bootloader.packetsReceived == 19)
        #expect(statistics.bootloader.packetsDropped == 0)
    }
}

/// A beacon's saved state, in a variable.
final class Notebook: BeaconMemory {
    private let content = Mutex((state: RetainedState?.none, image: [UInt8]()))

    var state: RetainedState? { content.withLock { $0.state } }
    var image: [UInt8] { content.withLock { $0.image } }

    func remember(_ state: RetainedState) { content.withLock { $0.state = state } }

    func remember(image bytes: ArraySlice<UInt8>, at offset: Int) {
        content.withLock { content in
            let missing = offset + bytes.count - content.image.count
            if missing > 0 { content.image += [UInt8](repeating: 0xFF, count: missing) }
            content.image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }
}

/// The order in which a beacon saves its state.
private final class Diary: BeaconMemory {
    private let entries = Mutex<[String]>([])

    var words: [String] { entries.withLock(\.self) }

    func begin(with state: RetainedState) { entries.withLock { $0.append("begin") } }
    func remember(_ state: RetainedState) { entries.withLock { $0.append("state") } }
    func remember(image bytes: ArraySlice<UInt8>, at offset: Int) { entries.withLock { $0.append("image") } }
}

@Suite(.timeLimit(.minutes(10))) struct `A beacon with saved state` {
    /// A program killed in between would leave a flash that belongs to no state.
    @Test func `starts with its state, and saves flash before the state that refers to it`() async throws {
        let diary = Diary()
        _ = try await BeaconBench(memory: diary).update()
        let words = diary.words
        #expect(words.first == "begin")
        #expect(words.contains("image"))
        for (index, word) in words.enumerated() where word == "image" {
            #expect(words[index...].first { $0 != "image" } == "state")
        }
    }

    /// Runs the update until packet `count` was processed, then continues in a new program.
    func resumed(_ personality: SecurePersonality, after count: Int) async throws -> (
        BeaconBench, Notebook
    ) {
        let notebook = Notebook()
        let first = try BeaconBench([.cut(afterPacket: count)], memory: notebook) {
            $0.personality = personality
        }
        _ = try? await first.update()
        let second = try BeaconBench(
            retained: notebook.state, retainedImage: notebook.image, memory: notebook
        ) { $0.personality = personality }
        return (second, notebook)
    }

    @Test func `treats the end of its program as a lost link`() async throws {
        // 2 to begin, 3 requests and 1 packet of init: the 15th packet is the 7th of the image.
        let (bench, _) = try await resumed(.sdk15_3, after: 14)
        let image = GoldenUpdate.image
        let answer = try await bench.link { client in
            try await client.start()
            #expect(try await client.ask("0602") == BootloaderBench.point(image, 7 * 244))
            for start in stride(from: 7 * 244, to: 4096, by: 244) {
                try await client.bearer.send([0x52, 9, 0] + image[start..<min(start + 244, 4096)])
            }
            #expect(try await client.ask("04") == "600401")
            try await client.bring(Array(image[4096...]), type: 2)
            return try await client.ask("04")
        }
        #expect(answer == "600401")
        bench.clock.pass(until: .seconds(1))
        #expect(await bench.beacon.runningApplication?.image == image)
    }

    @Test func `keeps what its profile keeps`() async throws {
        let (bench, _) = try await resumed(.sdk17_1, after: 14)
        try await bench.link { client in
            try await client.start()
            #expect(try await client.ask("0602") == BootloaderBench.point(GoldenUpdate.image, 0))
            #expect(try await client.ask("0601") == "600601" + word(512) + word(140) + word(0x4592_1B90))
        }
    }

    @Test func `survives its program at every packet of an update`() async throws {
        for count in 1...28 {
            for personality in [SecurePersonality.sdk15_3, .sdk17_1] {
                let (bench, notebook) = try await resumed(personality, after: count)
                if await bench.beacon.mode == .bootloader {
                    #expect(try await bench.update() == "600401")
                }
                bench.clock.pass(until: .seconds(1))
                #expect(await bench.beacon.runningApplication?.image == GoldenUpdate.image)
                let third = try BeaconBench(retained: notebook.state, retainedImage: notebook.image)
                #expect(await third.beacon.runningApplication?.image == GoldenUpdate.image)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A fault` {
    /// The packets that a client receives on a link, until there are `count` or the link ends.
    func heard(
        _ faults: [Fault], _ packets: [String], count: Int, wait: Bool = false
    ) async throws -> [String?] {
        let bench = try BeaconBench(faults)
        return try await bench.link { client in
            try await client.send("1207000100")
            for packet in packets { try? await client.send(packet) }
            var heard: [String?] = []
            while heard.count < count, heard.last != .some(nil) { heard.append(try await client.next()) }
            return heard
        }
    }

    static let crc = "1b0600" + "6003010000000000000000"
    static let prn = "1b0600" + "600201"

    @Test func `cuts the link before or after a packet is processed`() async throws {
        for (fault, interval) in [(Fault.cut(beforePacket: 2), 0), (.cut(afterPacket: 2), 12)] {
            let bench = try BeaconBench([fault])
            try await bench.link { client in
                try await client.send("1207000100")
                #expect(try await client.next() == "13")
                try await client.send("120600020c00")
                #expect(try await client.next() == nil)
            }
            #expect(await bench.beacon.state.memory.notificationInterval == interval)
        }
    }

    @Test func `loses a packet on the air`() async throws {
        let bench = try BeaconBench([.losePacket(2)])
        try await bench.link { client in
            try await client.start()
            _ = try await client.ask("0101" + word(4))
            try await client.send("5209000102")
            try await client.send("5209000304")
            #expect(try await client.ask("04") == "600408")
        }
        let statistics = await bench.beacon.statistics
        #expect(statistics.commandsReceived == 2)
        #expect(statistics.bootloader.packetsReceived == 1)
    }

    @Test func `loses, doubles and swaps notifications`() async throws {
        let requests = ["120600020000", "12060003"]
        #expect(try await heard([.loseNotification(1)], requests, count: 4) == ["13", "13", "13", Self.crc])
        #expect(
            try await heard([.doubleNotification(1)], requests, count: 6)
                == ["13", "13", Self.prn, Self.prn, "13", Self.crc])
        #expect(
            try await heard([.reorderNotification(1)], requests, count: 5)
                == ["13", "13", "13", Self.crc, Self.prn])
    }

    @Test func `delays a notification`() async throws {
        let bench = try BeaconBench([.delayNotification(1, by: .seconds(3))])
        try await bench.link { client in
            try await client.start()
            #expect(bench.time.now == .seconds(3))
        }
    }

    @Test func `corrupts a checksum`() async throws {
        #expect(
            try await heard([.nordic(.corruptChecksum(1))], ["12060003"], count: 3).last
                == "1b0600" + "60030100000000ff000000")
    }

    @Test func `replaces an answer of the bootloader`() async throws {
        let answers = try await heard(
            [.nordic(.answerRequest(1, with: [0x0B, 0x05]))], ["120600020c00", "12060003"], count: 5)
        #expect(answers == ["13", "13", "1b060060020b05", "13", Self.crc])
    }

    @Test func `cuts the power`() async throws {
        let bench = try BeaconBench([.powerLoss(afterPacket: 2)]) { $0.applicationImage = [] }
        try await bench.link { client in
            try await client.send("1207000100")
            _ = try await client.next()
            try await client.send("120600020c00")
            #expect(try await client.next() == nil)
        }
        #expect(await bench.beacon.state.memory.notificationInterval == 0)
        #expect(await bench.beacon.mode == .bootloader)
    }

    @Test func `loses a flash write, which the last Execute detects`() async throws {
        let bench = try BeaconBench([.loseFlashWrite(5)])
        #expect(try await bench.update() == "60040b0c")
        bench.clock.pass(until: .seconds(1))
        #expect(await bench.beacon.runningApplication?.image == [UInt8](repeating: 0xA5, count: 1024))
    }

    @Test func `delays the bootloader`() async throws {
        let bench = try BeaconBench([.slowBootloader(.seconds(4))])
        #expect(await bench.beacon.advertisement(at: .milliseconds(3999)) == nil)
        #expect(await bench.beacon.advertisement(at: .seconds(4)) != nil)
    }

    @Test func `silences the beacon until the link ends`() async throws {
        let bench = try BeaconBench([.silence(fromPacket: 2)])
        try await bench.link { client in
            try await client.send("1207000100")
            #expect(try await client.next() == "13")
            try await client.send("0a0300")
            try await client.send("0a0300")
        }
        let answer = try await bench.link { client in
            try await client.send("0a0300")
            return try await client.next()
        }
        #expect(answer == "0b44667554617267")
    }
}
