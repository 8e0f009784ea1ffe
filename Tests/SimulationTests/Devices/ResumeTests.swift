import Bytes
import Simulation
import TestSupport
import Testing

@Suite struct `An interrupted update` {
    static let all = SecurePersonality.stock + [.sdk17_1SavingProgress]
    static let reloading = [SecurePersonality.sdk16_0, .sdk17_1]
    static let keeping = all.filter { $0.disconnectKeeps == .everything }

    let image = GoldenUpdate.pattern(9000)
    var packet: [UInt8] { Signed.packet(image) { _ in } }

    /// One object executed and 488 bytes of the second written.
    func halfway(_ personality: SecurePersonality, created: Bool = true) -> BootloaderBench {
        var bench = BootloaderBench(personality)
        #expect(bench.install(packet) == "600401")
        _ = bench.bring(image, object: 0)
        #expect(bench.ask("04") == "600401")
        guard created else { return bench }
        _ = bench.ask("0102" + word(4096))
        bench.stream(image[4096..<4584])
        return bench
    }

    func command(_ count: Int, of personality: SecurePersonality) -> String {
        "600601" + word(personality.commandMaximum) + word(count)
            + word(Int(CRC32.checksum(packet[..<count])))
    }

    @Test(arguments: keeping)
    func `continues inside an object after a disconnect up to SDK 15.3`(_ personality: SecurePersonality) {
        var bench = halfway(personality)
        bench.disconnect()
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4584))
        bench.stream(image[4584..<8192])
        #expect(bench.ask("04") == "600401")
        _ = bench.bring(image, object: 2)
        #expect(bench.ask("04") == "600401")
        _ = bench.bootloader.reset(at: .seconds(1))
        #expect(bench.bootloader.applicationImage == image)
    }

    @Test(arguments: reloading)
    func `keeps only its init packet over a disconnect from SDK 16 on`(_ personality: SecurePersonality) {
        var bench = halfway(personality)
        bench.disconnect()
        #expect(bench.ask("0601") == command(packet.count, of: personality))
        #expect(bench.ask("0602") == BootloaderBench.point(image, 0))
        #expect(bench.ask("04") == "600401")
        #expect(bench.bring(image, object: 0) == "600101")
    }

    @Test(arguments: all)
    func `keeps only its init packet over a reset, unless progress is saved`(
        _ personality: SecurePersonality
    ) {
        var bench = halfway(personality)
        _ = bench.bootloader.reset(at: bench.now)
        let kept = personality.settingsAtObject == nil ? 0 : 4096
        #expect(bench.ask("0601") == command(packet.count, of: personality))
        #expect(bench.ask("0602") == BootloaderBench.point(image, kept))
        #expect(bench.ask("0102" + word(4096)) == "600101")
    }

    @Test func `keeps executed objects over a disconnect if progress is saved`() {
        var bench = halfway(.sdk17_1SavingProgress)
        bench.disconnect()
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4096))
        _ = bench.bring(image, object: 1)
        #expect(bench.ask("04") == "600401")
        _ = bench.bring(image, object: 2)
        #expect(bench.ask("04") == "600401")
        _ = bench.bootloader.reset(at: .seconds(1))
        #expect(bench.bootloader.applicationImage == image)
    }

    @Test(arguments: all)
    func `keeps a partial or unexecuted init packet up to SDK 15.3 only`(
        _ personality: SecurePersonality
    ) {
        for count in [20, packet.count] {
            var bench = BootloaderBench(personality)
            _ = bench.ask("0101" + word(packet.count))
            bench.send(packet[..<count])
            bench.disconnect()
            #expect(
                bench.ask("0601")
                    == command(personality.disconnectKeeps == .everything ? count : 0, of: personality))
            _ = bench.bootloader.reset(at: .zero)
            #expect(bench.ask("0601") == command(0, of: personality))
        }
    }

    @Test(arguments: keeping)
    func `continues inside its init packet after a disconnect up to SDK 15.3`(
        _ personality: SecurePersonality
    ) {
        var bench = BootloaderBench(personality)
        _ = bench.ask("0101" + word(packet.count))
        bench.send(packet[..<20])
        bench.disconnect()
        bench.send(packet[20...])
        #expect(bench.ask("03") == "600301" + word(packet.count) + word(Int(CRC32.checksum(packet))))
        #expect(bench.ask("04") == "600401")
    }

    @Test(arguments: reloading)
    func `reports the old init packet again, to be executed before any data`(
        _ personality: SecurePersonality
    ) {
        var bench = halfway(personality)
        _ = bench.ask("0101" + word(100))
        bench.send([1, 2, 3])
        bench.disconnect()
        #expect(bench.ask("0601") == command(packet.count, of: personality))
        #expect(bench.ask("0102" + word(4096)) == "600108")
        #expect(bench.ask("0601") == command(packet.count, of: personality))
        #expect(bench.ask("04") == "600401")
        #expect(bench.ask("0102" + word(4096)) == "600101")
    }

    @Test(arguments: reloading)
    func `loses an init packet whose flash write had not begun`(_ personality: SecurePersonality) {
        for (wait, count) in [(50, 0), (100, packet.count)] {
            var bench = BootloaderBench(personality, timing: .stock)
            #expect(bench.install(packet) == "600401")
            bench.now += .milliseconds(wait)
            bench.disconnect()
            #expect(bench.ask("0601") == command(count, of: personality))
        }
    }

    @Test(arguments: keeping)
    func `answers 08 at an aligned offset when an object was created and nothing written`(
        _ personality: SecurePersonality
    ) {
        var bench = halfway(personality, created: false)
        _ = bench.ask("0102" + word(4096))
        bench.disconnect()
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4096))
        #expect(bench.ask("04") == "600408")
        #expect(bench.bring(image, object: 1) == "600101")
        #expect(bench.ask("04") == "600401")
    }

    @Test(arguments: keeping)
    func `answers 01 at an aligned offset when nothing was created`(_ personality: SecurePersonality) {
        var bench = halfway(personality, created: false)
        bench.disconnect()
        _ = bench.ask("0602")
        #expect(bench.ask("04") == "600401")
    }

    @Test(arguments: keeping)
    func `is finished by Execute alone when every byte is there`(_ personality: SecurePersonality) {
        var bench = halfway(personality, created: false)
        _ = bench.bring(image, object: 1)
        _ = bench.ask("04")
        _ = bench.bring(image, object: 2)
        bench.disconnect()
        #expect(bench.ask("0602") == BootloaderBench.point(image, 9000))
        #expect(bench.ask("04") == "600401")
        #expect(bench.hasReset)
    }

    @Test(arguments: all)
    func `is discarded by Create(command), but not by one that fails`(_ personality: SecurePersonality) {
        var bench = halfway(personality)
        #expect(bench.ask("0101" + word(513)) == "600104")
        #expect(bench.ask("0602") == BootloaderBench.point(image, 4584))
        #expect(bench.ask("0101" + word(10)) == "600101")
        #expect(bench.ask("0602") == BootloaderBench.point(image, 0))
        #expect(bench.ask("0102" + word(4096)) == "600108")
    }

    @Test func `costs the old application when the image needs its space`() {
        let large = GoldenUpdate.pattern(200_000)
        var bench = BootloaderBench { $0.applicationSize = 150_000 }
        #expect(bench.install(InitRecipe(large).packet) == "600401")
        #expect(bench.bootloader.reset(at: .seconds(1)).program == .bootloader)
        var small = BootloaderBench { $0.applicationSize = 100_000 }
        #expect(small.install(InitRecipe(large).packet) == "600401")
        #expect(small.bootloader.reset(at: .seconds(1)).program == .application)
    }
}
