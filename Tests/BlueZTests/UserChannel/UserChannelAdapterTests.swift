import Bluetooth
import Simulation
import TestSupport
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(1))) struct `An exclusive adapter` {
    @Test func `hears for all listeners, and a second longer`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            do {
                let streams = [try await adapter.advertisements(), try await adapter.advertisements()]
                try await time.clock.sleep(for: .milliseconds(10))
                try await air.advertise(HostBench.peer(1))
                for stream in streams {
                    for await report in stream {
                        #expect(report.address == HostBench.peer(1))
                        break
                    }
                }
                #expect(adapter.scanHistory().sightings.map(\.address) == [HostBench.peer(1)])
                #expect(adapter.scanHistory().listeningSince != nil)
            }
            try await time.clock.sleep(for: .milliseconds(900))
            #expect(air.controller.change { $0.isScanning })
            try await time.clock.sleep(for: .milliseconds(200))
            #expect(!air.controller.change { $0.isScanning })
            #expect(adapter.scanHistory().listeningSince == nil)
        }
    }

    @Test(arguments: [(false, .missing), (true, .selected)] as [(Bool, CodedReception)])
    func `listens on LE Coded if its controller has that`(_ isExtended: Bool, _ coded: CodedReception)
        async throws
    {
        var controller = ImitatedController()
        controller.isExtended = isExtended
        try await withExclusiveAdapter(controller) { adapter, _, _ in #expect(adapter.coded == coded) }
    }

    @Test func `connects to eight at the same time`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            try await withThrowingTaskGroup(of: UserChannelLink.self) { group in
                for number in 1...8 {
                    group.addTask {
                        try await adapter.open(
                            .attributes, to: HostBench.peer(UInt8(number)), asking: LinkRequest(),
                            within: .seconds(10))
                    }
                }
                try await time.clock.sleep(for: .milliseconds(10))
                for number in (1...8).reversed() {
                    try await air.advertise(HostBench.peer(UInt8(number)))
                    try await time.clock.sleep(for: .milliseconds(10))
                }
                var links: [UserChannelLink] = []
                for try await link in group { links.append(link) }
                #expect(Set(links.map(\.peer)).count == 8)
                #expect(air.controller.change { $0.links.count } == 8)
            }
            // Released links end.
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.count } == 0)
        }
    }

    @Test func `carries attributes both ways, and says when the link ends`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            try await link.send([0x0A, 3, 0])
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.data.last?.bytes } == [3, 0, 4, 0, 0x0A, 3, 0])
            try await air.say(ImitatedController.packet([0x0B, 1, 2], of: 0x41))
            #expect(try await link.receive() == [0x0B, 1, 2])
            #expect(
                await adapter.parameters(of: link) == LinkParameters(interval: .milliseconds(15), phy: .le2M))
            try await air.say(ImitatedController.packet([0x1B, 3, 0, 1], of: 0x41))
            try await air.say(air.controller.change { $0.lose(0x41) })
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(try await link.receive() == [0x1B, 3, 0, 1])
            #expect(try await link.receive() == nil)
            await #expect(throws: BearerError.closed) { try await link.send([1]) }
            #expect(await adapter.parameters(of: link) == LinkParameters())
        }
    }

    @Test func `lets a sender wait while the controller is full`() async throws {
        var controller = ImitatedController()
        controller.buffers = 1
        try await withExclusiveAdapter(controller) { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            let sent = Shared(0)
            async let packets: Void = {
                for _ in 0..<10 {
                    try? await link.send([1, 2, 3])
                    sent.change { $0 += 1 }
                }
            }()
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(sent.change { $0 } == 5)
            for _ in 0..<10 {
                try await air.say(air.controller.change { $0.acknowledge(0x41) })
                try await time.clock.sleep(for: .milliseconds(10))
            }
            await packets
            #expect(air.controller.change { $0.data.count } == 10)
            #expect(air.controller.change { $0.complaints } == [])
        }
    }

    @Test func `ends what waits on a link when it is closed`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            async let end = Self.end(of: link)
            try await time.clock.sleep(for: .milliseconds(10))
            link.close()
            link.close()
            #expect(await end == .closed)
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.isEmpty })
        }
    }

    private static func end(of link: UserChannelLink) async -> BearerError? {
        do throws(BearerError) {
            _ = try await link.receive()
            return nil
        } catch { return error }
    }

    @Test func `says why it does not connect`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let begun = time.now
            await #expect(throws: AdapterError.noAnswer(HostBench.peer(2))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(3))
            }
            #expect(time.now - begun == .seconds(3))
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(!air.controller.change { $0.isWaiting })
            let link = try await Self.link(adapter, air, time)
            await #expect(throws: AdapterError.held(HostBench.peer(1))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3))
            }
            let channel = await failure {
                _ = try await adapter.open(
                    .creditBased(psm: 0x80), to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3)
                )
            }
            #expect(channel?.description.contains("through the kernel") == true)
            let pairing = await failure { try await adapter.encrypt(link, within: .seconds(1)) }
            #expect(pairing?.description.contains("through the kernel") == true)
        }
    }

    @Test func `has no answer of a peer to which a link of its own is being made or ended`() async throws {
        var controller = ImitatedController()
        controller.peersAnswer = false
        try await withExclusiveAdapter(controller) { adapter, air, time in
            async let made = failure {
                _ = try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(3))
            }
            try await time.clock.sleep(for: .milliseconds(10))
            try await air.advertise(HostBench.peer(1))
            #expect(await made == .noAnswer(HostBench.peer(1)))
            try await time.clock.sleep(for: .seconds(1))
            air.controller.change { $0.peersAnswer = true }
            let link = try await Self.link(adapter, air, time)
            air.controller.change { $0.mute = [0x0406] }
            link.close()
            await #expect(throws: AdapterError.noAnswer(HostBench.peer(1))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(1))
            }
        }
    }

    @Test(arguments: [(false, 21_480), (true, 10_000)])
    func `gives a peer that advertises rarely two intervals, but no more than a user has chosen`(
        _ isLimitChosen: Bool, _ milliseconds: Int
    ) async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let reports = try await adapter.advertisements()
            for moment in [2000, 12_240] {
                try await time.clock.sleep(until: .milliseconds(moment))
                try await air.advertise(HostBench.peer(1))
            }
            try await time.clock.sleep(for: .milliseconds(10))
            let linkRequest = {
                var linkRequest = LinkRequest()
                linkRequest.isLimitChosen = isLimitChosen
                return linkRequest
            }()
            let begin = time.now
            await #expect(throws: AdapterError.noAnswer(HostBench.peer(1))) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(1), asking: linkRequest, within: .seconds(10))
            }
            #expect(time.now - begin == .milliseconds(milliseconds))
            withExtendedLifetime(reports) {}
        }
    }

    @Test func `forgets how often a peer advertised when it connects`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let reports = try await adapter.advertisements()
            for moment in [2000, 12_240] {
                try await time.clock.sleep(until: .milliseconds(moment))
                try await air.advertise(HostBench.peer(1))
            }
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(adapter.advertisingInterval(of: HostBench.peer(1)) == .milliseconds(10_240))
            let link = try await Self.link(adapter, air, time)
            #expect(adapter.advertisingInterval(of: HostBench.peer(1)) == nil)
            withExtendedLifetime((reports, link)) {}
        }
    }

    @Test func `leaves no link behind an opening that was cancelled`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            for delay in [0, 1, 5, 20] {
                async let opened = time.clock.within(.milliseconds(delay)) {
                    try await adapter.open(
                        .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(5))
                }
                try await time.clock.sleep(for: .milliseconds(delay))
                try await air.advertise(HostBench.peer(1))
                _ = try? await opened?.close()
                try await time.clock.sleep(for: .seconds(2))
                #expect(air.controller.change { $0.links.isEmpty && !$0.isWaiting })
            }
        }
    }

    @Test func `that is unplugged ends links, openings and listeners`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            let stream = try await adapter.advertisements()
            async let opening = failure {
                _ = try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(60))
            }
            try await time.clock.sleep(for: .milliseconds(10))
            air.unplug()
            let removed = AdapterError.unavailable("hci0 was removed")
            #expect(await opening == removed)
            #expect(try await link.receive() == nil)
            for await _ in stream {}
            await #expect(throws: removed) { try await adapter.advertisements() }
            await #expect(throws: removed) {
                try await adapter.open(
                    .attributes, to: HostBench.peer(2), asking: LinkRequest(), within: .seconds(60))
            }
        }
    }

    @Test func `ends the link of a peer whose packets nobody reads`() async throws {
        try await withExclusiveAdapter { adapter, air, time in
            let link = try await Self.link(adapter, air, time)
            for _ in 0..<1100 { try await air.say(ImitatedController.packet([0x1B, 3, 0], of: 0x41)) }
            try await time.clock.sleep(for: .milliseconds(10))
            #expect(air.controller.change { $0.links.isEmpty })
            withExtendedLifetime(link) {}
        }
    }

    /// A link to the first peer.
    private static func link(
        _ adapter: UserChannelAdapter, _ air: ExclusiveAir, _ time: VirtualTime
    ) async throws -> UserChannelLink {
        async let link = adapter.open(
            .attributes, to: HostBench.peer(1), asking: LinkRequest(), within: .seconds(10))
        try await time.clock.sleep(for: .milliseconds(10))
        try await air.advertise(HostBench.peer(1))
        return try await link
    }
}
