import TestSupport
import Testing

@testable import Simulation

@Suite struct `A simulated MCUboot` {
    private static let old = MCUbootFirmware().file
    private let next = SMPImages.next

    @Test(arguments: MCUbootRules.Mode.allCases.filter(\.exchanges))
    func `tests an image, reverts it, and keeps a confirmed one`(mode: MCUbootRules.Mode) throws {
        var bench = try SMPBench { $0.bootloader.mode = mode }
        bench.update(next)
        #expect(bench.state() == ["0.0 1.1.0 active", "0.1 1.0.0 confirmed"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
        _ = bench.mark(next, confirm: false)
        bench.restart()
        _ = bench.mark(nil, confirm: true)
        bench.restart()
        #expect(bench.state() == ["0.0 1.1.0 confirmed active", "0.1 1.0.0"])
        // And back again.
        _ = bench.mark(Self.old, confirm: true)
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
    }

    @Test func `is silent while it exchanges images`() throws {
        var bench = try SMPBench()
        _ = bench.upload(next)
        _ = bench.mark(next, confirm: false)
        let before = bench.now
        bench.powerCycle()
        #expect(bench.programStart - before == .seconds(15) + .milliseconds(500))
        bench.connect()
        _ = bench.mark(nil, confirm: true)
        let again = bench.now
        bench.powerCycle()
        #expect(bench.programStart - again == .milliseconds(500))
    }

    @Test func `copies an image without a way back if it only overwrites`() throws {
        var bench = try SMPBench { $0.bootloader.mode = .overwriteOnly }
        bench.update(next)
        // The first page and the trailer of slot 1 are erased.
        #expect(bench.state() == ["0.0 1.1.0 confirmed active"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.1.0 confirmed active"])
    }

    @Test(arguments: [MCUbootRules.Mode.directXIP, .ramLoad])
    func `starts the newest image where it is`(mode: MCUbootRules.Mode) throws {
        func image(_ version: String) -> [UInt8] {
            var image = MCUbootFirmware(version: version)
            image.flags = 0x20
            return image.file
        }
        var bench = try SMPBench {
            $0.bootloader.mode = mode
            $0.images = [.init(first: image("1.0.0"))]
        }
        #expect(bench.mark(nil, confirm: true) == ["rc": .number(8)])
        _ = bench.upload(image("1.1.0"))
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0 pending permanent"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0", "0.1 1.1.0 confirmed active"])
        // An older or equal one never starts; and the slot is free.
        for version in ["1.0.5", "1.1.0"] {
            _ = bench.upload(image(version))
            bench.restart()
            let isEqual = version == "1.1.0"
            #expect(
                bench.state() == [
                    "0.0 \(version)" + (isEqual ? " confirmed active" : ""),
                    "0.1 1.1.0" + (isEqual ? "" : " confirmed active"),
                ])
        }
    }

    @Test func `loads only images for RAM if it loads into RAM`() throws {
        var bench = try SMPBench(links: false) { $0.bootloader.mode = .ramLoad }
        #expect(!bench.device.isAudible(at: bench.now))
        bench.powerCycle()
        #expect(!bench.device.isAudible(at: bench.programStart))
    }

    @Test func `erases what was not marked or not confirmed in direct-XIP with revert`() throws {
        var bench = try SMPBench { $0.bootloader.mode = .directXIPRevert }
        #expect(bench.state() == ["0.0 1.0.0 confirmed active"])
        _ = bench.upload(next)
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active"])
        bench.update(next)
        #expect(bench.state() == ["0.0 1.0.0 confirmed", "0.1 1.1.0 active"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active"])
        bench.update(next)
        #expect(bench.mark(nil, confirm: false)?.groupError == "1.24")
        #expect(bench.mark(next, confirm: false)?.groupError == "1.33")
        _ = bench.mark(nil, confirm: true)
        #expect(bench.state() == ["0.0 1.0.0", "0.1 1.1.0 confirmed active"])
        bench.restart()
        #expect(bench.state() == ["0.0 1.0.0", "0.1 1.1.0 confirmed active"])
    }

    @Test func `refuses an image linked for another slot`() throws {
        var other = MCUbootFirmware(version: "2.0.0")
        other.flags = 0x100
        let bench = try SMPBench {
            $0.bootloader.mode = .directXIP
            $0.images[0].second = other.file
        }
        #expect(bench.device.runningImage?.version.description == "1.0.0")
        #expect(bench.device.server.slots.image(ImageSlot(image: 0, slot: 1)) == nil)
    }

    private static let key = [UInt8](repeating: 0x4B, count: 32)

    /// What is wrong with an image that is marked, and how the bootloader is built.
    static let invalid: [(String, [UInt8], @Sendable (inout MCUbootRules) -> Void)] = [
        ("a damaged one", SMPImages.damaged(SMPImages.next), { _ in }),
        ("an unsigned one", SMPImages.file("1.1.0"), { $0.keyHash = key }),
        (
            "one of another key", SMPImages.file("1.1.0", key: [UInt8](repeating: 1, count: 32)),
            { $0.keyHash = key }
        ),
        ("one that reaches the trailer", SMPImages.file("1.1.0", 28 * 1024), { _ in }),
        ("an older one", SMPImages.file("0.9.0"), { $0.preventsDowngrade = true }),
        ("one with a lower counter", counted(2, "1.1.0"), { $0.countsSecurity = true }),
        ("one without a counter", SMPImages.file("1.1.0"), { $0.countsSecurity = true }),
    ]

    private static func counted(_ counter: UInt32, _ version: String) -> [UInt8] {
        var image = MCUbootFirmware(version: version)
        image.securityCounter = counter
        return image.file
    }

    @Test(arguments: invalid.indices, [MCUbootRules.Mode.swapMove, .overwriteOnly])
    func `erases a marked image that may not run`(index: Int, mode: MCUbootRules.Mode) throws {
        let (name, file, change) = Self.invalid[index]
        var bench = try SMPBench {
            change(&$0.bootloader)
            $0.bootloader.mode = mode
            var first = MCUbootFirmware(keyHash: Self.key)
            first.securityCounter = 3
            $0.images = [.init(first: first.file)]
        }
        bench.update(file, confirming: true)
        #expect(bench.state() == ["0.0 1.0.0 confirmed active"], "\(name)")
    }

    @Test func `accepts an equal or higher counter, and remembers that of a confirmed image`() throws {
        var bench = try SMPBench {
            $0.bootloader.countsSecurity = true
            $0.images = [.init(first: Self.counted(3, "1.0.0"))]
        }
        bench.update(Self.counted(5, "1.1.0"))
        #expect(bench.device.server.slots.securityCounter(0) == 3)
        _ = bench.mark(nil, confirm: true)
        bench.restart()
        #expect(bench.device.server.slots.securityCounter(0) == 5)
        bench.update(Self.counted(4, "1.2.0"))
        #expect(bench.state() == ["0.0 1.1.0 confirmed active"])
        bench.update(Self.counted(5, "1.2.0"))
        #expect(bench.state().first == "0.0 1.2.0 active")
    }

    @Test func `decrypts images only if it can`() throws {
        func running(_ decrypts: Bool) throws -> String? {
            var image = MCUbootFirmware(version: "1.1.0")
            image.flags = 0x04
            var bench = try SMPBench { $0.bootloader.decrypts = decrypts }
            bench.update(SMPImages.damaged(image.file))
            return bench.state().first
        }
        #expect(try running(true) == "0.0 1.1.0 active")
        #expect(try running(false) == "0.0 1.0.0 confirmed active")
    }

    @Test func `changes no image if one needs another that is not there`() throws {
        var needy = MCUbootFirmware(version: "1.1.0")
        needy.dependency = (1, "2.1.0")
        var bench = try SMPBench { $0.images.append(.init(first: SMPImages.file("2.0.0"))) }
        _ = bench.upload(needy.file)
        _ = bench.mark(needy.file, confirm: false)
        bench.restart()
        #expect(
            bench.state() == [
                "0.0 1.0.0 confirmed active", "0.1 1.1.0 pending", "1.0 2.0.0 confirmed active",
            ])
        let core = SMPImages.file("2.1.0")
        _ = bench.upload(core, image: 1)
        _ = bench.mark(core, confirm: false)
        bench.restart()
        #expect(bench.state().filter { $0.hasSuffix(" active") } == ["0.0 1.1.0 active", "1.0 2.1.0 active"])
    }

    @Test func `reverts an application that crashes at once`() throws {
        var bench = try SMPBench { $0.applications["1.1.0"] = Self.application { $0.crashes = true } }
        let before = bench.now
        bench.update(next)
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
        #expect(bench.now - before > .seconds(30))
        // Confirmed beforehand, it crashes without end.
        bench.update(next, confirming: true)
        #expect(!bench.device.isAudible(at: bench.now))
    }

    private static func application(_ change: (inout MCUbootApplication) -> Void) -> MCUbootApplication {
        var application = MCUbootApplication()
        change(&application)
        return application
    }

    @Test func `starts applications that confirm themselves, hang, or have no server`() throws {
        var bench = try SMPBench { $0.applications["1.1.0"] = Self.application { $0.confirmsItself = true } }
        bench.update(next)
        #expect(bench.state() == ["0.0 1.1.0 confirmed active", "0.1 1.0.0"])
        var hanging = try SMPBench { $0.applications["1.1.0"] = Self.application { $0.hangs = true } }
        hanging.update(next)
        #expect(!hanging.device.isAudible(at: hanging.now))
        hanging.restart()
        #expect(hanging.state().first == "0.0 1.0.0 confirmed active")
        var silent = try SMPBench { $0.applications["1.1.0"] = Self.application { $0.hasServer = false } }
        silent.update(next)
        #expect(silent.device.isAudible(at: silent.now) && silent.ask(SMPBench.read, 1, 0) == nil)
    }

    @Test func `keeps the old application if it never starts another`() throws {
        var bench = try SMPBench([.keepOldApplication])
        bench.update(next)
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
    }
}

@Suite struct `A power loss of a simulated MCUboot` {
    private let next = SMPImages.file("1.1.0", 10_000)

    /// A bench whose next start exchanges or copies images, in a second.
    private func bench(_ mode: MCUbootRules.Mode, _ faults: [MCUbootFault] = []) throws -> SMPBench {
        var bench = try SMPBench(faults) {
            $0.bootloader.mode = mode
            $0.bootloader.swapTime = .seconds(1)
        }
        _ = bench.upload(next)
        _ = bench.mark(next, confirm: false)
        return bench
    }

    private func lines(_ mode: MCUbootRules.Mode) -> [String] {
        mode == .overwriteOnly
            ? ["0.0 1.1.0 confirmed active"] : ["0.0 1.1.0 active", "0.1 1.0.0 confirmed"]
    }

    @Test(arguments: [MCUbootRules.Mode.swapMove, .overwriteOnly], 0...12)
    func `at any time of the exchange only delays it`(mode: MCUbootRules.Mode, step: Int) throws {
        var bench = try bench(mode)
        bench.powerCycle()
        let whole = bench.programStart - bench.now
        bench.pass(for: .milliseconds(step * 100))
        bench.powerCycle()
        if mode == .swapMove, step * 100 > 400, step * 100 < 1000 {
            #expect(bench.programStart - bench.now < whole)
        }
        bench.connect()
        // One that came after the exchange has reverted it.
        let isReverted = mode == .swapMove && step * 100 >= 1000
        #expect(bench.state() == (isReverted ? ["0.0 1.0.0 confirmed active", "0.1 1.1.0"] : lines(mode)))
        #expect(
            isReverted
                || bench.device.server.slots.content(ImageSlot(image: 0, slot: 0), 0..<next.count) == next)
    }

    @Test(arguments: 0...12)
    func `in an exchange, from what was stored of the flash, only delays it`(step: Int) throws {
        var bench = try bench(.swapScratch)
        bench.powerCycle()
        let moment = bench.now + .milliseconds(min(step * 100, 990))
        let flash = bench.device.settled(at: moment, before: nil).flash.content(0..<bench.device.flashSize)
        var resumed = try SMPBench(retained: flash, links: false) { $0.bootloader.swapTime = .seconds(1) }
        #expect(resumed.device.startTime > .milliseconds(500))
        resumed.connect()
        #expect(resumed.state() == lines(.swapScratch))
    }

    @Test(arguments: [MCUbootRules.Mode.swapOffset, .overwriteOnly], 1...4)
    func `before any page only delays it`(mode: MCUbootRules.Mode, page: Int) throws {
        var bench = try bench(mode, [.powerLossInSwap(page)])
        bench.restart()
        #expect(bench.state() == lines(mode))
    }

    @Test(arguments: 1...4)
    func `before any page of two images only delays both`(page: Int) throws {
        let core = SMPImages.file("2.1.0", 6000)
        var bench = try SMPBench([.powerLossInSwap(page)]) { $0.images.append(.init()) }
        for (image, file) in [core, SMPImages.file("1.1.0", 6000)].enumerated() {
            _ = bench.upload(file, image: 1 - image)
            _ = bench.mark(file, confirm: false)
        }
        bench.restart()
        #expect(
            bench.state() == [
                "0.0 1.1.0 active", "0.1 1.0.0 confirmed", "1.0 2.1.0 active", "1.1 1.0.0 confirmed",
            ])
    }

    @Test func `in a revert only delays it`() throws {
        var bench = try bench(.swapMove)
        bench.restart()
        bench.powerCycle()
        bench.pass(for: .milliseconds(500))
        bench.powerCycle()
        bench.connect()
        #expect(bench.state() == ["0.0 1.0.0 confirmed active", "0.1 1.1.0"])
    }

    @Test(arguments: 1...40)
    func `in an update loses no application`(request: Int) throws {
        let image = SMPImages.file("1.1.0", 2500)
        var bench = try SMPBench([.powerLossAtRequest(request)]) { $0.timing = .stock }
        var running: String?
        for _ in 0..<4 where running != "0.0 1.1.0 active" {
            bench.update(image)
            running = bench.state().first
            guard running == nil else { continue }
            bench.connect()
            running = bench.state().first
            #expect(running?.hasSuffix("active") == true)
        }
        #expect(running == "0.0 1.1.0 active")
    }
}
