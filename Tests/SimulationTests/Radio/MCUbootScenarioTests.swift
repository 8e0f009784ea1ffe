import Bluetooth
import Bytes
import FoundationEssentials
import TestSupport
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A beacon of kind mcuboot of a scenario` {
    private static func described(_ keys: String) throws -> MCUbootScenarioBeacon {
        let text = "beacons: [{kind: mcuboot, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        return try #require(
            `A scenario file`.scenario(text).beacons.compactMap { $0 as? MCUbootScenarioBeacon }.first)
    }

    @Test func `exchanges images and speaks Zephyr's dialect by default`() throws {
        let description = try Self.described("").description
        #expect(description.bootloader == MCUbootRules() && description.server == SMPServerRules())
        #expect(description.images == [MCUbootDescription.Pair()])
        #expect(description.application == MCUbootApplication() && description.applications.isEmpty)
    }

    @Test func `is defined by its keys`() throws {
        let key = String(repeating: "4b", count: 32)
        let beacon = try Self.described(
            "name: Tag, rssi: -70, advertising_ms: 500, advertises_service: false, battery: 42, mtu: 498, "
                + "flash: instant, slot_kb: 256, key_hash: '\(key)', version: 1.2.3+4, "
                + "second_version: 1.3.0, "
                + "network_version: 2.0.0, second_network_version: 2.1.0, needs_pairing: true, bonded: true, "
                + "bootloader: direct-xip-revert, requires_sha256: true, decrypts: true, "
                + "prevents_downgrade: true, "
                + "security_counter: true, swap_ms: 3000, server: mynewt, lengths: definite, "
                + "adds_code: true, "
                + "leaves_out_false: true, reassembles: true, buffers: 6, tells_buffers: false, "
                + "tells_mode: unknown, tells_slots: false, checks_upload: true, erases_progressively: true, "
                + "needs_aligned_chunks: true, confirms_other_images: true, erases_storage: false, "
                + "short_pieces: true, confirms_itself: true, smp: true, firmware_revision: v9, "
                + "applications: [{version: 1.3.0, smp: false, crashes: true, hangs: true, "
                + "firmware_revision: none}], "
                + "faults: [{lose_request: 1}, {refuse_confirm: 1}, {delay_answer: 2}, "
                + "{power_loss_in_swap: 3}]"
        )
        let description = beacon.description
        #expect(description.name == "Tag" && description.rssi == -70 && description.maximumMTU == 498)
        #expect(description.advertisingInterval == .milliseconds(500) && !description.advertisesService)
        #expect(description.batteryPercent == 42 && description.timing == .instant)
        #expect(description.slotSize == 256 * 1024 && description.needsEncryption && description.isBonded)
        let hash = [UInt8](repeating: 0x4B, count: 32)
        func file(_ version: String) -> [UInt8] { MCUbootFirmware(version: version, keyHash: hash).file }
        #expect(
            description.images == [
                .init(first: file("1.2.3+4"), second: file("1.3.0")),
                .init(first: file("2.0.0"), second: file("2.1.0")),
            ])
        var rules = MCUbootRules()
        rules.mode = .directXIPRevert
        rules.keyHash = hash
        rules.requiresSHA256 = true
        rules.decrypts = true
        rules.preventsDowngrade = true
        rules.countsSecurity = true
        rules.swapTime = .seconds(3)
        #expect(description.bootloader == rules)
        var server = SMPServerRules()
        server.implementation = .mynewt
        server.hasDefiniteLengths = true
        server.addsCode = true
        server.leavesOutFalseFlags = true
        server.reassembles = true
        server.bufferSize = 2475
        server.buffers = 6
        server.reportsBuffers = false
        server.modeAnswer = .unknown
        server.reportsSlots = false
        server.checksUpload = true
        server.erasesProgressively = true
        server.needsAlignedChunks = true
        server.confirmsOtherImages = true
        server.erasesStorage = false
        server.sendsShortPieces = true
        server.answerTime = .zero
        #expect(description.server == server)
        var application = MCUbootApplication()
        application.confirmsItself = true
        application.revision = .text("v9")
        #expect(description.application == application)
        application.hasServer = false
        application.crashes = true
        application.hangs = true
        application.revision = .none
        #expect(description.applications == ["1.3.0": application])
        #expect(
            beacon.faults == [
                .mcuboot(.loseRequest(1)), .mcuboot(.refuseConfirm),
                .mcuboot(.delayAnswer(2, by: .seconds(5))),
                .mcuboot(.powerLossInSwap(3)),
            ])
    }

    @Test(arguments: [
        ("version: 1.2.x", "'1.2.x' is not a version: it must be like 1.2.3 or 1.2.3+4"),
        ("version: 256.0.0", "is not a version"), ("slot_kb: 18", "slot_kb must be a multiple of 4"),
        ("slot_kb: 8", "'8' is not a number from 16 to 1024"),
        ("buffers: 1", "'1' is not a number from 2 to 64"),
        ("key_hash: abc", "a hash of a key must have 64, 96 or 128 hexadecimal digits"),
        ("bootloader: swap", "'swap' is not one of direct-xip"),
        ("server: mcumgr", "'mcumgr' is not one of mynewt, zephyr"),
        ("personality: sdk-17.1", "a beacon of kind mcuboot has no personality"),
        ("applications: [{smp: false}]", "'version' is missing"),
        ("faults: [{cut_in_block: 1}]", "a beacon of kind mcuboot has no fault 'cut_in_block'"),
    ])
    func `is refused with an unknown key or value`(keys: String, problem: String) throws {
        let text = "beacons: [{kind: mcuboot, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        #expect(try `A scenario file`.problem(text)?.contains(problem) == true)
    }

    @Test func `has every key and fault that is documented`() throws {
        let page = String(decoding: try Samples.file(at: Samples.root + "/docs/scenarios.md"), as: UTF8.self)
        let section = try #require(
            page.split(separator: "## A beacon of kind `mcuboot`").last?.split(separator: "\n## ").first)
        let listed = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.split(separator: "|")[0].split(separator: "`").filter { !$0.contains(",") && $0 != " " }
                .map { String($0.prefix { $0 != ":" }) }
        }
        let common = [
            "kind", "address", "name", "flash", "rssi", "advertising_ms", "advertises", "faults", "away_s",
        ]
        let known =
            ScenarioKind.mcuboot.keys.filter { !common.contains($0) } + ScenarioKind.mcuboot.faults.keys
        #expect(Set(listed) == Set(known), "\(Set(listed).symmetricDifference(known).sorted())")
    }

    @Test func `is remembered between runs`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "state: kept\nbeacons: [{kind: mcuboot, address: 'F0:0D:BE:AC:08:00', slot_kb: 32, "
                + "second_version: 1.1.0}]"
        )
        for version in ["1.0.0", "1.1.0", "1.0.0"] {
            try await VirtualTime.run { time in
                try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
                    let beacon = try #require(adapter.mcubootBeacons.first)
                    try await time.clock.sleep(for: .seconds(20))
                    #expect(await beacon.runningVersion == version)
                    try await adapter.withConnection(to: beacon.description.address, within: .seconds(60)) {
                        client in
                        try await client.exchangeMTU()
                        let smp = Characteristic(AttributeTable.smpService, AttributeTable.smpCharacteristic)
                        _ = try await client.notifications(from: smp)
                        guard let other = await beacon.slots.first(where: { !$0.isActive }) else { return }
                        // The second run is killed in the test of the new image.
                        let map: SMPMap = ["hash": .bytes(other.hash)]
                        let body = map.encoded(.definite)
                        let frame = [0x0A, 0] + UInt16(body.count).bytes(.big) + [0, 1, 0, 0] + body
                        try await client.send(frame, to: smp)
                        try await time.clock.sleep(for: .seconds(1))
                    }
                }
            }
        }
    }
}
