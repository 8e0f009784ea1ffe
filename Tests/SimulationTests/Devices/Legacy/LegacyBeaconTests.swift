import Bluetooth
import Bytes
import Testing

@testable import Simulation

/// A client of the Legacy service on a bootloader's link: packets go to 000E, requests to 0010.
extension LinkClient {
    /// The next packet that is not an answer of the Attribute Protocol; nil at the end.
    func notified() async throws -> String? {
        while let packet = try await next() {
            if packet.hasPrefix("1b1000") { return String(packet.dropFirst(6)) }
        }
        return nil
    }

    func subscribe() async throws {
        try await send("1211000100")
        _ = try await next()
    }

    func request(_ text: String) async throws { try await send("121000" + text) }

    func command(_ bytes: some Sequence<UInt8>) async throws {
        try await bearer.send([0x52, 0x0E, 0] + bytes)
    }

    /// A whole update; returns the answer to Validate, or the first answer that is not a success.
    func legacyUpdate(_ image: [UInt8] = LegacyBench.image) async throws -> String? {
        try await subscribe()
        try await request("0104")
        try await command(hex(word(0) + word(0) + word(image.count)))
        guard try await expects("100101") else { return "start" }
        try await request("0200")
        try await command(LegacyInit(image).packet)
        try await request("0201")
        guard try await expects("100201") else { return "init" }
        try await request("03")
        var rest = image[...]
        while !rest.isEmpty {
            try await command(rest.prefix(20))
            rest = rest.dropFirst(20)
        }
        guard try await expects("100301") else { return "image" }
        try await request("04")
        let verdict = try await notified()
        if verdict == "100401" {
            try await request("05")
            while try await next() != nil {}
        }
        return verdict
    }

    private func expects(_ answer: String) async throws -> Bool { try await notified() == answer }
}

@Suite(.timeLimit(.minutes(10))) struct `A simulated Legacy beacon` {
    static func bench(
        _ faults: [Fault] = [], _ personality: LegacyPersonality = .sdk11, memory: (any BeaconMemory)? = nil,
        retained: RetainedState? = nil, retainedImage: [UInt8] = [],
        _ change: @escaping (inout NordicDescription) -> Void = { _ in }
    ) throws -> BeaconBench {
        try BeaconBench(faults, retained: retained, retainedImage: retainedImage, memory: memory) {
            let timing = $0.timing
            $0 = NordicDescription(address: $0.address, legacy: LegacyDevice(personality))
            $0.timing = timing
            $0.softDevice = 0xB6
            change(&$0)
        }
    }

    @Test(arguments: [LegacyPersonality.sdk7, .sdk8, .sdk11, .sdk11TwoBanks, .adafruit])
    func `is updated over a link and then runs the new application`(personality: LegacyPersonality)
        async throws
    {
        let bench = try Self.bench([], personality)
        #expect(try await bench.link { try await $0.legacyUpdate() } == "100401")
        bench.clock.pass(until: .seconds(10))
        #expect(await bench.beacon.runningApplication?.image == LegacyBench.image)
        #expect(
            await bench.beacon.advertisement(at: .seconds(10))?.address.description == "F0:0D:00:00:00:FF")
    }

    @Test func `advertises the service and a name, one address further`() async throws {
        let bench = try Self.bench()
        let heard = try #require(await bench.beacon.advertisement(at: .zero))
        #expect(heard.address.description == "F0:0D:00:00:00:00")
        #expect(heard.data.name == "DfuTarg")
        #expect(heard.data.services == [BluetoothUUID("00001530-1212-EFDE-1523-785FEABCD123")])
        #expect(heard.data.elements.first == .flags(6))
        let other = try Self.bench([], .adafruit)
        #expect(await other.beacon.advertisement(at: .zero)?.data.name == "AdaDFU")
    }

    @Test(arguments: [LegacyPersonality.sdk4, .sdk5_2, .sdk6_1])
    func `before SDK 7 keeps its address`(personality: LegacyPersonality) async throws {
        let bench = try Self.bench([], personality)
        #expect(await bench.beacon.advertisement(at: .zero)?.address.description == "F0:0D:00:00:00:FF")
    }

    @Test func `has its services at the SDK's handles`() async throws {
        let bench = try Self.bench()
        let heard = try await bench.link { client in
            var heard: [String?] = []
            for request in ["100100ffff0028", "100c00ffff0028", "0a1300", "080100ffff342a"] {
                try await client.send(request)
                heard.append(try await client.next())
            }
            return heard
        }
        #expect(
            heard == [
                "1106" + "010007000018" + "08000b000118",
                "1114" + "0c00" + "1300" + "23d1bcea5f782315deef121230150000", "0b0800", "010801000a",
            ])
    }

    @Test func `ignores packets that are too long for its characteristic`() async throws {
        let bench = try Self.bench()
        try await bench.link { client in
            try await client.subscribe()
            try await client.request("0104")
            try await client.command([UInt8](repeating: 0, count: 21))
            try await client.command(hex(word(0) + word(0) + word(4100)))
            #expect(try await client.notified() == "100101")
        }
        #expect(await bench.beacon.statistics.bootloader.packetsReceived == 1)
    }

    @Test func `refuses requests from a client without notifications`() async throws {
        let bench = try Self.bench()
        let heard = try await bench.link { client in
            try await client.request("0104")
            return try await client.next()
        }
        #expect(heard == "01121000fd")
    }

    @Test func `goes back to its application after 120 s`() async throws {
        let bench = try Self.bench()
        #expect(await bench.beacon.advertisement(at: .seconds(119))?.data.name == "DfuTarg")
        #expect(await bench.beacon.advertisement(at: .seconds(120))?.data.name == "Beacon")
    }

    @Test func `starts over after a lost link only when it was reset`() async throws {
        let bench = try Self.bench([.cut(afterPacket: 40)])
        _ = try? await bench.link { try await $0.legacyUpdate() }
        let answer = try await bench.link { client in
            try await client.subscribe()
            try await client.request("0104")
            try await client.command(hex(word(0) + word(0) + word(4100)))
            let answer = try await client.notified()
            try await client.request("06")
            while try await client.next() != nil {}
            return answer
        }
        #expect(answer == "100102")
        #expect(try await bench.link { try await $0.legacyUpdate() } == "100401")
    }

    @Test func `keeps only what a reset leaves when its program ends`() async throws {
        for count in stride(from: 1, through: 221, by: 4) {
            let notebook = Notebook()
            let first = try Self.bench([.cut(afterPacket: count)], .sdk11, memory: notebook)
            _ = try? await first.link { try await $0.legacyUpdate() }
            try notebook.state?.check(in: FlashLayout())
            let second = try Self.bench(
                [], .sdk11, memory: notebook, retained: notebook.state, retainedImage: notebook.image)
            if await second.beacon.mode == .bootloader {
                #expect(try await second.link { try await $0.legacyUpdate() } == "100401")
            }
            second.clock.pass(until: .seconds(10))
            #expect(await second.beacon.runningApplication?.image == LegacyBench.image)
        }
    }

    @Test(arguments: 1...220) func `runs no broken application after a power loss`(count: Int) async throws {
        let bench = try Self.bench([.powerLoss(afterPacket: count)])
        let verdict = try? await bench.link { try await $0.legacyUpdate() }
        if await bench.beacon.mode == .bootloader, verdict != "100401" {
            #expect(try await bench.link { try await $0.legacyUpdate() } == "100401")
        }
        bench.clock.pass(until: .seconds(10))
        let image = try #require(await bench.beacon.runningApplication).image
        #expect(image == LegacyBench.image || image == [UInt8](repeating: 0xA5, count: 1024))
    }

    @Test func `can lose and repeat notifications`() async throws {
        let bench = try Self.bench([.loseNotification(1), .doubleNotification(2)])
        try await bench.link { client in
            try await client.subscribe()
            for _ in 0..<2 { try await client.request("07") }
            #expect(try await client.notified() == "10070100000000")
            #expect(try await client.notified() == "10070100000000")
        }
        let other = try Self.bench([.nordic(.answerRequest(1, with: [6]))])
        try await other.link { client in
            try await client.subscribe()
            try await client.request("04")
            #expect(try await client.notified() == "100406")
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Legacy application` {
    static func bench(
        _ personality: LegacyPersonality = .sdk11, _ equip: @escaping (inout LegacyDevice) -> Void = { _ in }
    ) throws -> BeaconBench {
        try `A simulated Legacy beacon`.bench([], personality) {
            $0.program = .application
            if let device = $0.legacy {
                var changed = device
                equip(&changed)
                $0.legacy = changed
            }
        }
    }

    /// Handles: information 000C to 000E, service 000F, packet 0011, Control Point 0013, version 0016.
    static func enter(_ client: LinkClient, _ request: String = "0104") async throws -> [String?] {
        try await client.send("1214000100")
        #expect(try await client.next() == "13")
        try await client.send("121300" + request)
        var heard: [String?] = []
        while let packet = try await client.next() { heard.append(packet) }
        return heard
    }

    @Test func `is recognised by its version 0_1 and by its other services`() async throws {
        let bench = try Self.bench()
        let heard = try await bench.link { client in
            var heard: [String?] = []
            for request in ["0a1600", "100c00ffff0028"] {
                try await client.send(request)
                heard.append(try await client.next())
            }
            return heard
        }
        #expect(heard == ["0b0100", "1106" + "0c000e000a18"])
        // Before SDK 7 there is no version.
        let old = try Self.bench(.sdk6_1)
        let answer = try await old.link { client in
            try await client.send("0a1600")
            return try await client.next()
        }
        #expect(answer == "010a160001")
    }

    @Test func `jumps to its bootloader, which is one address further`() async throws {
        let bench = try Self.bench()
        #expect(try await bench.link { try await Self.enter($0) } == ["13"])
        bench.clock.pass(until: .seconds(1))
        let heard = try #require(await bench.beacon.advertisement(at: .seconds(1)))
        #expect(heard.address.description == "F0:0D:00:00:00:00")
        #expect(heard.data.name == "DfuTarg")
        #expect(try await bench.link { try await $0.legacyUpdate() } == "100401")
    }

    @Test func `may jump before it acknowledges the request`() async throws {
        let bench = try Self.bench { $0.answersEntry = false }
        #expect(try await bench.link { try await Self.enter($0) } == [])
        #expect(await bench.beacon.mode == .bootloader)
    }

    @Test(arguments: [("01", "1b1300100106"), ("0200", "1b1300100103"), ("09", "1b1300100903")])
    func `refuses any other request`(request: String, answer: String) async throws {
        let bench = try Self.bench()
        let heard = try await bench.link { client in
            try await client.send("1214000100")
            _ = try await client.next()
            try await client.send("121300" + request)
            #expect(try await client.next() == "13")
            return try await client.next()
        }
        #expect(heard == answer)
        #expect(await bench.beacon.mode == .application)
    }

    @Test
    func `with a bond makes its bootloader advertise to one central, at its own address and without data`()
        async throws
    {
        let bench = try Self.bench { $0.handover = .address }
        _ = try await bench.link { try await Self.enter($0) }
        let heard = try #require(await bench.beacon.advertisement(at: .seconds(1)))
        #expect(heard.address.description == "F0:0D:00:00:00:FF")
        #expect(heard.data.elements.isEmpty)
        #expect(heard.isConnectable == true)
        #expect(try await bench.link { try await $0.legacyUpdate() } == "100401")
    }

    @Test func `with a bond is back after 64 s without a connection`() async throws {
        let bench = try Self.bench { $0.handover = .address }
        _ = try await bench.link { try await Self.enter($0) }
        let jump = bench.time.now
        #expect(await bench.beacon.advertisement(at: jump + .seconds(63))?.data.elements.isEmpty == true)
        #expect(await bench.beacon.advertisement(at: jump + .seconds(65))?.data.name == "Beacon")
    }

    @Test func `with an IRK is not discoverable, at its own address`() async throws {
        let bench = try Self.bench { $0.handover = .identity }
        _ = try await bench.link { try await Self.enter($0) }
        let heard = try #require(await bench.beacon.advertisement(at: .seconds(1)))
        #expect(heard.address.description == "F0:0D:00:00:00:FF")
        #expect(heard.data.elements.first == .flags(4))
        #expect(heard.data.name == "DfuTarg")
    }

    @Test func `hands nothing over when a button starts the bootloader`() async throws {
        let bench = try Self.bench { $0.handover = .address }
        await bench.beacon.startBootloader()
        let heard = try #require(await bench.beacon.advertisement(at: .seconds(1)))
        #expect(heard.address.description == "F0:0D:00:00:00:00")
        #expect(heard.data.name == "DfuTarg")
    }

    @Test func `may have no way to the bootloader`() async throws {
        let bench = try `A simulated Legacy beacon`.bench {
            $0.program = .application
            $0.buttonless = .none
        }
        let heard = try await bench.link { client in
            try await client.send("100f00ffff0028")
            return try await client.next()
        }
        #expect(heard == "01100f000a")
    }
}
