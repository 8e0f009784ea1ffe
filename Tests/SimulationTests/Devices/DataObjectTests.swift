import Bytes
import Simulation
import TestSupport
import Testing

@Suite struct `A data object` {
    let image = GoldenUpdate.pattern(9000)

    func ready(_ personality: SecurePersonality = .sdk17_1, timing: FlashTiming = .instant)
        -> BootloaderBench
    {
        var bench = BootloaderBench(personality, timing: timing)
        #expect(bench.install(InitRecipe(image).packet) == "600401")
        bench.now += .seconds(1)
        return bench
    }

    @Test(arguments: [
        (0, "600103"), (4, "600103"), (4095, "600103"), (5000, "600103"), (8192, "600104"),
        (9000, "600104"), (12288, "600104"), (4096, "600101"),
    ])
    func `has a size that is checked in order`(_ size: Int, _ answer: String) {
        var bench = ready()
        #expect(bench.ask("0102" + word(size)) == answer)
    }

    @Test func `must not exceed the image`() {
        var bench = ready()
        for object in 0..<2 {
            #expect(bench.bring(image, object: object) == "600101")
            #expect(bench.ask("04") == "600401")
        }
        #expect(bench.ask("0102" + word(4096)) == "600108")
        #expect(bench.ask("0102" + word(809)) == "600103")
        #expect(bench.ask("0102" + word(808)) == "600101")
    }

    @Test func `that was not executed is discarded by the next Create`() {
        var bench = ready()
        _ = bench.bring(image, object: 0)
        _ = bench.ask("04")
        _ = bench.bring(image, object: 1)
        #expect(bench.ask("0602") == BootloaderBench.point(image, 8192))
        #expect(bench.ask("0102" + word(4096)) == "600101")
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4096))
    }

    @Test func `can be completed after an early Execute`() {
        var bench = ready()
        _ = bench.ask("0102" + word(4096))
        bench.stream(image[..<4000])
        #expect(bench.ask("04") == "600408")
        bench.stream(image[4000..<4096])
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("04") == "600401")
    }

    @Test func `may be executed before anything is created`() {
        var bench = ready()
        _ = bench.ask("0602")
        #expect(bench.ask("04") == "600401")
        #expect(!bench.hasReset)
    }

    @Test func `without a valid init packet fails and resets`() {
        var bench = BootloaderBench { $0.applicationSize = 1024 }
        _ = bench.ask("0602")
        #expect(bench.ask("04") == "60040b0c")
        #expect(bench.hasReset)
        #expect(bench.bootloader.reset(at: .seconds(1)).program == .application)
    }

    @Test func `cannot be erased at the 17th waiting Create, but still receives packets`() {
        var bench = ready(timing: .stock)
        for _ in 0..<16 { #expect(bench.ask("0102" + word(4096)) == "600101") }
        #expect(bench.ask("0102" + word(4096)) == "600105")
        bench.now += .milliseconds(100)
        bench.send(image[..<244])
        #expect(bench.bootloader.memory.progress.offset == 244)
    }

    @Test func `is a barrier when executed: its answer waits for flash`() {
        var bench = ready(timing: .stock)
        let start = bench.now
        _ = bench.ask("0102" + word(4096))
        for packet in 0..<17 {
            bench.now = start + .milliseconds(100 + 15 * packet)
            bench.send(image[packet * 244..<min(4096, (packet + 1) * 244)])
        }
        let asked = bench.now
        #expect(bench.ask("04") == "600401")
        // The last packet has 192 bytes: ten pieces of 1.1 ms.
        #expect(bench.now - asked == .milliseconds(11))
    }

    @Test func `refuses packets while it waits at the barrier, each at the cost of a buffer`() {
        let image = GoldenUpdate.pattern(4096 + 244)
        var bench = BootloaderBench(timing: .stock)
        _ = bench.install(InitRecipe(image).packet)
        bench.now += .seconds(1)
        _ = bench.ask("0102" + word(4096))
        bench.now += .milliseconds(100)
        bench.stream(image[..<4096], each: .milliseconds(5))
        let reactions = bench.bootloader.controlPoint([0x04], at: bench.now)
        #expect(reactions.count == 1 && bench.bootloader.flash.idle(at: bench.now) > bench.now)
        bench.send(image[4096...])
        #expect(bench.bootloader.memory.leakedBuffers == 1)
        bench.now = bench.bootloader.flash.idle(at: bench.now)
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4096))
        #expect(bench.bring(image, object: 1) == "600101")
        #expect(bench.ask("04") == "600401")
    }

    @Test func `counts as executed when the next Create comes before its barrier is reached`() {
        var bench = ready(timing: .stock)
        _ = bench.ask("0102" + word(4096))
        bench.now += .milliseconds(100)
        bench.stream(image[..<4096], each: .milliseconds(15))
        _ = bench.bootloader.controlPoint([0x04], at: bench.now)
        #expect(bench.ask("0102" + word(4096)) == "600101")
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4096))
    }

    @Test func `that spoils its image ends in 0C, and the old application stays`() {
        var bench = BootloaderBench { $0.applicationSize = 1024 }
        bench.bootloader.flash.place([UInt8](repeating: 7, count: 1024), at: 0x26000)
        var other = image
        other[8999] ^= 1
        _ = bench.install(InitRecipe(image).packet)
        for object in 0..<2 {
            _ = bench.bring(other, object: object)
            _ = bench.ask("04")
        }
        _ = bench.bring(other, object: 2)
        #expect(bench.ask("04") == "60040b0c")
        #expect(bench.hasReset)
        #expect(bench.bootloader.reset(at: .seconds(1)).program == .application)
        #expect(bench.bootloader.applicationImage == [UInt8](repeating: 7, count: 1024))
    }

    @Test func `in uneven packets has the right CRC and the wrong flash content`() {
        var bench = ready()
        for object in 0..<3 {
            let part = image[object * 4096..<min(9000, (object + 1) * 4096)]
            _ = bench.ask("0102" + word(part.count))
            bench.stream(part, payload: 182)
            #expect(bench.ask("0602") == BootloaderBench.point(image, part.endIndex))
            #expect(bench.ask("04") == (object == 2 ? "60040b0c" : "600401"))
        }
    }

    @Test func `may end unevenly`() {
        let short = GoldenUpdate.pattern(4099)
        var bench = BootloaderBench()
        _ = bench.install(InitRecipe(short).packet)
        _ = bench.bring(short, object: 0)
        _ = bench.ask("04")
        _ = bench.bring(short, object: 1)
        #expect(bench.ask("04") == "600401")
        _ = bench.bootloader.reset(at: .seconds(1))
        #expect(bench.bootloader.applicationImage == short)
    }

    @Test func `that flash silently drops ends in 0C with correct CRCs`() {
        var bench = ready()
        bench.bootloader.flash.lostWrites = [3]
        for object in 0..<3 {
            _ = bench.bring(image, object: object)
            #expect(bench.ask("0602") == BootloaderBench.point(image, min(9000, (object + 1) * 4096)))
            #expect(bench.ask("04") == (object == 2 ? "60040b0c" : "600401"))
        }
    }

    @Test func `leaves an address instead of a crc once its image is done`() {
        var bench = ready()
        for object in 0..<3 {
            _ = bench.bring(image, object: object)
            _ = bench.ask("04")
        }
        _ = bench.bootloader.reset(at: .seconds(1))
        #expect(bench.ask("0602") == "600601" + word(4096) + word(0) + word(0x26000))
        #expect(bench.ask("0601") == "600601" + word(512) + word(0) + word(0))
    }

    @Test func `is activated in the time its pages take`() {
        var bench = BootloaderBench(timing: .stock) { $0.applicationSize = 1024 }
        _ = bench.install(InitRecipe(image).packet)
        for object in 0..<3 {
            bench.now += .seconds(1)
            let part = image[object * 4096..<min(9000, (object + 1) * 4096)]
            _ = bench.ask("0102" + word(part.count))
            bench.now += .seconds(1)
            bench.stream(part, each: .milliseconds(20))
            #expect(bench.ask("04") == "600401")
        }
        bench.now += .seconds(1)
        #expect(bench.bootloader.activationTime == .milliseconds(3 * 129))
        #expect(bench.bootloader.reset(at: bench.now).time == .milliseconds(3 * 129))
        #expect(bench.bootloader.applicationImage == image)
    }
}
