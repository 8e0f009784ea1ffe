import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

@Suite struct `An update over SMP` {
    private static let new = testUpload(version: 2)

    @Test(arguments: [1, 2, 3, 4, 5, 6, 9]) func `installs an image in every mode of the bootloader`(
        mode: Int
    ) throws {
        var server = SMPServer()
        server.mode = mode
        let new = testUpload(version: 2, slot: mode == 4 || mode == 5 ? 1 : nil)
        var bench = SMPBench([new], server)
        let completion = try bench.run()
        #expect(completion.proof == UpdateProof("2.0.0", imageHash: new.hash, after: "1.0.0"))
        #expect(bench.links == 2 && bench.server.resets == 1)
        #expect(bench.payload == 2000 && bench.timeouts == 0 && bench.warnings.isEmpty)
        #expect(
            bench.phases == [.preparing, .transferring, .activating, .rebooting, .verifying])
        #expect(bench.runs(new))
        #expect(bench.update.effectOnApplication == .new)
        #expect(bench.meanings == [.mayRestart(within: .seconds(120))])
    }

    @Test func `speaks with servers of version 1, and with those that report nothing of themselves`() throws {
        var server = SMPServer()
        (server.isVersion1, server.mode, server.buffers, server.joins) = (true, nil, nil, false)
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.mostUnderWay == 1 && bench.server.longestFrame <= 244)
        #expect(bench.server.confirmations == 1)
    }

    /// Whole packets, and a part of one if it is worthwhile.
    @Test(
        arguments: [
            (20, 2460), (23, 2461), (61, 2440), (107, 2461), (120, 2475), (182, 2475), (244, 2440),
            (495, 2475),
        ]) func `fills the packets of any link`(length: Int, frame: Int) throws
    {
        var bench = SMPBench([testUpload(version: 2, count: 60_000)], SMPServer())
        bench.writeLength = length
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.timeouts == 0 && bench.mostUnderWay == 3 && bench.payload == 60_000)
        #expect((frame - 3...frame).contains(bench.server.longestFrame))
    }

    @Test(arguments: [(98, false), (97, true), (60, true)]) func `leaves the checksum out of small packets`(
        length: Int, isLeftOut: Bool
    ) throws {
        var server = SMPServer()
        (server.buffers, server.joins, server.checksImages) = (nil, false, true)
        var bench = SMPBench([Self.new], server)
        bench.writeLength = length
        #expect(try bench.run().proof != nil)
        #expect(bench.warnings == (isLeftOut ? [.smp.withoutResume] : []))
    }

    @Test(arguments: [20, 40, 59], [nil, (384, 4)] as [(size: Int, count: Int)?])
    func `names the least MTU at once if packets hold no request`(
        length: Int, buffers: (size: Int, count: Int)?
    ) throws {
        for hasEcho in [true, false] {
            var server = SMPServer()
            (server.buffers, server.joins) = (buffers, false)
            if !hasEcho { server.answers["0/0"] = [.map([("rc", .number(8))])] }
            var bench = SMPBench([Self.new], server)
            bench.writeLength = length
            let failure = #expect(throws: UpdateFailure.self) { try bench.run() }
            #expect(failure?.code == .smp.packetsTooSmall && bench.links == 1 && bench.timeouts == 0)
            #expect(failure?.message.contains("an MTU of 63 or more") ?? false)
        }
    }

    @Test func `names buffers that hold no request`() throws {
        var server = SMPServer()
        server.buffers = (64, 4)
        server.joins = false
        var bench = SMPBench([testUpload(version: 2, count: 90_000, image: 1)], server)
        server.slots[1] = [nil, nil]
        bench.server = server
        let failure = #expect(throws: UpdateFailure.self) { try bench.run() }
        #expect(failure?.code == .smp.packetsTooSmall)
        #expect(failure?.message.contains("frames of 64 bytes") ?? false)
    }

    /// A refused echo tells nothing about packets.
    @Test(arguments: [nil, (384, 4)] as [(size: Int, count: Int)?])
    func `joins packets without an echo if there is no other way`(buffers: (size: Int, count: Int)?) throws {
        var server = SMPServer()
        server.buffers = buffers
        server.answers["0/0"] = [.map([("rc", .number(8))])]
        var bench = SMPBench([Self.new], server)
        bench.writeLength = 20
        #expect(try bench.run().proof != nil)
        #expect(bench.mostUnderWay == 1 && bench.server.longestFrame > 60)
    }

    @Test func `joins packets for a server that reports no buffers, if its echo shows that`() throws {
        var server = SMPServer()
        server.buffers = nil
        var bench = SMPBench([Self.new], server)
        bench.writeLength = 20
        #expect(try bench.run().proof != nil)
        #expect(bench.mostUnderWay == 1 && bench.timeouts == 0 && bench.warnings.isEmpty)
        #expect((377...380).contains(bench.server.longestFrame))
    }

    @Test func `sends no packets of more than 495 bytes`() throws {
        var server = SMPServer()
        (server.buffers, server.joins) = ((2475, 4), false)
        var bench = SMPBench([testUpload(version: 2, count: 20_000)], server)
        bench.writeLength = 514
        #expect(try bench.run().proof != nil)
        #expect((492...495).contains(bench.server.longestFrame))
    }

    @Test func `does not join packets for a server that only reports a large buffer`() throws {
        var server = SMPServer()
        server.joins = false
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof != nil)
        #expect(bench.server.longestFrame <= 244)
    }

    @Test(
        arguments: [(nil, 4, 3), (nil, 1, 1), (nil, 2, 1), (2, 8, 2), (20, 4, 3), (nil, 1000, 32)]
            as [(Int?, Int, Int)])
    func `has as many requests under way as the server has buffers`(
        chosen: Int?, count: Int, expected: Int
    ) throws {
        var preferences = SMPPreferences()
        preferences.window = chosen
        var server = SMPServer()
        server.buffers = (244, count)
        var bench = SMPBench([testUpload(version: 2, count: 20_000)], preferences, server)
        #expect(try bench.run().proof != nil)
        #expect(bench.mostUnderWay == expected)
    }

    @Test func `confirms before the restart, after it, or never`() throws {
        for (confirmation, confirmed, warnings) in [
            (.now, 0, []), (.afterCheck, 1, []), (.test, 0, [FailureCode.smp.imageInTest]),
        ] as [(MCUboot.Confirmation, Int, [FailureCode])] {
            var preferences = SMPPreferences()
            preferences.confirmation = confirmation
            var bench = SMPBench([Self.new], preferences, SMPServer())
            #expect(try bench.run().proof?.version == "2.0.0")
            #expect(bench.server.confirmations == confirmed && bench.warnings == warnings)
            #expect(bench.server.slots[0]?[0]?.isConfirmed == (confirmation != .test))
        }
    }

    @Test func `erases settings only if that is asked for, and goes on without it`() throws {
        var preferences = SMPPreferences()
        preferences.erasesStorage = true
        var bench = SMPBench([Self.new], preferences, SMPServer())
        _ = try bench.run()
        #expect(bench.server.storageErasures == 1)
        for answer in [Item.map([("rc", .number(8))]), nil] {
            var server = SMPServer()
            server.answers["63/0"] = [answer]
            bench = SMPBench([Self.new], preferences, server)
            #expect(try bench.run().proof != nil)
            #expect(bench.warnings == [.smp.storageNotErased])
        }
    }

    @Test func `marks the network core before the application`() throws {
        var server = SMPServer()
        server.slots[1] = [nil, nil]
        let core = testUpload(version: 2, count: 1500, image: 1)
        for isHidden in [false, true] {
            server.hidesCores = isHidden
            var bench = SMPBench([Self.new, core], server)
            #expect(try bench.run().proof?.version == "2.0.0")
            #expect(bench.server.marks == [1, 0] && bench.server.resets == 1)
            #expect(bench.payload == 3500 && bench.update.total == 3500)
            #expect(bench.notices.contains(.accepted(upTo: 3500)))
            #expect(bench.warnings == (isHidden ? [.smp.imageUnreported] : []))
            #expect(bench.phases.filter { $0 == .transferring }.count == 1)
        }
    }

    @Test func `marks another core's image for a test if the server confirms only its own`() throws {
        var preferences = SMPPreferences()
        preferences.confirmation = .now
        var server = SMPServer()
        server.slots[1] = [nil, nil]
        server.deniesCores = true
        var bench = SMPBench([Self.new, testUpload(version: 2, count: 1500, image: 1)], preferences, server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.server.marks == [1, 0] && bench.server.confirmations == 0)
    }

    @Test func `is named if the bootloader starts none of two images`() {
        var server = SMPServer()
        server.slots[1] = [nil, nil]
        server.boot = .refuses
        var bench = SMPBench([Self.new, testUpload(version: 2, count: 1500, image: 1)], server)
        #expect(bench.failure == .smp.refusedAtBoot)
    }

    @Test func `learns from a refusal that the bootloader knows no marks`() throws {
        var server = SMPServer()
        (server.mode, server.hidesNext) = (4, true)
        server.answers["0/8"] = [Item?](repeating: .map([("rc", .number(8))]), count: 9)
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
    }

    @Test func `erases the slot by a request if the server cannot do it otherwise`() throws {
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: testImage(version: 7, count: 500))
        server.cannotErase = true
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        server.answers["1/5"] = [.map([("rc", .number(8))])]
        bench = SMPBench([Self.new], server)
        #expect(bench.failure == .smp.flashFailed)
    }

    @Test func `is not sent to a slot that is too small`() {
        var server = SMPServer()
        server.answers["1/6"] = [
            .map([("images", .list([.map([("image", .number(0)), ("max_image_size", .number(1999))])]))])
        ]
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == .device.insufficientSpace)
        #expect(bench.payload == 0)
    }

    @Test(arguments: [0, 1]) func `sends the file for the free slot`(active: Int) throws {
        var server = SMPServer()
        server.mode = 4
        if active == 1 {
            server.slots[0] = [nil, server.slots[0]?[0]]
            server.activeSlot = 1
        }
        let files = [
            testUpload(version: 2, count: 1000, slot: 0), testUpload(version: 2, count: 1200, slot: 1),
        ]
        var bench = SMPBench(files, server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.payload == (active == 1 ? 1000 : 1200) && bench.update.total == bench.payload)
        bench = SMPBench([files[active]], server)
        #expect(bench.failure == .smp.wrongSlot)
        #expect(bench.payload == 0 && bench.update.effectOnApplication == nil)
    }

    @Test(arguments: [1, 2]) func `sends nothing that a bootloader never starts`(version: UInt8) throws {
        var server = SMPServer(running: 2)
        server.mode = 4
        var bench = SMPBench([testUpload(version: version, count: 900, slot: 1)], server)
        #expect(bench.failure == .smp.versionNeverStarts)
        #expect(bench.payload == 0)
        server.mode = 1
        bench = SMPBench([testUpload(version: version, count: 900)], server)
        #expect(try bench.run().proof != nil)
    }
}

@Suite struct `A beacon before an update over SMP` {
    private static let new = testUpload(version: 2)

    @Test func `is left alone if it runs the image already`() throws {
        let server = SMPServer(running: 2)
        var bench = SMPBench([Self.new], server)
        #expect(bench.failure == .device.sameVersion)
        var preferences = SMPPreferences()
        preferences.risks = [.sameVersion]
        bench = SMPBench([Self.new], preferences, server)
        #expect(try bench.run().proof == UpdateProof("2.0.0", imageHash: Self.new.hash, after: nil))
        #expect(bench.payload == 0 && bench.warnings == [.device.sameVersion])
    }

    @Test func `that tries the image already is only confirmed`() throws {
        var server = SMPServer(running: 2)
        server.slots[0]?[0]?.isConfirmed = false
        server.slots[0]?[1] = SMPServer.Slot(bytes: testImage(version: 1), isConfirmed: true)
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.payload == 0 && bench.server.confirmations == 1 && bench.server.resets == 0)
    }

    @Test(arguments: [false, true]) func `that has the image already is only restarted`(isMarked: Bool) throws
    {
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: Self.new.bytes, isPending: isMarked)
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.payload == 0 && bench.server.marks == (isMarked ? [] : [0]))
    }

    @Test func `is restarted until another image leaves the slot`() throws {
        var server = SMPServer()
        server.slots[0]?[1] = SMPServer.Slot(bytes: testImage(version: 3, count: 900), isPending: true)
        var bench = SMPBench([Self.new], server)
        #expect(try bench.run().proof?.version == "2.0.0")
        #expect(bench.server.resets == 3)
        #expect(bench.warnings == [.smp.slotsRestarted, .smp.slotsRestarted])
    }

    @Test func `that keeps another image is named`() throws {
        let other = SMPServer.Slot(bytes: testImage(version: 3, count: 900), isPending: true)
        for (slots, expected) in [
            ([SMPServer().slots[0]?[0], other], FailureCode.smp.pendingImage),
            (
                [
                    SMPServer.Slot(bytes: testImage(version: 3)),
                    SMPServer.Slot(bytes: testImage(version: 1), isConfirmed: true),
                ], .smp.unconfirmedImage
            ),
        ] as [([SMPServer.Slot?], FailureCode)] {
            var server = SMPServer()
            server.slots[0] = slots
            server.answers["0/5"] = [.map([]), .map([]), .map([])]
            var bench = SMPBench([Self.new], server)
            #expect(bench.failure == expected)
            #expect(bench.payload == 0)
        }
    }
}
