import Bluetooth
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

/// Bootloaders of SDK 7 and later whose init packets have a CRC16.
let legacyPersonalities: [LegacyPersonality] = [.sdk7, .sdk8, .sdk11, .sdk11TwoBanks, .adafruit]
let oldLegacyPersonalities: [LegacyPersonality] = [.sdk4, .sdk5_2, .sdk6_1]

@Suite(.timeLimit(.minutes(10))) struct `A Legacy update of a simulated beacon` {
    @Test(arguments: legacyPersonalities + oldLegacyPersonalities)
    func `ends with the image`(_ personality: LegacyPersonality) async throws {
        let firmware = try LegacyFirmware(count: 4000)
        let result = try await NordicBench.legacy(personality).flash(firmware)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
        #expect(result.report?.retries == 0)
        print(
            "\(personality.name): \(Int(result.report?.averageBytesPerSecond ?? 0)) B/s in "
                + "\(result.report?.transferSeconds ?? 0) s")
    }

    @Test(arguments: legacyPersonalities + oldLegacyPersonalities)
    func `begins in the application, through its control point`(_ personality: LegacyPersonality) async throws
    {
        let firmware = try LegacyFirmware(count: 2000)
        let result = try await NordicBench.legacy(personality, entering: true).flash(firmware, entering: true)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
    }

    @Test(arguments: [LegacyPersonality.sdk11, .adafruit], [false, true])
    func `finds a bootloader that keeps the address of its bonded application`(
        _ personality: LegacyPersonality, _ isHeard: Bool
    ) async throws {
        let firmware = try LegacyFirmware(count: 2000)
        let result = try await NordicBench.legacy(
            personality, entering: true,
            hearing: { _, events in
                let isAway = events.age(of: .enteringBootloader) != nil && events.age(of: .rebooting) == nil
                return isAway && !isHeard ? .inaudible : .normal
            }, change: { $0.legacy?.handover = .address }
        ).flash(firmware, entering: true)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
    }

    @Test(arguments: oldLegacyPersonalities + [.sdk8, .sdk11, .adafruit])
    func `with a CRC16 alone for an init packet is for bootloaders from before SDK 7`(
        _ personality: LegacyPersonality
    ) async throws {
        let firmware = try LegacyFirmware(count: 2000)
        let packet = try LegacyInitPacket(
            parsing: Array(try #require(firmware.image.initPacket).bytes.suffix(2)))
        let image = LegacyImage(bytes: firmware.bytes, initPacket: packet)
        let result = try await NordicBench.legacy(personality).flash(LegacyProcedure(image), entry: nil)
        guard personality.version != nil else {
            #expect(result.isRight && result.application == firmware.bytes, "\(result.outcome)")
            return
        }
        #expect(result.failure?.code.rawValue == "extended-init-packet-required", "\(result.outcome)")
        #expect(result.statistics.bootloader.packetsReceived == 0)
        var wrong = packet.bytes
        wrong[0] ^= 1
        let damaged = LegacyImage(bytes: firmware.bytes, initPacket: try LegacyInitPacket(parsing: wrong))
        let refused = try await NordicBench.legacy(.sdk6_1).flash(LegacyProcedure(damaged), entry: nil)
        #expect(refused.failure?.code == .device.imageCRCMismatch, "\(refused.outcome)")
    }

    @Test(arguments: legacyPersonalities + oldLegacyPersonalities, [1, 2, 8])
    func `ends with the image though its init packet is padded`(
        _ personality: LegacyPersonality, _ padding: Int
    ) async throws {
        let firmware = try LegacyFirmware(count: 2000)
        let packet = try #require(firmware.image.initPacket).bytes + [UInt8](repeating: 0, count: padding)
        let image = LegacyImage(bytes: firmware.bytes, initPacket: try LegacyInitPacket(parsing: packet))
        let result = try await NordicBench.legacy(personality).flash(LegacyProcedure(image), entry: nil)
        #expect(result.isRight && result.application == firmware.bytes, "\(result.outcome)")
    }

    @Test(arguments: [FirmwareRole.softdevice, .bootloader])
    func `installs system parts on SDK 6_1 too, and on no earlier one`(_ role: FirmwareRole) async throws {
        let firmware = try LegacyFirmware(count: 2000, role: role)
        let result = try await NordicBench.legacy(.sdk6_1).flash(firmware)
        #expect(result.report != nil, "\(result.outcome)")
        let refused = try await NordicBench.legacy(.sdk5_2).flash(firmware)
        #expect(refused.failure?.code.rawValue == "image-type-unsupported", "\(refused.outcome)")
    }

    @Test func `needs no init packet if the bootloader is that old`() async throws {
        let firmware = try LegacyFirmware(count: 2000, hasInitPacket: false)
        let result = try await NordicBench.legacy(.sdk4).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
        let refused = try await NordicBench.legacy(.sdk11).flash(firmware)
        #expect(refused.failure?.code.rawValue == "init-packet-missing", "\(refused.outcome)")
    }

    @Test(arguments: [0, 1, 2, 5, 8, 12, 100], [LegacyPersonality.sdk11, .adafruit, .sdk5_2])
    func `works at any receipt interval, slower if that is too fast`(
        _ interval: Int, _ personality: LegacyPersonality
    ) async throws {
        let firmware = try LegacyFirmware(count: 3000)
        let result = try await NordicBench.legacy(personality).flash(firmware, receipts: interval)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
        if result.report?.retries ?? 0 > 0 {
            print("\(personality.name), PRN \(interval): \(result.reasons)")
        }
    }

    @Test(arguments: [4, 16, 20, 24, 160, 164, 320, 5000])
    func `works for an image of any length`(_ count: Int) async throws {
        let firmware = try LegacyFirmware(count: count)
        let result = try await NordicBench.legacy(.sdk11).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
    }

    @Test func `never sends what the bootloader has to drop`() async throws {
        let result = try await NordicBench.legacy(.sdk11).flash(LegacyFirmware(count: 20_000))
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.statistics.bootloader.packetsDropped == 0)
    }

    @Test(arguments: [7.5, 15, 30])
    func `meets no full buffers, however fast the link`(_ milliseconds: Double) async throws {
        let firmware = try LegacyFirmware(count: 4000)
        var bench = NordicBench.legacy(.sdk11)
        var link = LinkModel()
        link.interval = .microseconds(Int(milliseconds * 1000))
        bench.link = link
        let result = try await bench.flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.report?.retries == 0, "\(result.reasons)")
        print("\(milliseconds) ms: \(Int(result.report?.averageBytesPerSecond ?? 0)) B/s")
    }

    @Test func `ends with bootloader-not-found if its bootloader is at an unrelated address`() async throws {
        let elsewhere = try #require(DeviceAddress("C1:22:33:44:55:66"))
        let result = try await NordicBench.legacy(
            .sdk11, entering: true, change: { $0.bootloaderAddress = elsewhere }
        )
        .flash(LegacyFirmware(count: 2000), entering: true)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(result.packetsToOthers == 0)
    }

    @Test func `promises no resume if its link is lost for good`() async throws {
        let result = try await NordicBench.legacy(
            .sdk11, faults: [.cut(afterPacket: 20)],
            hearing: { _, events in events.age(of: .transferring) == nil ? .normal : .absent }
        )
        .flash(LegacyFirmware(count: 2000))
        #expect(result.failure?.code == .device.linkLost, "\(result.outcome)")
        #expect(result.failure?.remedy?.description.contains("starts at the first byte") == true)
    }

    @Test func `is sent once if the bootloader cannot read its init packet's image check`()
        async throws
    {
        // Of generation 0.7: a SHA-256 where the bootloader expects a CRC16.
        let packet: [UInt8] =
            [0x52, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0xFE, 0xFF, 1, 0, 0, 0, 0xD0, 7, 0, 0]
            + [UInt8](repeating: 0, count: 32)
        let image = LegacyImage(
            bytes: try LegacyFirmware(count: 2000).bytes, initPacket: try LegacyInitPacket(parsing: packet))
        let result = try await NordicBench.legacy(.sdk11).flash(LegacyProcedure(image), entry: nil)
        #expect(result.failure?.code == .device.imageCRCMismatch, "\(result.outcome)")
        #expect(result.reasons == [])
        #expect(result.failure?.remedy?.description.contains("the format of the init packet 0.5") == true)
    }

    @Test func `ends with not-in-bootloader if the application cannot be sent there`() async throws {
        let result = try await NordicBench.legacy(
            .sdk11, entering: true, change: { $0.bootloaderAddress = $0.address }
        )
        .flash(LegacyFirmware(count: 2000))
        #expect(result.failure?.code == .device.notInBootloader, "\(result.outcome)")
    }

    /// The peer's data is lost when the new bootloader starts.
    @Test(arguments: [false, true])
    func `finds a bootloader that has moved to the next address after the first part`(
        _ isHeard: Bool
    ) async throws {
        let system = try LegacyFirmware(count: 1000, role: .softdevice)
        let firmware = try LegacyFirmware(count: 2000)
        let sequence = PartSequence(
            ("SoftDevice", LegacyProcedure(system.image)), [("application", LegacyProcedure(firmware.image))])
        let result = try await NordicBench.legacy(
            .sdk11, entering: true,
            hearing: { address, events in
                let isAway = events.age(of: .enteringBootloader) != nil && events.age(of: .rebooting) == nil
                return isAway && !isHeard ? .inaudible : .normal
            }, change: { $0.legacy?.handover = .address }
        ).flash(sequence, entry: ButtonlessEntry(legacyOrButtonless: false))
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.bytes)
    }

    @Test func `installs a bootloader, then the application, in one run`() async throws {
        let system = try LegacyFirmware(count: 1000, role: .bootloader)
        let firmware = try LegacyFirmware(count: 2000)
        for entering in [false, true] {
            let sequence = PartSequence(
                ("bootloader", LegacyProcedure(system.image)),
                [("application", LegacyProcedure(firmware.image))])
            let result = try await NordicBench.legacy(.sdk11, entering: entering)
                .flash(sequence, entry: entering ? ButtonlessEntry(legacyOrButtonless: false) : nil)
            #expect(result.report?.verified == .reappeared, "\(result.outcome)")
            #expect(result.application == firmware.bytes)
            let parts = result.events.filter { event in
                if case .detail(.sentFromFirstByte) = event { true } else { false }
            }
            #expect(parts == [.detail(.sentFromFirstByte(at: 0)), .detail(.sentFromFirstByte(at: 1000))])
        }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct `An application with Secure DFU's buttonless service and Adafruit's bootloader` {
    private func bench(
        _ handover: LegacyDevice.Handover, answering answers: Bool,
        _ change: @escaping @Sendable (inout NordicDescription) -> Void = { _ in }
    ) -> NordicBench {
        NordicBench.legacy(
            .adafruit, entering: true,
            change: {
                $0.hasSecureEntry = true
                $0.legacy?.handover = handover
                $0.legacy?.answersEntry = answers
                change(&$0)
            })
    }

    private func flash(_ bench: NordicBench) async throws -> NordicBenchResult {
        let firmware = try LegacyFirmware(count: 4000)
        return try await bench.flash(
            LegacyProcedure(firmware.image), entry: ButtonlessEntry(legacyOrButtonless: true))
    }

    @Test(arguments: [LegacyDevice.Handover.nothing, .address], [true, false])
    func `is sent to its bootloader, wherever that appears`(
        _ handover: LegacyDevice.Handover, _ answers: Bool
    ) async throws {
        let result = try await flash(bench(handover, answering: answers))
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == (try LegacyFirmware(count: 4000)).bytes)
    }

    @Test func `gets a second request if it stays and advertises`() async throws {
        var ignoring = bench(.nothing, answering: true)
        ignoring.faults = [.nordic(.ignoreEntry(1))]
        let result = try await flash(ignoring)
        #expect(result.isRight, "\(result.outcome)")
        ignoring.faults = (1...9).map { .nordic(.ignoreEntry($0)) }
        let never = try await flash(ignoring)
        #expect(never.failure?.code == .device.bootloaderNotEntered, "\(never.outcome)")
        #expect(never.failure?.state?.program == .application)
        #expect(never.failure?.state?.application == .intact)
    }

    @Test func `is not reported as back if its bootloader is Secure DFU's`() async throws {
        let firmware = try LegacyFirmware(count: 4000)
        let result = try await NordicBench(change: { $0.program = .application }, entering: .init()).flash(
            LegacyProcedure(firmware.image), entry: ButtonlessEntry(legacyOrButtonless: true))
        #expect(result.failure?.code == .device.updateServiceMissing, "\(result.outcome)")
        #expect(result.failure?.state?.application == .intact)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Legacy bootloader that reports its SoftDevice` {
    private func flash(
        _ text: String, type: UInt8 = 0x52, revision: [UInt8] = [0xFF, 0xFF],
        role: FirmwareRole = .application,
        for softDevice: [UInt8] = [0x98, 0], allowing risks: Set<Risk> = [], isEntered: Bool = false
    ) async throws -> NordicBenchResult {
        var packet = [type, 0] + revision + [0xFF, 0xFF, 0xFF, 0xFF, 1, 0] + softDevice
        let firmware = try LegacyFirmware(count: 4000)
        packet += firmware.image.initPacket?.bytes.suffix(2) ?? []
        let image = LegacyImage(
            role: role, bytes: firmware.bytes, initPacket: try LegacyInitPacket(parsing: packet))
        let bench = NordicBench.legacy(
            .adafruit, entering: isEntered, change: { $0.legacy?.bootloaderRevision = text })
        return try await bench.flash(
            LegacyProcedure(image, allowing: risks),
            entry: isEntered ? ButtonlessEntry(legacyOrButtonless: false) : nil)
    }

    private let any: [UInt8] = [0xFE, 0xFF]

    @Test func `is not erased for a package of another device type`() async throws {
        let result = try await flash("0.8.0 s140 6.1.1", type: 0x01, for: any)
        #expect(result.failure?.code == .device.hardwareVersionMismatch, "\(result.outcome)")
        #expect(
            result.failure?.message.contains("device type 0x52; the init packet names device type 0x1")
                == true)
        #expect(result.failure?.message.contains("nothing was erased") == true)
        #expect(result.failure?.state == nil)
        // A user who overrides the check gets the device's own answer, after Start.
        let forced = try await flash("0.8.0 s140 6.1.1", type: 0x01, for: any, allowing: [.wrongFamily])
        #expect(forced.failure?.code.rawValue == "init-packet-refused", "\(forced.outcome)")
        let own = try await flash("0.8.0 s140 6.1.1", for: any)
        #expect(own.isRight, "\(own.outcome)")
        // Not for Adafruit's bootloader, which has a device type of its own.
        let open = try await flash("2.4", type: 0x01, for: any)
        #expect(open.failure?.code.rawValue == "init-packet-refused", "\(open.outcome)")
    }

    @Test(arguments: [[0xAF, 0xAD], [0x61, 0xCE], [0x68, 0xCE], [0xFF, 0xFF]] as [[UInt8]])
    func `is not erased for a bootloader of another chip`(_ revision: [UInt8]) async throws {
        let isOlder = revision == [0xAF, 0xAD]
        for (text, isRight) in [
            ("S132 2.0.1, 0.5.0", isOlder), ("0.8.0 s140 6.1.1", !isOlder && revision != [0xFF, 0xFF]),
        ] {
            let result = try await flash(text, revision: revision, role: .bootloader, for: any)
            let isRefused = result.failure?.code == .device.hardwareVersionMismatch
            #expect(isRefused == !isRight, "\(text) \(revision): \(result.outcome)")
        }
    }

    @Test(arguments: ["0.8.0 s140 6.1.1", "S132 2.0.1, 0.5.0"])
    func `is not erased for a package that names another SoftDevice`(_ text: String) async throws {
        let result = try await flash(text)
        #expect(result.failure?.code.rawValue == "softdevice-mismatch", "\(result.outcome)")
        #expect(result.failure?.message.contains("nothing was erased") == true)
        #expect(result.failure?.state == nil)
    }

    @Test func `is not erased either if it was entered from its application`() async throws {
        let result = try await flash("0.8.0 s140 6.1.1", isEntered: true)
        #expect(result.failure?.code.rawValue == "softdevice-mismatch", "\(result.outcome)")
        #expect(result.failure?.message.contains("nothing was erased") == true)
        #expect(result.failure?.state?.application == .intact)
    }

    @Test(arguments: ["0.8.0 s132 4.0.2", "1.15.0", "", "s999 1.0.0"])
    func `accepts a package that names it, and any package if its text is not informative`(_ text: String)
        async throws
    {
        let result = try await flash(text)
        #expect(result.isRight, "\(result.outcome)")
    }
}
