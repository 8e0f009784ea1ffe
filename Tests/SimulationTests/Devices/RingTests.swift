import Bytes
import Simulation
import TestSupport
import Testing

/// Bootloaders of SDK 12 to 14: a ring of RAM before the flash, and no barrier (nordic-secure.md, Timing).
@Suite struct `A sender to an old bootloader` {
    static let image = GoldenUpdate.pattern(4096 * 3)

    /// With an init packet in place and an idle flash.
    func ready(
        _ personality: SecurePersonality = .sdk14_2, image: [UInt8] = image
    ) -> BootloaderBench {
        var bench = BootloaderBench(personality, timing: .stock) { $0.applicationSize = 1024 }
        #expect(bench.install(Signed.packet(image) { _ in }) == "600401")
        bench.now += .seconds(1)
        return bench
    }

    /// The image in flash once its queue is empty.
    func flashed(_ bench: BootloaderBench, _ range: Range<Int>) -> [UInt8] {
        let start = bench.bootloader.settings.updateAddress
        return bench.bootloader.settled(at: bench.now).flash.content(
            start + range.lowerBound..<start + range.upperBound)
    }

    @Test(arguments: [
        (SecurePersonality.sdk14_2, 512), (.sdk13_1, 512), (.sdk12_3, 1024),
    ])
    func `overwrites what flash has not stored from the first byte after the ring, under a right CRC`(
        _ personality: SecurePersonality, _ size: Int
    ) {
        for count in [size, size + 1] {
            var bench = ready(personality)
            _ = bench.ask("0102" + word(4096))
            bench.stream(Self.image[..<count])
            #expect(bench.ask("0602") == BootloaderBench.point(Self.image, count))
            let isWhole = flashed(bench, 0..<128) == Array(Self.image[..<128])
            #expect(isWhole == (count == size))
            #expect(bench.bootloader.statistics.packetsDropped == 0)
        }
    }

    /// Bytes that are accepted before the flash queue of 8 is full: 7 chunks after Create's erase, 5 if an Execute has
    /// queued its settings too.
    @Test(arguments: [(false, 1024), (true, 768)])
    func `is set back to the last executed object when the flash queue is full`(
        _ isAfterExecute: Bool, _ limit: Int
    ) {
        var bench = ready()
        var base = 0
        if isAfterExecute {
            _ = bench.ask("0102" + word(4096))
            bench.now += .seconds(1)
            bench.stream(Self.image[..<4096], each: .milliseconds(20))
            bench.now += .seconds(1)
            #expect(bench.ask("04") == "600401")
            base = 4096
        }
        _ = bench.ask("0102" + word(4096))
        bench.stream(Self.image[base..<base + limit - 1])
        #expect(bench.ask("0602") == BootloaderBench.point(Self.image, base + limit - 1))
        bench.send(Self.image[base + limit - 1..<base + limit])
        #expect(bench.ask("0602") == BootloaderBench.point(Self.image, base))
        #expect(bench.bootloader.statistics.packetsDropped == 1)
    }

    @Test func `gets the values of a rollback in a PRN`() {
        var bench = ready()
        _ = bench.ask("02" + "0100")
        _ = bench.ask("0102" + word(4096))
        for packet in 0..<51 {
            let end = (packet + 1) * 20
            let crc = word(Int(CRC32.checksum(Self.image[..<end])))
            #expect(bench.send(Self.image[packet * 20..<end]) == "600301" + word(end) + crc)
        }
        #expect(bench.send(Self.image[1020..<1040]) == "6003010000000000000000")
    }

    /// Bytes per second, the wait after each Create in ms, the outcome. A request takes a connection event.
    @Test(
        arguments: [
            (2600, 0, "600401"), (3900, 0, "60040b0c"), (6000, 200, "600401"), (12000, 200, "600401"),
            (18000, 200, "600401"), (33000, 200, "a rollback"),
        ])
    func `has the outcome of the timed runs`(_ pace: Int, _ wait: Int, _ outcome: String) {
        var bench = ready()
        var found: String?
        for object in 0..<3 where found == nil {
            let part = Self.image[object * 4096..<(object + 1) * 4096]
            bench.now += .milliseconds(15)
            #expect(bench.ask("0102" + word(4096)) == "600101")
            bench.now += .milliseconds(wait)
            bench.stream(part, each: .microseconds(20_000_000 / pace))
            bench.now += .milliseconds(15)
            if bench.ask("0602") != BootloaderBench.point(Self.image, part.endIndex) { found = "a rollback" }
            bench.now += .milliseconds(object == 2 ? 250 : 15)
            let answer = bench.ask("04")
            if object == 2 { found = found ?? answer }
        }
        #expect(found == outcome)
    }

    /// From the last packet to the last Execute, for a small last object sent at once.
    @Test(arguments: [(0, "60040b0c"), (190, "60040b0c"), (220, "600401"), (250, "600401")])
    func `must leave the last bytes time to reach flash`(_ wait: Int, _ answer: String) {
        let image = GoldenUpdate.pattern(4096 + 100)
        var bench = ready(image: image)
        _ = bench.ask("0102" + word(4096))
        bench.now += .milliseconds(200)
        bench.stream(image[..<4096], each: .milliseconds(2))
        bench.now += .milliseconds(250)
        #expect(bench.ask("04") == "600401")
        _ = bench.ask("0102" + word(100))
        bench.stream(image[4096...])
        bench.now += .milliseconds(wait)
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4196))
        #expect(bench.ask("04") == answer)
        #expect(bench.hasReset)
        _ = bench.bootloader.reset(at: bench.now + .seconds(1))
        #expect(bench.bootloader.settings.applicationSize == (answer == "600401" ? 4196 : 1024))
    }

    @Test func `gets 0A for an Execute whose settings find no space, though it counts`() {
        var bench = ready()
        _ = bench.ask("0102" + word(4096))
        bench.now += .milliseconds(100)
        bench.stream(Self.image[..<4000], each: .milliseconds(3))
        bench.now += .milliseconds(250)
        _ = (0..<8).map { _ in bench.bootloader.flash.append(.erase(0x70000), at: bench.now) }
        bench.now += .milliseconds(87)
        bench.stream(Self.image[4000..<4096])
        #expect(bench.ask("04") == "60040a")
        #expect(bench.ask("0602") == BootloaderBench.point(Self.image, 4096))
        bench.now += .milliseconds(800)
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("0102" + word(4096)) == "600101")
        _ = bench.bootloader.reset(at: bench.now + .seconds(1))
        #expect(bench.ask("0602") == BootloaderBench.point(Self.image, 4096))
    }

    @Test func `cannot create a ninth waiting object, nor execute an init packet then`() {
        var bench = ready()
        for _ in 0..<8 { #expect(bench.ask("0102" + word(4096)) == "600101") }
        #expect(bench.ask("0102" + word(4096)) == "600105")
        #expect(bench.install(Signed.packet(Self.image) { _ in }) == "60040a")
        #expect(bench.ask("0102" + word(4096)) == "600108")
        #expect(bench.ask("0601")?.hasPrefix("600601") == true)
        bench.now += .seconds(1)
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("0102" + word(4096)) == "600101")
    }

    @Test(arguments: [0, 1])
    func `loses no buffer by unwanted packets, and gets no report`(_ hasInit: Int) {
        var bench = hasInit == 1 ? ready() : BootloaderBench(.sdk14_2)
        _ = bench.ask("020100")
        if hasInit == 1 {
            _ = bench.ask("0102" + word(4096))
            bench.now += .seconds(1)
            bench.stream(Self.image[..<4096], each: .milliseconds(20))
        } else {
            _ = bench.ask("0602")
        }
        let point = bench.ask("03")
        for _ in 0..<40 { #expect(bench.send([1, 2, 3, 4]) == point) }
        #expect(bench.bootloader.memory.leakedBuffers == 0)
        #expect(hasInit == 0 || bench.ask("04") == "600401")
    }

    @Test func `may send any length: the ring assembles words`() {
        var bench = ready()
        _ = bench.ask("0102" + word(4096))
        bench.now += .milliseconds(200)
        bench.stream(Self.image[..<4096], payload: 17, each: .milliseconds(3))
        #expect(flashed(bench, 0..<4096) == Array(Self.image[..<4096]))
    }

    @Test(arguments: [(SecurePersonality.sdk12_3, "60040a"), (.sdk14_2, "60040b09")])
    func `resets a fresh device with Execute(data)`(
        _ personality: SecurePersonality, _ answer: String
    ) {
        var bench = BootloaderBench(personality) { $0.applicationSize = 1024 }
        _ = bench.ask("0602")
        #expect(bench.ask("04") == answer)
        #expect(bench.hasReset)
    }

    @Test func `leaves 0 and 0 once its image is done`() {
        var bench = ready()
        #expect(bench.update(Self.image) == "600401")
        _ = bench.bootloader.reset(at: bench.now + .seconds(1))
        #expect(bench.bootloader.applicationImage == Self.image)
        #expect(bench.ask("0602") == BootloaderBench.point([], 0))
    }

    @Test func `costs the overlapped application with the first object, not with the init packet`() {
        let large = GoldenUpdate.pattern(200_000)
        for isCreated in [false, true] {
            var bench = BootloaderBench(.sdk14_2) { $0.applicationSize = 150_000 }
            #expect(bench.install(Signed.packet(large) { _ in }) == "600401")
            if isCreated {
                _ = bench.ask("0102" + word(4096))
                bench.stream(large[..<4096])
                #expect(bench.ask("04") == "600401")
            }
            let restart = bench.bootloader.reset(at: .seconds(1))
            #expect(restart.program == (isCreated ? .bootloader : .application))
        }
    }

    @Test func `finds the settings gone after a power loss while their page was erased`() {
        var bench = ready()
        _ = bench.ask("0102" + word(4096))
        bench.now += .seconds(1)
        bench.stream(Self.image[..<4096], each: .milliseconds(20))
        bench.now += .seconds(1)
        #expect(bench.ask("04") == "600401")
        for (wait, kept) in [(50, 0), (110, 0), (112, 4096)] {
            var copy = bench
            let restart = copy.bootloader.reset(at: copy.now + .milliseconds(wait))
            #expect(restart.program == (kept == 0 ? .bootloader : .application))
            #expect(copy.ask("0602") == BootloaderBench.point(Self.image, kept))
        }
    }
}
