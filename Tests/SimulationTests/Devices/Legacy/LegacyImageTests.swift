import Bytes
import Testing

@testable import Simulation

@Suite struct `A Legacy image` {
    static let image = LegacyBench.image

    @Test(arguments: [1, 6, 10, 205, 206]) func `gets a receipt every n packets, but not for the last`(
        interval: Int
    ) {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        #expect(bench.ask("08" + HexText.encode(LegacyInit.bytes(interval, 2))) == nil)
        let expected = (1...204).filter { $0.isMultiple(of: interval) }.map { "11" + word($0 * 20) }
        #expect(bench.stream(Self.image) == expected + ["100301"])
    }

    @Test func `gets receipts counted from the request, and none after 0`() {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        bench.ask("080200")
        #expect(bench.stream(Self.image.prefix(60)) == ["11" + word(40)])
        bench.ask("080200")
        #expect(bench.stream(Self.image[60..<100]) == ["11" + word(100)])
        bench.ask("080000")
        #expect(bench.stream(Self.image[100...]) == ["100301"])
        #expect(bench.ask("0801") == "100803")
    }

    @Test func `gets no receipts for packets of the init packet`() {
        var bench = LegacyBench()
        bench.ask("080100")
        #expect(bench.prepare() == true)
        #expect(bench.send(Self.image.prefix(20)) == "11" + word(20))
    }

    @Test(arguments: [1, 2, 3, 5, 19]) func `comes in whole words`(count: Int) {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        #expect(bench.send(Self.image.prefix(count)) == "100303")
        #expect(bench.ask("07") == "100701" + word(0))
        #expect(bench.stream(Self.image) == ["100301"])
    }

    @Test func `that is longer than announced is refused for good`() {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        #expect(bench.stream(Self.image.prefix(4080)) == [])
        #expect(bench.send([UInt8](repeating: 0, count: 24)) == "100304")
        #expect(bench.send(Self.image[4080..<4100]) == "100304")
        #expect(bench.ask("04") == "100402")
        #expect(bench.start(4, [0, 0, 4100]) == "100102")
    }

    @Test func `is accepted only after its start`() {
        var bench = LegacyBench()
        #expect(bench.send(Self.image.prefix(20)) == nil)
        bench.ask("03")
        #expect(bench.send(Self.image.prefix(20)) == "100302")
        #expect(bench.ask("04") == "100402")
    }

    @Test func `is validated once, and only when it is complete`() {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        #expect(bench.stream(Self.image.prefix(4096)) == [])
        #expect(bench.ask("04") == "100402")
        #expect(bench.stream(Self.image[4096...]) == ["100301"])
        #expect(bench.ask("04") == "100401")
        #expect(bench.ask("04") == "100402")
    }

    @Test func `that differs from the init packet fails, and does not run`() {
        var bench = LegacyBench()
        #expect(bench.prepare() == true)
        #expect(bench.stream(Self.image.dropLast() + [0]) == ["100301"])
        #expect(bench.ask("04") == "100405")
        #expect(bench.ask("04") == "100402")
        bench.ask("05")
        #expect(bench.reset().program == .bootloader)
    }

    @Test(arguments: [LegacyPersonality.hashing, .sdk11Signed])
    func `has the announced length and hash`(personality: LegacyPersonality) {
        let identifier = personality.imageCheck == .hash ? 1 : 2
        for (length, spoilt) in [(4100, UInt8(0)), (4104, 0), (4100, 1)] {
            var tail = LegacyInit.digest(Self.image, identifier: identifier)
            tail.replaceSubrange(4..<8, with: LegacyInit.bytes(length, 4))
            tail[8] ^= spoilt
            if identifier == 2 { tail += [UInt8](repeating: 1, count: 64) }
            var bench = LegacyBench(personality)
            #expect(bench.prepare(Self.image, LegacyInit(Self.image) { $0.tail = tail }.packet) == true)
            #expect(bench.stream(Self.image) == ["100301"])
            #expect(bench.ask("04") == (length == 4100 && spoilt == 0 ? "100401" : "100405"))
        }
    }

    @Test func `is in flash when 10 03 01 comes, and corrupted by a client that does not wait for that`() {
        var bench = LegacyBench(timing: .stock)
        #expect(bench.prepare() == true)
        bench.now += .seconds(1)
        #expect(bench.stream(Self.image, each: .milliseconds(2)) == ["100301"])
        #expect(bench.ask("04") == "100401")
        // The last packet is accepted and counted before it is in flash.
        bench = LegacyBench(timing: .stock)
        #expect(bench.prepare() == true)
        bench.now += .seconds(1)
        #expect(bench.stream(Self.image.prefix(4080), each: .milliseconds(2)) == [])
        _ = bench.bootloader.packet(Array(Self.image[4080...]), at: bench.now)
        #expect(bench.ask("07") == "100701" + word(4100))
        #expect(bench.ask("04") == "100405")
    }

    @Test func `is activated only when it is good; otherwise 05 is a reset`() {
        var bench = LegacyBench(.sdk11TwoBanks)
        #expect(bench.prepare() == true)
        #expect(bench.stream(Self.image) == ["100301"])
        bench.ask("05")
        #expect(bench.hasReset)
        #expect(bench.reset().program == .application)
        #expect(bench.bootloader.applicationImage == [UInt8](repeating: 0xA5, count: 1024))
    }

    @Test func `in the second bank is copied to the first after the reset`() {
        var bench = LegacyBench(.sdk11TwoBanks, timing: .stock)
        #expect(bench.prepare() == true)
        bench.now += .seconds(1)
        _ = bench.stream(Self.image, each: .milliseconds(2))
        #expect(bench.ask("04") == "100401")
        bench.ask("05")
        let restart = bench.reset()
        #expect(restart.program == .application)
        #expect(restart.time == .milliseconds(2 * (87 + 42)))
        #expect(bench.bootloader.applicationImage == Self.image)
    }

    @Test func `with a word lost in flash fails`() {
        var bench = LegacyBench()
        bench.bootloader.flash.lostWrites = [7]
        #expect(bench.prepare() == true)
        #expect(bench.stream(Self.image) == ["100301"])
        #expect(bench.ask("04") == "100405")
    }

    @Test(arguments: ["09", "10", "11", "ff"]) func `accepts no other request`(request: String) {
        var bench = LegacyBench()
        #expect(bench.ask(request) == "10" + request + "03")
    }
}

@Suite struct `A careless sender to a Legacy bootloader` {
    static let image = LegacyBench.image

    /// A bootloader that waits for the image, its flash idle.
    static func bench(_ personality: LegacyPersonality, _ image: [UInt8] = image) -> LegacyBench {
        var bench = LegacyBench(personality, timing: .stock)
        #expect(bench.prepare(image) == true)
        bench.now += .seconds(1)
        return bench
    }

    @Test func `that does not wait exceeds the eight buffers at the ninth packet`() {
        var bench = Self.bench(.sdk11)
        let start = bench.now
        for index in 0..<8 { #expect(bench.send(Self.image[index * 20..<index * 20 + 20]) == nil) }
        #expect(bench.send(Self.image[160..<180]) == "100306")
        #expect(bench.now == start)
        // The refused packet leaves a hole: the image is never complete.
        #expect(bench.stream(Self.image[180...], each: .milliseconds(2)) == [])
        #expect(bench.ask("07") == "100701" + word(4080))
        #expect(bench.ask("04") == "100402")
    }

    @Test func `that waits for its receipts gets through`() {
        for personality in [LegacyPersonality.sdk11, .adafruit] {
            var bench = Self.bench(personality)
            bench.ask("080800")
            var rest = Self.image[...]
            while !rest.isEmpty {
                for _ in 0..<8 where !rest.isEmpty {
                    let answer = bench.send(rest.prefix(20))
                    rest = rest.dropFirst(20)
                    if rest.isEmpty { #expect(answer == "100301") }
                }
                bench.now += .milliseconds(15)
            }
            #expect(bench.ask("04") == "100401")
        }
    }

    @Test func `right after the start meets the settings write, which the erase requires`() {
        var bench = LegacyBench(timing: .stock)
        #expect(bench.prepare() == true)
        // 89 ms of settings, during which only eight packets find a buffer, however slowly they come.
        let answers = bench.stream(Self.image.prefix(200), each: .milliseconds(8))
        #expect(answers == ["100306", "100306"])
    }

    @Test(arguments: [
        (244, Duration.milliseconds(5), true), (244, .milliseconds(15), false), (20, .milliseconds(2), false),
    ])
    func `with large packets stalls Adafruit's bootloader until it is reset`(
        payload: Int, pause: Duration, stalls: Bool
    ) {
        let image = GoldenUpdate.pattern(244 * 40)
        var bench = Self.bench(.adafruit, image)
        bench.ask("080800")
        let answers = bench.stream(image, payload: payload, each: pause)
        #expect((answers.last == "100301") == !stalls)
        guard stalls else { return }
        #expect(answers.allSatisfy { $0.hasPrefix("11") })
        #expect(bench.ask("07") == nil)
        bench.bootloader.disconnect(at: bench.now)
        bench.bootloader.connect(at: bench.now)
        #expect(bench.ask("04") == nil)
        bench.ask("06")
        #expect(bench.hasReset)
        _ = bench.reset()
        #expect(bench.prepare(image) == true)
    }

    @Test func `can send large packets only to Adafruit's bootloader`() {
        for (personality, longest) in [(LegacyPersonality.sdk11, 20), (.adafruit, 244)] {
            let table = LegacyBench(personality).bootloader.presence(name: "").table
            let entry = table.services.last?.entries.first { $0.uuid == AttributeTable.legacyPacket }
            #expect(entry?.maximumLength == longest)
        }
    }
}

@Suite struct `A Legacy bootloader's timeout` {
    @Test func `is 120 s from the last activity`() {
        var bench = LegacyBench()
        #expect(bench.bootloader.inactivityDeadline == .seconds(120))
        bench.now = .seconds(10)
        _ = bench.start(4, [0, 0, 4100])
        #expect(bench.bootloader.inactivityDeadline == .seconds(130))
        bench.now = .seconds(20)
        #expect(bench.install(LegacyInit(LegacyBench.image).packet) == "100201")
        #expect(bench.bootloader.inactivityDeadline == .seconds(140))
        bench.now = .seconds(30)
        bench.ask("03")
        #expect(bench.bootloader.inactivityDeadline == .seconds(140))
        _ = bench.stream(LegacyBench.image)
        #expect(bench.bootloader.inactivityDeadline == .seconds(150))
        bench.now = .seconds(40)
        bench.ask("04")
        #expect(bench.bootloader.inactivityDeadline == .seconds(160))
        bench.now = .seconds(160)
        bench.ask("07")
        #expect(bench.hasReset && bench.hasHungUp)
    }

    @Test func `does not exist in Adafruit's`() {
        #expect(LegacyBench(.adafruit).bootloader.inactivityDeadline == nil)
    }

    @Test func `is 64 s when it advertises to one central without a connection`() {
        var bench = LegacyBench { $0.handover = .address }
        #expect(bench.reset(entering: true).program == .bootloader)
        #expect(bench.bootloader.inactivityDeadline == .seconds(64))
        bench.bootloader.connect(at: .seconds(10))
        #expect(bench.bootloader.inactivityDeadline == .seconds(120))
        bench.bootloader.disconnect(at: .seconds(20))
        #expect(bench.bootloader.inactivityDeadline == .seconds(84))
    }
}

@Suite struct `A Legacy system part` {
    static func softDevice(_ number: Int) -> [UInt8] {
        var image = [UInt8](repeating: 0, count: 0x3000)
        image.replaceSubrange(0x2004..<0x2008, with: LegacyInit.bytes(0x51B1_E5DB, 4))
        image.replaceSubrange(0x200C..<0x200E, with: LegacyInit.bytes(number, 2))
        return image
    }

    static func run(_ bench: inout LegacyBench, _ mode: Int, _ sizes: [Int], _ image: [UInt8]) -> Restart {
        #expect(bench.start(mode, sizes) == "100101")
        #expect(bench.install(LegacyInit(image) { $0.softDevices = [0xFFFE] }.packet) == "100201")
        bench.ask("03")
        #expect(bench.stream(image) == ["100301"])
        #expect(bench.ask("04") == "100401")
        bench.ask("05")
        return bench.reset()
    }

    @Test(arguments: [LegacyPersonality.sdk11, .sdk11TwoBanks])
    func `with a SoftDevice costs the application, which comes in a second run`(
        personality: LegacyPersonality
    ) {
        var bench = LegacyBench(personality) { $0.handover = .address }
        _ = bench.reset(entering: true)
        #expect(bench.bootloader.presence(name: "").isAtApplicationAddress)
        let image = Self.softDevice(0x67) + [UInt8](repeating: 7, count: 4096)
        #expect(Self.run(&bench, 3, [0x3000, 4096, 0], image).program == .bootloader)
        #expect(bench.bootloader.settings.softDevice == 0x67)
        // Nothing was handed over this time.
        #expect(!bench.bootloader.presence(name: "").isAtApplicationAddress)
        // The application is checked against the new SoftDevice.
        #expect(bench.start(4, [0, 0, 4100]) == "100101")
        #expect(bench.install(LegacyInit(LegacyBench.image).packet) == "100206")
        #expect(bench.install(LegacyInit(LegacyBench.image) { $0.softDevices = [0x67] }.packet) == "100201")
        bench.ask("03")
        #expect(bench.stream(LegacyBench.image) == ["100301"])
        #expect(bench.ask("04") == "100401")
        bench.ask("05")
        #expect(bench.reset().program == .application)
    }

    @Test(arguments: [(LegacyPersonality.sdk11, Restart.Program.bootloader), (.sdk11TwoBanks, .application)])
    func `with a bootloader leaves the application if there are two banks`(
        personality: LegacyPersonality, program: Restart.Program
    ) {
        var bench = LegacyBench(personality)
        let image = [UInt8](repeating: 7, count: 4096)
        #expect(Self.run(&bench, 2, [0, 4096, 0], image).program == program)
    }
}
