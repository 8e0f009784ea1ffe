import Bytes
import Simulation
import TestSupport
import Testing

/// SoftDevices and bootloaders as images, and their effect on the application (nordic-secure.md, Two parts).
@Suite struct `A system part` {
    static let listing: [SecurePersonality] = SecurePersonality.stock

    /// A SoftDevice of three pages with a tail, with an information structure.
    static func softDevice(
        _ number: UInt16, family: Int = 132, version: Int = 7_002_000, end: Int = 0x5000
    ) -> [UInt8] {
        var image = GoldenUpdate.pattern(3 * 4096 + 8)
        var information = hex("dbe5b151" + word(end))
        information += [UInt8(number & 0xFF), UInt8(number >> 8), 0xFF, 0xFF]
        information += hex(word(family) + word(version))
        image.replaceSubrange(0x2004..<0x2018, with: information)
        return image
    }

    static func bench(_ personality: SecurePersonality, timing: FlashTiming = .instant) -> BootloaderBench {
        BootloaderBench(personality, timing: timing) {
            $0.softDevice = 0x101  // S132 7.2.0
            $0.applicationSize = 1024
        }
    }

    /// Sends a SoftDevice, with a bootloader of 4904 bytes if `type` is 3; returns the answer to its last Execute.
    static func bring(
        _ softDevice: [UInt8], type: Int = 1, version: Int = 3, to bench: inout BootloaderBench
    ) -> String? {
        let bootloader = type == 3 ? GoldenUpdate.pattern(4904) : []
        let image = softDevice + bootloader
        let packet = Signed.packet(image) {
            $0.type = type
            $0.version = version
            $0.softDevices = [0x101]
            ($0.softDeviceSize, $0.bootloaderSize, $0.applicationSize) = (
                softDevice.count, bootloader.count, 0
            )
        }
        let answer = bench.install(packet)
        return answer == "600401" ? bench.update(image) : answer
    }

    @Test(arguments: listing)
    func `with a SoftDevice leaves ten seconds for the application, then starts the old one`(
        _ personality: SecurePersonality
    ) {
        for type in [1, 3] {
            var bench = Self.bench(personality)
            #expect(Self.bring(Self.softDevice(0x117), type: type, to: &bench) == "600401")
            let restart = bench.bootloader.reset(at: bench.now + .seconds(1))
            #expect(restart.program == .bootloader)
            #expect(restart.resets == personality.resetsToApplication + (type == 3 ? 1 : 0))
            #expect(bench.bootloader.settings.softDevice == 0x117)
            #expect(bench.bootloader.settings.bootloaderVersion == (type == 3 ? 3 : 0))
            #expect(bench.bootloader.inactivityDeadline == bench.now + .seconds(11))
            var left = bench
            #expect(left.bootloader.reset(at: bench.now + .seconds(11)).program == .application)
            #expect(bench.ask("0101" + word(200)) == "600101")
            #expect(bench.bootloader.inactivityDeadline == bench.now + .seconds(120))
        }
    }

    @Test(arguments: listing)
    func `is followed by an application for the new SoftDevice`(_ personality: SecurePersonality) {
        let image = GoldenUpdate.pattern(9000)
        var bench = Self.bench(personality)
        #expect(Self.bring(Self.softDevice(0x117), type: 3, to: &bench) == "600401")
        bench.now += .seconds(2)
        _ = bench.bootloader.reset(at: bench.now)
        #expect(bench.install(Signed.packet(image) { $0.softDevices = [0x101] }) != "600401")
        #expect(bench.install(Signed.packet(image) { $0.softDevices = [0x117] }) == "600401")
        #expect(bench.update(image) == "600401")
        #expect(bench.bootloader.reset(at: bench.now + .seconds(1)).program == .application)
        #expect(bench.bootloader.applicationImage == image)
    }

    @Test(arguments: listing)
    func `is refused a second time: the bootloader's version must grow`(
        _ personality: SecurePersonality
    ) {
        var bench = Self.bench(personality)
        let softDevice = Self.softDevice(0x101)
        #expect(Self.bring(softDevice, type: 3, to: &bench) == "600401")
        bench.now += .seconds(2)
        _ = bench.bootloader.reset(at: bench.now)
        let refusal = personality == .sdk12_3 ? "60040a" : "60040b05"
        #expect(Self.bring(softDevice, type: 3, to: &bench) == refusal)
        #expect(Self.bring(softDevice, type: 3, version: 4, to: &bench) == "600401")
    }

    /// What is new, and whether a SoftDevice alone is accepted by 12, 14.2, 15.0 and 15.3, 16.0 and 17.1.
    @Test(arguments: [
        ("as it was", softDevice(0x117), [true, true, true, true]),
        ("another major version", softDevice(0xB7, version: 6_001_001), [true, false, false, false]),
        ("another family", softDevice(0x100, family: 140), [true, true, true, false]),
        ("a short end", softDevice(0x117, end: 0x4FFC), [true, true, false, false]),
        ("no structure", GoldenUpdate.pattern(3 * 4096 + 8), [true, true, false, false]),
        ("nothing but an FWID", softDevice(0xB7, family: 0, version: 0), [true, false, false, false]),
    ])
    func `with a SoftDevice alone is compared with the old one`(
        _ words: String, _ image: [UInt8], _ isTaken: [Bool]
    ) {
        let columns: [[SecurePersonality]] = [
            [.sdk12_3], [.sdk13_1, .sdk14_2], [.sdk15_0, .sdk15_3], [.sdk16_0, .sdk17_1],
        ]
        for (personalities, isTaken) in zip(columns, isTaken) {
            for personality in personalities {
                var bench = Self.bench(personality)
                let answer = Self.bring(image, to: &bench)
                #expect(answer == (isTaken ? "600401" : "600405"), "\(personality): \(words)")
                _ = bench.bootloader.reset(at: bench.now + .seconds(1))
                #expect(bench.bootloader.settings.applicationSize == 1024)
            }
        }
    }

    @Test(arguments: listing)
    func `with another major version and a bootloader costs the application`(
        _ personality: SecurePersonality
    ) {
        var bench = Self.bench(personality)
        let image = Self.softDevice(0xB7, version: 6_001_001)
        #expect(Self.bring(image, type: 3, to: &bench) == "600401")
        let restart = bench.bootloader.reset(at: bench.now + .seconds(1))
        let isKept = personality == .sdk12_3
        #expect(restart.program == .bootloader)
        #expect(bench.bootloader.settings.applicationSize == (isKept ? 1024 : 0))
        #expect(bench.bootloader.inactivityDeadline == bench.now + .seconds(isKept ? 11 : 121))
        let next = bench.bootloader.reset(at: bench.now + .seconds(200))
        #expect(next.program == (isKept ? .application : .bootloader))
    }

    @Test(arguments: listing)
    func `with a bootloader alone starts the application at once`(_ personality: SecurePersonality) {
        let image = GoldenUpdate.pattern(4904)
        var bench = Self.bench(personality)
        let packet = Signed.packet(image) {
            $0.type = 2
            $0.softDevices = [0x101]
            ($0.bootloaderSize, $0.applicationSize) = (image.count, 0)
        }
        #expect(bench.install(packet) == "600401")
        #expect(bench.update(image) == "600401")
        let restart = bench.bootloader.reset(at: bench.now + .seconds(1))
        #expect(restart.program == .application && !restart.continues)
        #expect(bench.bootloader.settings.bootloaderVersion == 1)
    }

    @Test func `is copied page by page, SoftDevice and bootloader separately`() {
        var bench = Self.bench(.sdk17_1, timing: .stock)
        #expect(Self.bring(Self.softDevice(0x117), type: 3, to: &bench) == "600401")
        bench.now += .seconds(1)
        // 3 pages and 8 bytes of SoftDevice, 4904 bytes of bootloader: 4 + 2 pages of 129 ms.
        #expect(bench.bootloader.reset(at: bench.now).time == .milliseconds(6 * 129))
    }
}
