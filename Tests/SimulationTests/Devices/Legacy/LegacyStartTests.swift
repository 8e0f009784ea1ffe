import Bluetooth
import Testing

@testable import Simulation

@Suite struct `A Legacy start` {
    static let room = FlashLayout().bootloaderStart - FlashLayout().applicationStart

    @Test(arguments: [
        (4, [0, 0, 4100], "100101"), (1, [4096, 0, 0], "100101"), (2, [0, 4096, 0], "100101"),
        (3, [4096, 4096, 0], "100101"),
        // An application comes alone.
        (5, [4096, 0, 4096], "100103"), (6, [0, 4096, 4096], "100103"), (7, [4096, 4096, 4096], "100103"),
        // Whole words.
        (4, [0, 0, 4101], "100103"), (1, [4098, 0, 0], "100103"), (2, [0, 4097, 0], "100103"),
        // Capacity.
        (4, [0, 0, room], "100101"), (4, [0, 0, room + 4], "100104"),
        (4, [0, 0, 0xFFFF_FFFC], "100104"), (2, [0, 0x6000, 0], "100101"), (2, [0, 0x6004, 0], "100104"),
    ])
    func `is checked by its sizes`(mode: Int, sizes: [Int], answer: String) {
        var bench = LegacyBench()
        #expect(bench.start(mode, sizes) == answer)
    }

    /// The regions of Adafruit_nRF52_Bootloader's linker scripts: from 74000 or F4000 to the settings page.
    @Test(arguments: [(UInt16?.none, 0x74000), (0xADAF, 0x74000), (52833, 0x74000), (52840, 0xF4000)])
    func `of a system part has the capacity of Adafruit's bootloader on that chip`(
        revision: UInt16?, start: Int
    )
        throws
    {
        var device = LegacyDevice(.adafruit)
        device.revision = revision
        let address = try #require(DeviceAddress("C0:FF:EE:00:00:01"))
        let layout = NordicDescription(address: address, legacy: device).layout
        #expect(layout.bootloaderStart == start)
        let room = start - 0x26000 - 0x7000
        for (sizes, answer) in [
            ([0x4000, 39000, 0], "100101"), ([0, 0xB000, 0], "100101"), ([0, 0xB004, 0], "100104"),
            ([0, 0, room], "100101"), ([0, 0, room + 4], "100104"),
        ] {
            var bench = LegacyBench(.adafruit, layout: layout)
            #expect(bench.start(sizes[2] > 0 ? 4 : sizes[0] > 0 ? 3 : 2, sizes) == answer, "\(sizes)")
        }
    }

    @Test(arguments: [(4, [0, 0, 0x29000]), (2, [0, 0x6000, 0])])
    func `with two banks has half the capacity, except for SoftDevices`(mode: Int, sizes: [Int]) {
        var bench = LegacyBench(.sdk11TwoBanks)
        #expect(bench.start(mode, sizes) == "100101")
        bench = LegacyBench(.sdk11TwoBanks)
        #expect(bench.start(4, [0, 0, Self.room / 2 + 4096]) == "100104")
        bench = LegacyBench(.sdk11TwoBanks)
        #expect(bench.start(1, [Self.room, 0, 0]) == "100101")
    }

    @Test(arguments: [0, 4, 11, 13, 20]) func `is 12 bytes long`(count: Int) {
        var bench = LegacyBench()
        bench.ask("0104")
        #expect(bench.send([UInt8](repeating: 0, count: count)) == "100103")
    }

    @Test func `is answered when everything is erased`() {
        // With one bank, as much as the image needs: 50 pages.
        var bench = LegacyBench(timing: .stock)
        #expect(bench.start(4, [0, 0, 200 * 1024]) == "100101")
        #expect(bench.now == .milliseconds(50 * 87))
        // With two, the whole second one.
        bench = LegacyBench(.sdk11TwoBanks, timing: .stock)
        #expect(bench.start(4, [0, 0, 4096]) == "100101")
        #expect(bench.now == .milliseconds(Self.room / 8192 * 87))
    }

    @Test func `is refused in every other state, until a reset`() {
        var bench = LegacyBench()
        #expect(bench.start(4, [0, 0, 4100]) == "100101")
        #expect(bench.start(4, [0, 0, 4100]) == "100102")
        bench.bootloader.disconnect(at: bench.now)
        bench.bootloader.connect(at: bench.now)
        #expect(bench.start(4, [0, 0, 4100]) == "100102")
        // Wrong sizes are reported first.
        #expect(bench.start(4, [0, 0, 4101]) == "100103")
        #expect(bench.ask("06") == nil)
        #expect(bench.hasReset && bench.hasHungUp)
        #expect(bench.reset().program == .bootloader)
        #expect(bench.start(4, [0, 0, 4100]) == "100101")
    }

    @Test func `with one bank costs the application, with two it does not`() {
        for (personality, program) in [
            (LegacyPersonality.sdk11, Restart.Program.bootloader), (.sdk11TwoBanks, .application),
        ] {
            var bench = LegacyBench(personality)
            #expect(bench.start(4, [0, 0, 4100]) == "100101")
            #expect(bench.reset().program == program)
        }
    }

    @Test func `that is interrupted while it erases costs the application too`() {
        var bench = LegacyBench(timing: .stock)
        bench.ask("0104")
        _ = bench.bootloader.packet(hex(word(0) + word(0) + word(40960)), at: .zero)
        bench.now = .milliseconds(100)
        #expect(bench.reset().program == .bootloader)
        // Before the first page is erased nothing has changed.
        bench = LegacyBench(timing: .stock)
        bench.ask("0104")
        _ = bench.bootloader.packet(hex(word(0) + word(0) + word(40960)), at: .zero)
        bench.now = .milliseconds(50)
        #expect(bench.reset().program == .application)
    }
}
