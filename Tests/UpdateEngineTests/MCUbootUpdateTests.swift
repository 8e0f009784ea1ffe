import MCUboot
import Simulation
import Testing
import UpdateBench
import UpdateModel

extension MCUbootBenchResult {
    /// Success only if the images run, and are confirmed; otherwise the failure tells what runs. Nothing is
    /// ruined, and no rule is broken.
    func check(
        _ images: [MCUbootTestImage], confirmed: Bool = true, hangs: Bool = false,
        _ circumstance: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        switch outcome {
        case .success:
            for image in images {
                #expect(
                    runs(image, confirmed: confirmed), "\(circumstance): \(self.slots)",
                    sourceLocation: sourceLocation)
            }
        case .failure(let failure):
            #expect(
                contradiction(to: failure.state?.application, sending: images) == nil,
                "\(circumstance): \(failure), \(self.slots)", sourceLocation: sourceLocation)
        }
        #expect((self.runningVersion == nil) == hangs, "\(circumstance)", sourceLocation: sourceLocation)
        #expect(self.record.brokenRules == [], "\(circumstance)", sourceLocation: sourceLocation)
        #expect(took < .seconds(900), "\(circumstance)", sourceLocation: sourceLocation)
    }
}

/// A beacon with small slots, and the images for each of its numbers.
private func bench(
    _ faults: [MCUbootFault] = [], _ change: @escaping @Sendable (inout MCUbootDescription) -> Void = { _ in }
) -> MCUbootBench {
    MCUbootBench(faults: faults.map(Fault.mcuboot)) {
        $0.slotSize = 16 * 1024
        change(&$0)
    }
}

/// An application and the program of a network core.
private let cores = [0, 1].map { MCUbootTestImage(3000, image: $0, seed: UInt8($0)) }
private let small = MCUbootTestImage(3000)
private let large = MCUbootTestImage(5000)

@Suite(.timeLimit(.minutes(20))) struct `An update of a simulated beacon with MCUboot` {
    @Test(arguments: MCUbootRules.Mode.allCases, [131, 247, 498]) func `ends with the new version, confirmed`(
        mode: MCUbootRules.Mode, mtu: Int
    ) async throws {
        // Images for RAM have a flag and an address.
        let flags: UInt32 = mode == .ramLoad ? 0x20 : 0
        let image = MCUbootTestImage(20_000, flags: flags, loadAddress: flags == 0 ? 0 : 0x2000_0000)
        let run = try await MCUbootBench {
            var factory = MCUbootFirmware()
            factory.flags = flags
            $0.images = [.init(first: factory.file)]
            $0.bootloader.mode = mode
            $0.maximumMTU = mtu
        }.flash([image])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.report?.revision == "1.1.0")
        #expect(run.report?.revisionBefore == "1.0.0")
        #expect(run.reasons == [])
        run.check([image])
    }

    @Test(arguments: [23, 64, 247, 498]) func `joins packets for a server with reassembly`(mtu: Int)
        async throws
    {
        let image = MCUbootTestImage(20_000)
        let run = try await MCUbootBench {
            $0.maximumMTU = mtu
            ($0.server.reassembles, $0.server.bufferSize) = (true, 2475)
        }.flash([image])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.reasons == [])
        run.check([image])
    }

    @Test func `reports build numbers as imgtool writes them`() async throws {
        let version = ImageVersion(major: 1, minor: 1, revision: 0, build: 4)
        let image = MCUbootTestImage(3000, version: version)
        let run = try await bench { $0.images = [.init(first: MCUbootFirmware(version: "1.0.2+7").file)] }
            .flash([image])
        #expect(run.report?.revision == "1.1.0+4")
        #expect(run.report?.revisionBefore == "1.0.2+7")
        run.check([image])
    }

    @Test(arguments: [0, 1]) func `sends the variant for the slot that does not run`(active: Int) async throws
    {
        let kind = bench { description in
            description.bootloader.mode = .directXIP
            let files = [0, 1].map { slot in
                var file = MCUbootFirmware(version: slot == active ? "1.0.0" : "0.9.0")
                file.flags = 0x100
                file.loadAddress = UInt32(description.slotAddress(image: 0, slot: slot))
                return file.file
            }
            description.images = [.init(first: files[0], second: files[1])]
        }
        let description = try kind.description()
        let images = [0, 1].map { slot in
            MCUbootTestImage(
                3000, seed: UInt8(slot), flags: 0x100,
                loadAddress: UInt32(description.slotAddress(image: 0, slot: slot)), slot: slot)
        }
        let free = images[1 - active]
        let run = try await kind.flash(images)
        #expect(run.report?.verified == .version, "\(run.outcome)")
        run.check([free])
        let wrong = try await kind.flash([images[active]])
        #expect(wrong.failure?.code.rawValue == "wrong-slot", "\(wrong.outcome)")
        wrong.check([free])
    }

    @Test(
        arguments: [(.now, true, nil), (.test, false, "image-in-test"), (.afterCheck, true, nil)]
            as [(MCUboot.Confirmation, Bool, String?)])
    func `confirms before the restart, after it, or never`(
        confirmation: MCUboot.Confirmation, confirmed: Bool, warning: String?
    ) async throws {
        var bench = bench()
        bench.preferences.confirmation = confirmation
        let run = try await bench.flash([small])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.warnings == (warning.map { [$0] } ?? []))
        run.check([small], confirmed: confirmed)
    }

    @Test(
        arguments: [
            { $0.server.implementation = .mynewt }, { $0.needsEncryption = true },
            { $0.advertisesService = false },
            {
                ($0.server.reportsBuffers, $0.server.modeAnswer, $0.server.reportsSlots) = (
                    false, .none, false
                )
            },
            { ($0.server.hasDefiniteLengths, $0.server.leavesOutFalseFlags) = (true, true) },
            { ($0.server.checksUpload, $0.server.erasesProgressively) = (true, true) },
            { ($0.server.needsAlignedChunks, $0.server.sendsShortPieces) = (true, true) },
            { $0.application.confirmsItself = true }, { $0.server.buffers = 2 },
        ] as [@Sendable (inout MCUbootDescription) -> Void]) func `is the same with any server`(
            change: @escaping @Sendable (inout MCUbootDescription) -> Void
        ) async throws
    {
        let run = try await bench([], change).flash([small])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        run.check([small])
    }

    @Test(arguments: MCUbootRules.Mode.allCases.filter { $0 != .ramLoad }, [false, true])
    func `installs application and network core`(mode: MCUbootRules.Mode, confirmsOthers: Bool) async throws {
        let images = cores
        let run = try await bench {
            $0.images = [.init(), .init(first: MCUbootFirmware(payload: [1, 2, 3]).file)]
            $0.bootloader.mode = mode
            $0.server.confirmsOtherImages = confirmsOthers
        }.flash(images)
        #expect(run.report?.verified == .version, "\(run.outcome)")
        for image in images {
            #expect(run.slots.contains { $0.image == image.image && $0.isActive && $0.hash == image.hash })
        }
        #expect(run.record.brokenRules == [])
        // The test of a network core cannot be ended by a request.
        let isInTest = run.slots.contains { $0.isActive && !$0.isConfirmed }
        #expect(run.warnings == (isInTest ? ["image-in-test"] : []))
    }

    @Test(arguments: [true, false], [MCUbootRules.Mode.swapMove, .directXIP])
    func `sends no network core to a beacon with one image`(reportsSlots: Bool, mode: MCUbootRules.Mode)
        async throws
    {
        let images = cores
        let kind = bench {
            $0.server.reportsSlots = reportsSlots
            $0.bootloader.mode = mode
        }
        let run = try await kind.flash(images)
        #expect(run.failure?.code.rawValue == "image-without-slots", "\(run.outcome)")
        // Without a report of the slots, the list shows it: firmware with several images names them.
        #expect(run.record.uploads == 0)
        #expect(run.record.tests == 0 && run.record.resets == 0)
        #expect(run.runningVersion == "1.0.0")
        run.check(images)
    }

    @Test func `restarts a beacon that tests another image`() async throws {
        let run = try await bench { $0.images = [.init(second: waiting(for: nil, in: $0.slotSize))] }.flash([
            small
        ])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.warnings.contains("restarted-for-slot"))
        run.check([small])
    }

    @Test func `is refused before anything is sent if it cannot be installed`() async throws {
        for (code, change) in Self.refusals {
            let run = try await bench([], change).flash([large])
            #expect(run.failure?.code.rawValue == code, "\(run.outcome)")
            #expect(run.record.uploads == 0 && run.record.resets == (code == "pending-image" ? 2 : 0))
            run.check([large], code)
        }
    }

    private static let refusals: [(String, @Sendable (inout MCUbootDescription) -> Void)] = [
        ("insufficient-space", { $0.slotSize = 8192 }),
        ("pending-image", { $0.images = [.init(second: waiting(for: 1, in: $0.slotSize)), core("0.9.0")] }),
        (
            "version-never-starts",
            {
                $0.bootloader.mode = .directXIP
                $0.images = [.init(first: MCUbootFirmware(version: "1.1.0").file)]
            }
        ),
        (
            "downgrade-prevented",
            {
                $0.bootloader.preventsDowngrade = true
                $0.images = [.init(first: MCUbootFirmware(version: "1.2.0").file)]
            }
        ),
        (
            "update-service-missing",
            {
                var application = MCUbootApplication()
                application.hasServer = false
                $0.application = application
            }
        ),
    ]

    @Test(arguments: MCUbootRules.Mode.allCases) func `fails if the bootloader wants another key`(
        mode: MCUbootRules.Mode
    ) async throws {
        let key = [UInt8](repeating: 9, count: 32)
        let run = try await bench {
            var factory = MCUbootFirmware(keyHash: key)
            factory.flags = mode == .ramLoad ? 0x20 : 0
            $0.bootloader.mode = mode
            $0.bootloader.keyHash = key
            $0.images = [.init(first: factory.file)]
        }.flash([MCUbootTestImage(3000, flags: mode == .ramLoad ? 0x20 : 0)])
        #expect(run.failure?.code.rawValue == "refused-at-boot", "\(run.outcome)")
        #expect(run.failure?.state?.application == .intact)
        run.check([small])
    }

    @Test(arguments: [MCUbootRules.Mode.swapScratch, .swapMove, .swapOffset, .directXIPRevert])
    func `fails if the new image crashes, and tries that twice`(mode: MCUbootRules.Mode) async throws {
        let run = try await bench {
            var application = MCUbootApplication()
            application.crashes = true
            $0.applications["1.1.0"] = application
            $0.bootloader.mode = mode
        }.flash([small])
        // Direct-XIP erases an image that was not confirmed.
        let isErased = mode == .directXIPRevert
        #expect(
            run.failure?.code.rawValue == (isErased ? "refused-at-boot" : "image-reverted"), "\(run.outcome)")
        #expect(run.record.resets == (isErased ? 1 : 2))
        #expect(run.record.tests == (isErased ? 1 : 2))
        #expect(run.failure?.state?.application == .intact)
        run.check([small])
    }

    @Test func `fails if the new image hangs or has no SMP`() async throws {
        for (hangs, code) in [(true, "link-lost"), (false, "update-service-missing")] {
            let run = try await bench {
                var application = MCUbootApplication()
                (application.hangs, application.hasServer) = (hangs, hangs)
                $0.applications["1.1.0"] = application
            }.flash([small])
            #expect(run.failure?.code.rawValue == code, "\(run.outcome)")
            #expect(run.failure?.state?.application == .unknown)
            run.check([small], hangs: hangs)
        }
    }
}

/// A network core of this version.
private func core(_ version: String) -> MCUbootDescription.Pair {
    .init(first: MCUbootFirmware(version: version, payload: [1, 2, 3]).file)
}

/// A slot with version 1.0.9 and the trailer that asks for a test of it (mcuboot.md, Padding and trailer). The
/// bootloader does not start it as long as it needs an image with the number `needed`.
private func waiting(for needed: UInt8?, in size: Int) -> [UInt8] {
    var firmware = MCUbootFirmware(version: "1.0.9")
    firmware.dependency = needed.map { ($0, "1.0.0") }
    let magic: [UInt8] = [
        0x77, 0xC2, 0x95, 0xF3, 0x60, 0xD2, 0xEF, 0x7F, 0x35, 0x52, 0x50, 0x0F, 0x2C, 0xB6, 0x79, 0x80,
    ]
    let file = firmware.file
    return file + [UInt8](repeating: 0xFF, count: max(size - file.count - magic.count, 0)) + magic
}

extension MCUbootBenchResult {
    var warnings: [String] {
        events.compactMap { if case .warning(let code, _) = $0 { code.rawValue } else { nil } }
    }
}
