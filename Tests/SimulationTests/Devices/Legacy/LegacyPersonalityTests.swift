import Testing

@testable import Simulation

/// The documented facts about one profile.
struct LegacyFacts: Sendable, CustomTestStringConvertible {
    let personality: LegacyPersonality
    /// As in the DFU Version characteristic.
    let version: UInt16?
    let isFirstDialect: Bool
    /// Whether its init packet is a CRC16 alone, although its start has three sizes.
    var hasBareInit = false
    let initMaximum: Int
    var testDescription: String { personality.name }

    static let all = [
        LegacyFacts(personality: .sdk4, version: nil, isFirstDialect: true, initMaximum: 64),
        LegacyFacts(personality: .sdk5_2, version: nil, isFirstDialect: true, initMaximum: 64),
        LegacyFacts(
            personality: .sdk6_1, version: nil, isFirstDialect: false, hasBareInit: true, initMaximum: 64),
        LegacyFacts(personality: .sdk7, version: 0x0005, isFirstDialect: false, initMaximum: 64),
        LegacyFacts(personality: .sdk8, version: 0x0006, isFirstDialect: false, initMaximum: 64),
        LegacyFacts(personality: .hashing, version: 0x0007, isFirstDialect: false, initMaximum: 64),
        LegacyFacts(personality: .sdk11, version: 0x0008, isFirstDialect: false, initMaximum: 64),
        LegacyFacts(personality: .sdk11TwoBanks, version: 0x0008, isFirstDialect: false, initMaximum: 128),
        LegacyFacts(personality: .sdk11Signed, version: 0x0008, isFirstDialect: false, initMaximum: 128),
        LegacyFacts(personality: .adafruit, version: 0x0008, isFirstDialect: false, initMaximum: 64),
    ]
    static let first = all.filter(\.isFirstDialect)
    static let second = all.filter { !$0.isFirstDialect && !$0.hasBareInit }

    /// An init packet that it accepts for `image`.
    func packet(_ image: [UInt8]) -> [UInt8] {
        LegacyInit(image) {
            switch personality.imageCheck {
            case .checksum: break
            case .extendedChecksum: $0.tail = LegacyInit.bytes(0, 4) + $0.tail
            case .hash: $0.tail = LegacyInit.digest(image, identifier: 1)
            case .signature:
                $0.tail = LegacyInit.digest(image, identifier: 2) + [UInt8](repeating: 1, count: 64)
            }
        }.packet
    }
}

@Suite struct `A Legacy profile` {
    static let image = LegacyBench.image

    @Test(arguments: LegacyFacts.second)
    func `of the second dialect accepts an application with its init packet`(facts: LegacyFacts) {
        var bench = LegacyBench(facts.personality)
        #expect(bench.start(4, [0, 0, 4100]) == "100101")
        #expect(bench.install(facts.packet(Self.image)) == "100201")
        bench.ask("03")
        #expect(bench.stream(Self.image) == ["100301"])
        #expect(bench.ask("07") == "10070104100000")
        #expect(bench.ask("04") == "100401")
        #expect(bench.ask("05") == nil)
        #expect(bench.hasReset && bench.hasHungUp)
        #expect(bench.reset().program == .application)
        #expect(bench.bootloader.applicationImage == Self.image)
    }

    @Test(arguments: LegacyFacts.first, [true, false])
    func `of the first dialect accepts an application with or without a checksum`(
        facts: LegacyFacts, withChecksum: Bool
    ) {
        var bench = LegacyBench(facts.personality)
        bench.ask("01")
        #expect(bench.send(hex(word(4100))) == "100101")
        if withChecksum {
            bench.ask("02")
            #expect(bench.send([0x7F, 0x29]) == "100201")
        }
        bench.ask("03")
        #expect(bench.stream(Self.image) == ["100301"])
        #expect(bench.ask("04") == "100401")
        bench.ask("05")
        #expect(bench.reset().program == .application)
        #expect(bench.bootloader.applicationImage == Self.image)
    }

    @Test(arguments: LegacyFacts.first)
    func `of the first dialect refuses a start of the second, and then accepts its own`(facts: LegacyFacts) {
        var bench = LegacyBench(facts.personality)
        #expect(bench.start(4, [0, 0, 4100]) == "100103")
        bench.ask("01")
        #expect(bench.send(hex(word(4100))) == "100101")
    }

    @Test(arguments: [
        (4, [0, 0, 4100], Restart.Program.application), (1, [4100, 0, 0], .bootloader),
        (2, [0, 4100, 0], .application),
    ])
    func `of SDK 6_1 accepts system parts too, with or without a CRC16`(
        mode: Int, sizes: [Int], program: Restart.Program
    ) {
        for packet: [UInt8]? in [[0x7F, 0x29], nil] {
            var bench = LegacyBench(.sdk6_1)
            #expect(bench.start(mode, sizes) == "100101")
            if let packet {
                bench.ask("02")
                #expect(bench.send(packet) == "100201")
            }
            bench.ask("03")
            #expect(bench.stream(Self.image) == ["100301"])
            #expect(bench.ask("04") == "100401")
            bench.ask("05")
            #expect(bench.reset().program == program)
        }
        var bench = LegacyBench(.sdk6_1)
        _ = bench.start(mode, sizes)
        bench.ask("0200")
        #expect(bench.send([0x7F, 0x28]) == "100201")
        #expect(bench.ask("0201") == nil)
        bench.ask("03")
        _ = bench.stream(Self.image)
        #expect(bench.ask("04") == "100405")
    }

    @Test(arguments: LegacyFacts.second)
    func `of the second dialect refuses a start of the first`(facts: LegacyFacts) {
        var bench = LegacyBench(facts.personality)
        #expect(bench.ask("01") == "100106")
        #expect(bench.send(hex(word(4100))) == nil)
        bench.ask("0104")
        #expect(bench.send(hex(word(4100))) == "100103")
        #expect(bench.ask("02") == "100206")
    }

    @Test(arguments: LegacyFacts.second)
    func `of the second dialect accepts no image without an init packet`(facts: LegacyFacts) {
        var bench = LegacyBench(facts.personality)
        #expect(bench.start(4, [0, 0, 4100]) == "100101")
        bench.ask("03")
        #expect(bench.send(Self.image.prefix(20)) == "100302")
        #expect(bench.ask("0201") == "100202")
    }

    @Test(arguments: LegacyFacts.all)
    func `has a capacity for its init packet`(facts: LegacyFacts) {
        var bench = LegacyBench(facts.personality)
        if facts.isFirstDialect {
            bench.ask("01")
            bench.send(hex(word(4100)))
            bench.ask("02")
        } else {
            _ = bench.start(4, [0, 0, 4100])
            bench.ask("0200")
        }
        let accepted = facts.isFirstDialect || facts.hasBareInit ? "100201" : nil
        for _ in 0..<facts.initMaximum / 16 {
            #expect(bench.send([UInt8](repeating: 0, count: 16)) == accepted)
        }
        #expect(bench.send([0]) == "100206")
    }

    @Test func `of SDK 5_2 counts receipts to 65535`() {
        for (personality, expected) in [(LegacyPersonality.sdk5_2, "1104000000"), (.sdk4, "1104000100")] {
            var bench = LegacyBench(personality)
            bench.ask("01")
            bench.send(hex(word(65536 + 2048)))
            bench.ask("03")
            _ = bench.stream([UInt8](repeating: 0, count: 65536), payload: 16)
            bench.ask("080100")
            #expect(bench.send([1, 2, 3, 4]) == expected)
        }
    }

    @Test func `advertises with its version, if it has one`() {
        for facts in LegacyFacts.all {
            let presence = LegacyBench(facts.personality).bootloader.presence(name: "DfuTarg")
            let service = presence.table.services.last
            let version = service?.entries.first { $0.uuid == AttributeTable.legacyVersion }?.value
            #expect(version == facts.version.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            #expect(presence.table.services.count == 3)
        }
    }
}
