import Simulation
import TestSupport
import Testing

@Suite struct `A careless sender` {
    let image = GoldenUpdate.pattern(16384)

    func ready(_ personality: SecurePersonality = .sdk17_1) -> BootloaderBench {
        var bench = BootloaderBench(personality, timing: .stock)
        #expect(bench.install(InitRecipe(image).packet) == "600401")
        return bench
    }

    @Test(arguments: [
        (SecurePersonality.sdk15_0, 13), (.sdk15_3, 11), (.sdk16_0, 11), (.sdk17_1, 11),
    ])
    func `gets 11 packets through after the first Create, 13 on SDK 15.0, and 15 after a later one`(
        _ personality: SecurePersonality, _ count: Int
    ) {
        var bench = ready(personality)
        _ = bench.bring(image, object: 0)
        #expect(bench.bootloader.memory.progress.offset == count * 244)
        bench.now += .seconds(1)
        _ = bench.bring(image, object: 0)
        #expect(bench.bootloader.memory.progress.offset == 15 * 244)
    }

    /// Milliseconds per packet, before the first object, before the later ones; the object that loses.
    @Test(
        arguments: [
            (0.5, 350, 100, 1), (0.5, 350, 0, 1), (0.5, 0, 0, 1), (1, 350, 100, nil), (1, 350, 0, 2),
            (1, 0, 0, 1),
            (2.5, 350, 100, nil), (2.5, 350, 0, 2), (2.5, 0, 0, 1), (5, 350, 100, nil), (5, 350, 0, 2),
            (5, 0, 0, 1), (7.5, 350, 100, nil), (7.5, 350, 0, nil), (7.5, 0, 0, 1),
        ] as [(Double, Int, Int, Int?)])
    func `loses packets as the timed runs did`(_ pace: Double, _ first: Int, _ later: Int, _ loser: Int?) {
        var bench = ready()
        var found: Int?
        bench.now += .milliseconds(15)  // Select(2) takes at least a connection event
        for object in 0..<3 where found == nil {
            _ = bench.ask("0102" + word(4096))
            bench.now += .milliseconds(object == 0 ? first : later)
            bench.stream(image[object * 4096..<(object + 1) * 4096], each: .microseconds(Int(pace * 1000)))
            if bench.bootloader.statistics.packetsDropped > 0 { found = object + 1 }
            _ = bench.ask("04")
        }
        #expect(found == loser)
    }

    @Test func `receives a PRN of zeros for a packet that found the queue full`() {
        var bench = ready()
        _ = bench.ask("020c00")
        _ = bench.ask("0102" + word(4096))
        for packet in 0..<11 { #expect(bench.send(image[packet * 244..<(packet + 1) * 244]) == nil) }
        #expect(bench.send(image[2684..<2928]) == "6003010000000000000000")
        #expect(bench.bootloader.memory.leakedBuffers == 0)
    }

    @Test func `finds the settings already written when nothing changed`() {
        var bench = ready()
        bench.now += .seconds(1)
        _ = bench.ask("0101" + word(100))
        bench.disconnect()  // the old init packet is reported again and has to be executed
        #expect(bench.ask("04") == "600401")
        _ = bench.bring(image, object: 0)
        #expect(bench.bootloader.memory.progress.offset == 15 * 244)
    }
}

@Suite struct `A packet buffer` {
    @Test(
        arguments: ["no init", "past the end", "unknown type"],
        [SecurePersonality.sdk15_0, .sdk15_3, .sdk16_0, .sdk17_1])
    func `is lost with each refused packet; after 17 the device accepts none until a reset`(
        _ reason: String, _ personality: SecurePersonality
    ) {
        var bench = BootloaderBench(personality, timing: .stock)
        switch reason {
        case "no init": _ = bench.ask("0602")
        case "past the end": _ = bench.ask("0101" + word(1))
        default: _ = bench.ask("0609")
        }
        for count in 1...17 {
            bench.send([1, 2, 3, 4])
            #expect(bench.bootloader.statistics.buffersLeaked == count)
        }
        bench.disconnect()
        #expect(bench.ask("020100") == "600201")
        #expect(bench.ask("0101" + word(4)) == "600101")
        #expect(bench.send([1, 2, 3, 4]) == nil)
        #expect(bench.ask("03") == "6003010000000000000000")
        _ = bench.bootloader.reset(at: bench.now)
        _ = bench.ask("0101" + word(4))
        bench.send([1, 2, 3, 4])
        #expect(bench.bootloader.memory.progress.initPacket == [1, 2, 3, 4])
    }
}

@Suite struct `A PRN` {
    @Test func `carries the error of a refused packet at the boundary`() {
        var bench = BootloaderBench()
        _ = bench.ask("020200")
        _ = bench.ask("0602")
        #expect(bench.send([1]) == nil)
        #expect(bench.send([1]) == "600308")
        _ = bench.ask("0101" + word(1))
        #expect(bench.send([1]) == nil)
        #expect(bench.send([1]) == "600303")
        _ = bench.ask("0609")
        #expect(bench.send([1]) == nil)
        #expect(bench.send([1]) == "600305")
    }

    @Test(arguments: [
        ("020300", true), ("0101ffffffff", true), ("0102", true), ("0601", false), ("03", false),
    ])
    func `starts over with Set PRN and every Create, not with other requests`(
        _ request: String, _ reloads: Bool
    ) {
        var bench = BootloaderBench()
        _ = bench.ask("020300")
        bench.send([1])
        bench.send([1])
        _ = bench.ask(request)
        #expect((bench.send([1]) == nil) == reloads)
    }

    @Test func `survives a disconnect and not a reset`() {
        var bench = BootloaderBench()
        _ = bench.ask("020100")
        bench.disconnect()
        #expect(bench.send([1]) != nil)
        _ = bench.bootloader.reset(at: .zero)
        #expect(bench.send([1]) == nil)
    }

    @Test func `counts a packet that came over the Control Point`() {
        var bench = BootloaderBench()
        _ = bench.ask("020200")
        #expect(bench.ask("0801") == nil)
        #expect(bench.ask("0801") == "6003010000000000000000")
    }
}
