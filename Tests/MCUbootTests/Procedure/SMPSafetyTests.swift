import Testing
import UpdateModel

@testable import MCUboot

/// A server with an application, and a network core whose slots are empty.
private func coreServer(mode: Int = 1) -> SMPServer {
    var server = SMPServer()
    server.mode = mode
    server.slots[1] = [nil, nil]
    return server
}

private let new = testUpload(version: 2)
private let core = testUpload(version: 2, count: 1500, image: 1)

private func preferences(_ confirmation: MCUboot.Confirmation) -> SMPPreferences {
    var preferences = SMPPreferences()
    preferences.confirmation = confirmation
    return preferences
}

@Suite struct `The proof of an update over SMP` {
    @Test func `is missing if the only image is not listed after the restart`() {
        var server = coreServer()
        server.hidesCores = true
        var bench = SMPBench([core], server)
        #expect(bench.failure == .device.activationUnconfirmed)
        #expect(bench.server.marks == [1] && bench.update.effectOnApplication == .unknown)
    }

    @Test func `names a core that is not listed beside the application`() throws {
        var server = coreServer()
        server.hidesCores = true
        var bench = SMPBench([new, core], server)
        let proof = try #require(try bench.run().proof)
        #expect(proof.version == "2.0.0" && proof.versionBefore == "1.0.0" && proof.imageHash == new.hash)
        #expect(bench.notices.count { $0 == .detail(.versionBefore("1.0.0")) } == 1)
        let words = bench.notices.compactMap { notice -> String? in
            if case .warning(.smp.imageUnreported, let words) = notice { words } else { nil }
        }
        #expect(
            words.count == 1 && words.first?.contains("nothing shows whether the network core 2.0.0") == true)
    }

    @Test func `is compared with the version that the user expects before anything else is said`() {
        var preferences = SMPPreferences()
        preferences.versionText = "3.0.0"
        preferences.risks = [.sameVersion]
        var bench = SMPBench([new], preferences, SMPServer(running: 2))
        #expect(bench.failure == .device.versionMismatch)
        #expect(bench.server.resets == 0)
    }

    @Test(arguments: [1, 3, 9, 5]) func `needs a confirmation where an image is undone without one`(
        mode: Int
    ) {
        var server = SMPServer()
        (server.mode, server.refusesConfirmations) = (mode, true)
        var bench = SMPBench([testUpload(version: 2, hasAddress: true)], server)
        #expect(bench.failure == .smp.confirmRefused)
        #expect(bench.update.effectOnApplication == .new)
    }

    @Test func `names a core that stays in test`() throws {
        var server = coreServer()
        server.testsCores = true
        var bench = SMPBench([new, core], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.warnings == [.smp.imageInTest])
        bench = SMPBench([new, core], preferences(.test), server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.warnings == [.smp.imageInTest, .smp.imageInTest])
    }

    @Test func `says if an image that is only to be tested was marked for good before`() throws {
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: new.bytes, isPending: true, isPermanent: true)
        var bench = SMPBench([new], preferences(.test), server)
        #expect(try bench.run().proof != nil)
        #expect(bench.warnings == [.smp.noWayBack])
    }

    @Test func `tells a core that the bootloader has refused from one that ran`() throws {
        var server = coreServer()
        server.slots[1] = [SMPServer.Slot(bytes: testImage(version: 1), isConfirmed: true), nil]
        var bench = SMPBench([new, core], server)
        // The core's image is thrown away, and the application runs.
        bench.afterRestart = { $0.slots[1] = server.slots[1] }
        #expect(bench.failure == .smp.refusedAtBoot)
        #expect(bench.update.effectOnApplication == .new)
    }
}

@Suite struct `An update over SMP with several images` {
    @Test(arguments: [nil, 1, 2, 4] as [Int?]) func `is not sent to a beacon with one image`(mode: Int?) {
        var server = SMPServer()
        server.mode = mode
        let slots = Item.map([("images", .list([.map([("image", .number(0)), ("slots", .list([]))])]))])
        for answer in [nil, slots] {
            server.answers["1/6"] = answer.map { [$0] }
            let core = testUpload(version: 2, count: 1500, image: 1, hasAddress: true)
            for files in [[core], [testUpload(version: 2, hasAddress: true), core]] {
                var bench = SMPBench(files, server)
                #expect(bench.failure == .smp.imageWithoutSlots)
                #expect(bench.payload == 0 && bench.server.resets == 0)
                #expect(bench.update.effectOnApplication == nil)
            }
        }
    }

    @Test func `is sent if the slots show a core that the list does not`() throws {
        var server = coreServer()
        let images = (0...1).map { Item.map([("image", .number($0)), ("slots", .list([]))]) }
        for answer in [nil, Item.map([("images", .list(images))])] {
            server.answers["1/6"] = answer.map { [$0] }
            var bench = SMPBench([new, core], server)
            #expect(try bench.run().proof?.version == "2.0.0")
        }
        server.answers["1/6"] = [.map([("images", .list([images[0]]))])]
        var bench = SMPBench([new, core], server)
        #expect(bench.failure == .smp.imageWithoutSlots)
    }

    @Test func `keeps its application before the restart that starts the rest`() throws {
        var server = coreServer()
        server.slots[0] = [
            SMPServer.Slot(bytes: new.bytes),
            SMPServer.Slot(bytes: testImage(version: 1), isConfirmed: true),
        ]
        var bench = SMPBench([new, core], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.runs(new) && bench.runs(core) && bench.server.confirmations == 1)
        #expect(bench.payload == 1500)
        bench = SMPBench([new, core], preferences(.test), server)
        #expect(bench.failure == .smp.unconfirmedImage)
        #expect(bench.payload == 0 && bench.server.resets == 0 && bench.runs(new))
        server.ignoresConfirmations = true
        bench = SMPBench([new, core], server)
        #expect(bench.failure == .smp.confirmRefused)
        #expect(bench.server.resets == 0 && bench.runs(new))
    }

    @Test(arguments: [8, 32, 28]) func `that cannot be marked completely names what is marked`(code: Int)
        throws
    {
        var server = coreServer()
        server.unmarkable[0] = code
        var bench = SMPBench([new, core], server)
        let failure = #expect(throws: UpdateFailure.self) { try bench.run() }
        #expect(bench.server.marks == [1] && bench.server.resets == 0)
        #expect(bench.update.effectOnApplication == .unknown)
        #expect(failure?.message.contains("installs the network core 2.0.0") == true)
        #expect(failure.flatMap { $0.remedy } != nil)
        server = SMPServer()
        server.unmarkable[0] = code
        bench = SMPBench([new], server)
        #expect(bench.failure != nil && bench.update.effectOnApplication == .intact)
    }

    @Test func `does not mark again what another core has installed`() throws {
        var server = coreServer()
        server.hidesCores = true
        var whole = SMPBench([core, new], server)
        _ = try whole.run()
        for place in 0..<whole.requests {
            var bench = SMPBench([core, new], server)
            bench.fault = { $0 == place ? .powerLost : .none }
            #expect(bench.failure == nil, "request \(place) of \(whole.requests)")
            #expect(bench.runs(new))
        }
    }

    @Test func `is left if each mark takes another one away`() {
        var server = coreServer()
        server.keepsOneMark = true
        var bench = SMPBench([core, new], server)
        #expect(bench.failure == .smp.downgradePrevented)
        #expect(bench.server.marks.count < 20)
    }

    @Test func `confirms no image of somebody else`() throws {
        var server = coreServer()
        server.testsCores = true
        server.slots[0] = [
            SMPServer.Slot(bytes: testImage(version: 7)),
            SMPServer.Slot(bytes: testImage(version: 1), isConfirmed: true),
        ]
        server.answers["0/5"] = [.map([])]
        server.slots[1] = [SMPServer.Slot(bytes: core.bytes), nil]
        var bench = SMPBench([core], server)
        _ = try bench.run()
        #expect(bench.server.confirmations == 0 && bench.warnings == [.smp.imageInTest])
    }
}

@Suite struct `A bootloader for an update over SMP` {
    @Test(arguments: [0, 1, nil] as [Int?]) func `that moves images gets a variant for its second slot`(
        slot: Int?
    ) throws {
        var server = SMPServer()
        // With direct uploads every slot has a number.
        let numbers = (0...1).map { Item.map([("slot", .number($0)), ("upload_image_id", .number($0 + 1))]) }
        server.answers["1/6"] = [
            .map([("images", .list([.map([("image", .number(0)), ("slots", .list(numbers))])]))])
        ]
        var bench = SMPBench([testUpload(version: 2, slot: slot)], server)
        #expect(bench.failure == (slot == 1 ? .smp.wrongSlot : nil))
        #expect(bench.server.namedImages == (slot == 1 ? [] : [2]))
    }

    @Test func `without marks need not tell its mode or what is confirmed`() throws {
        var server = SMPServer()
        (server.mode, server.hidesConfirmed) = (4, true)
        server.answers["0/8"] = [Item?](repeating: .map([("rc", .number(8))]), count: 9)
        var bench = SMPBench([testUpload(version: 2, slot: 1)], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        // The same where an image is in test.
        (server.mode, server.hidesConfirmed, server.refusesConfirmations) = (1, false, true)
        server.answers["0/8"] = [Item?](repeating: .map([("rc", .number(8))]), count: 9)
        bench = SMPBench([new], server)
        #expect(bench.failure == .smp.confirmRefused)
    }

    @Test func `is asked for its mode over another link if two answers are lost`() throws {
        var server = SMPServer()
        server.mode = 4
        // Linked for the first slot, and without its address: it would crash in the second one.
        for lost in 0...3 {
            server.answers["0/8"] = [Item?](repeating: nil, count: lost)
            var bench = SMPBench([new], server)
            #expect(bench.failure == .smp.wrongSlot)
            #expect(bench.payload == 0)
        }
    }

    @Test(arguments: [0, 7, 8]) func `that takes no image from the program is named`(mode: Int) {
        var server = SMPServer()
        server.mode = mode
        var bench = SMPBench([new], server)
        #expect(bench.failure == .smp.modeUnsupported)
        #expect(bench.payload == 0)
    }

    @Test(arguments: [4, 5]) func `that starts images where they are gets none for an unknown slot`(mode: Int)
        throws
    {
        var server = SMPServer()
        server.mode = mode
        for (upload, expected) in [
            (new, FailureCode.smp.wrongSlot), (testUpload(version: 2, slot: 0), .smp.wrongSlot),
            (testUpload(version: 2, slot: 1), nil), (testUpload(version: 2, hasAddress: true), nil),
        ] as [(ImageUpload, FailureCode?)] {
            var bench = SMPBench([upload], server)
            #expect(bench.failure == expected)
            #expect(bench.payload == (expected == nil ? 2000 : 0))
        }
    }

    @Test func `of an unknown mode gets the variant for the free slot only`() throws {
        var server = SMPServer()
        server.mode = nil
        var bench = SMPBench([testUpload(version: 2, slot: 0)], server)
        #expect(bench.failure == .smp.wrongSlot)
        bench = SMPBench([testUpload(version: 2, slot: 1)], server)
        #expect(try bench.run().proof != nil)
        server.mode = 6
        bench = SMPBench([testUpload(version: 2, slot: 0)], server)
        #expect(try bench.run().proof != nil)
    }

    @Test(arguments: [1, 2, 3, 5, 9]) func `that knows marks and refuses one is not taken for another`(
        mode: Int
    ) {
        var server = SMPServer()
        (server.mode, server.refusesMarks) = (mode, true)
        var bench = SMPBench([testUpload(version: 2, hasAddress: true)], server)
        #expect(bench.failure == .session.notSupported)
        #expect(bench.server.resets == 0)
    }

    @Test(arguments: [4, 6]) func `without marks is noted before the last byte`(mode: Int) throws {
        var server = SMPServer()
        server.mode = mode
        var bench = SMPBench([testUpload(version: 2, hasAddress: true)], server)
        _ = try bench.run()
        #expect(bench.phasesBeforeEnd == [[.preparing, .transferring, .activating]])
        for place in 0..<bench.requests {
            var cut = SMPBench([testUpload(version: 2, count: 900, hasAddress: true)], server)
            cut.fault = { $0 >= place ? .linkLost : .none }
            _ = cut.failure
            let isSent = !cut.phasesBeforeEnd.isEmpty
            #expect(!isSent || cut.update.effectOnApplication == .unknown)
            #expect(!isSent || cut.meanings.first == .mayRestart(within: .seconds(120)))
        }
    }

    @Test func `is restarted for a free slot, and that is only told if it was`() throws {
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: testImage(version: 3, count: 900), isPending: true)
        server.answers["0/5"] = [.map([("rc", .number(11))])]
        var bench = SMPBench([new], server)
        #expect(bench.failure == .smp.accessDenied)
        #expect(bench.warnings.isEmpty && bench.update.effectOnApplication == nil)
    }
}

@Suite struct `A beacon with SMP that answers strangely` {
    @Test(arguments: [Int.min, -1, 0, 0x10000, .max]) func `has one buffer if it reports no count`(
        count: Int
    ) throws {
        var server = SMPServer()
        server.buffers = (2475, count)
        var bench = SMPBench([new], server)
        #expect(try bench.run().proof != nil)
        #expect(bench.mostUnderWay == 1)
    }

    @Test func `is left if it takes one byte after the other, however long that goes on`() {
        var server = SMPServer()
        server.answers["1/1"] = (1...1999).map { .map([("off", .number($0))]) }
        var bench = SMPBench([new], server)
        bench.answerTime = .milliseconds(2400)
        #expect(bench.failure == .smp.requestsLost)
        #expect(bench.clock < .seconds(100))
    }

    @Test func `is left if each link brings a few bytes only`() {
        var server = SMPServer()
        (server.buffers, server.joins) = (nil, false)
        var bench = SMPBench([testUpload(version: 2, count: 20_000)], server)
        // Parameters, mode, slots, list, the first request, and another one.
        (bench.writeLength, bench.fault) = (120, { $0 % 7 == 6 ? .linkLost : .none })
        #expect(bench.failure == .smp.requestsLost)
        #expect((16...20).contains(bench.links))
        // Links that bring more are used for as long as it takes.
        bench = SMPBench([testUpload(version: 2, count: 20_000)], server)
        (bench.writeLength, bench.fault) = (120, { $0 % 17 == 16 ? .linkLost : .none })
        #expect(bench.failure == nil)
        #expect(bench.links > 20)
    }

    @Test func `may be slow`() throws {
        var server = SMPServer()
        (server.buffers, server.joins) = (nil, false)
        var bench = SMPBench([testUpload(version: 2, count: 20_000)], server)
        (bench.writeLength, bench.answerTime) = (64, .milliseconds(1500))
        #expect(try bench.run().proof != nil)
    }
}
