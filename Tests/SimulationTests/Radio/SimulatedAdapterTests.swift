import Bluetooth
import Synchronization
import Testing

@testable import Simulation

/// Bootloaders that advertise every second, each at moments of its own.
private struct Tray: Sendable {
    let descriptions: [NordicDescription]

    init(_ count: Int, every interval: Duration? = .seconds(1)) throws {
        descriptions = try (0..<count).map { number in
            let address = try #require(DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, UInt8(number), 0]))
            var description = NordicDescription(address: address)
            description.bootloaderAdvertisingInterval = interval
            return description
        }
    }

    init(_ descriptions: [NordicDescription]) { self.descriptions = descriptions }

    func addresses() -> [DeviceAddress] { descriptions.map(\.bootloaderAddress) }

    /// When the beacon with this number advertises after `moment`.
    func advertises(_ number: Int, after moment: Duration = .zero) -> Duration {
        let device = NordicDevice(descriptions[number], at: .zero)
        return device.nextReport(after: moment)
    }

    /// The numbers of the beacons in the order of their first adverts.
    func order() -> [Int] { descriptions.indices.sorted { advertises($0) < advertises($1) } }

    func run<Value: Sendable>(
        _ controllers: SimulatedController...,
        body: @escaping @Sendable ([SimulatedAdapter], VirtualTime) async throws -> Value
    ) async throws -> Value {
        let descriptions = descriptions
        return try await VirtualTime.run { time in
            let clock = time.clock
            return try await SimulatedAdapter.withAdapters(
                controllers, among: descriptions.map { NordicBeacon($0, time: clock) }, link: nil,
                time: clock, readiness: time
            ) { try await body($0, time) }
        }
    }
}

extension SimulatedAdapter {
    fileprivate func open(
        _ peer: DeviceAddress, within limit: Duration = .seconds(60)
    ) async throws(AdapterError) -> PacketSocket {
        try await open(.attributes, to: peer, asking: LinkRequest(), within: limit)
    }

    fileprivate func refusal(
        of peer: DeviceAddress, within limit: Duration = .seconds(60)
    ) async -> AdapterError? {
        do throws(AdapterError) {
            try await open(peer, within: limit).close()
            return nil
        } catch { return error }
    }
}

private let kernel = SimulatedController(connecting: .kernel)

@Suite(.timeLimit(.minutes(10))) struct `A simulated adapter that connects as a kernel does` {
    @Test func `does not count the time of making a link as silence`() async throws {
        var slow = try Tray(1, every: .seconds(3))
        slow = Tray(slow.descriptions + (try Tray(2, every: .milliseconds(100))).descriptions.suffix(1))
        let (first, second) = (slow.addresses()[0], slow.addresses()[1])
        let begin = slow.advertises(0)
        try await slow.run(kernel) { adapters, time in
            let adapter = adapters[0]
            let opening = Task(executorPreference: time) { try await adapter.open(first) }
            // The beacon was heard, and its next advert is awaited: no other is heard.
            try await time.clock.sleep(until: begin + .milliseconds(50))
            let heard = try await adapter.firstHeard(of: [second], within: .seconds(2))
            #expect(heard?.address == second)
            #expect(time.now >= begin + .seconds(3) && time.now < begin + .seconds(4))
            #expect(adapter.connectingTime == .seconds(3))
            try await opening.value.close()
        }
    }

    @Test func `needs two advertisements of the peer, but only one with the accept list`() async throws {
        let tray = try Tray(12)
        for (connecting, interval) in [(SimulatedController.Connecting.kernel, 1), (.acceptList, 0)] {
            for number in 0..<12 {
                let stood = try await tray.run(SimulatedController(connecting: connecting)) {
                    adapters, time in
                    let link = try await adapters[0].open(tray.addresses()[number])
                    defer { link.close() }
                    return time.now
                }
                #expect(stood == tray.advertises(number) + .seconds(interval))
            }
        }
    }

    /// The order of requests is the reverse.
    @Test func `makes one link at a time, in the order of the first adverts`() async throws {
        let tray = try Tray(4)
        let seen = try await tray.run(kernel) { adapters, time in
            try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
                for number in tray.order().reversed() {
                    group.addTask {
                        let link = try await adapters[0].open(tray.addresses()[number])
                        let stood = time.now
                        try await time.clock.sleep(for: .seconds(30))
                        link.close()
                        return (number, stood)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.1 < $1.1 }
            }
        }
        #expect(seen.first?.0 == tray.order().first)
        for (before, after) in zip(seen, seen.dropFirst()) {
            // The next beacon is heard after the previous link was made, and again after that.
            #expect(after.1 - before.1 > .seconds(1))
            #expect(after.1 == tray.advertises(after.0, after: before.1) + .seconds(1))
        }
        #expect(seen.count == 4)
    }

    @Test func `gives up a connection after four seconds if the peer does not advertise again`() async throws
    {
        let tray = try Tray(2)
        let order = tray.order()
        let (stood, lost) = try await tray.run(kernel) { adapters, time in
            async let lost = adapters[0].refusal(of: tray.addresses()[order[0]], within: .seconds(20))
            async let vanishes: Void = {
                // A link of another central, right after the advert.
                let beacon = adapters[0].beacons[order[0]]
                try await time.clock.sleep(until: tray.advertises(order[0]) + .milliseconds(1))
                let (near, far) = try PacketSocket.pair(readiness: time)
                async let served: Void = beacon.serve(far)
                try await time.clock.sleep(for: .seconds(40))
                near.close()
                await served
            }()
            let link = try await adapters[0].open(tray.addresses()[order[1]])
            let stood = time.now
            link.close()
            let error = await lost
            try await vanishes
            return (stood, error)
        }
        let free = tray.advertises(order[0]) + .seconds(4)
        #expect(stood == tray.advertises(order[1], after: free) + .seconds(1))
        #expect(lost == .noAnswer(tray.addresses()[order[0]]))
    }

    @Test func `waits for two intervals of a peer that was heard to advertise rarely`() async throws {
        let tray = try Tray(1, every: .seconds(10.24))
        try await tray.run(kernel) { adapters, time in
            let (adapter, peer) = (adapters[0], tray.addresses()[0])
            #expect(await adapter.refusal(of: peer, within: .seconds(10)) == .noAnswer(peer))
            _ = try await adapter.firstHeard(of: [peer], within: .seconds(11))
            let begin = time.now
            #expect(await adapter.refusal(of: peer, within: .seconds(10)) == nil)
            #expect(time.now - begin > .seconds(20) && time.now - begin < .seconds(20.5))
        }
    }

    @Test func `waits no longer than a user has chosen`() async throws {
        let tray = try Tray(1, every: .seconds(10.24))
        try await tray.run(kernel) { adapters, time in
            let (adapter, peer) = (adapters[0], tray.addresses()[0])
            _ = try await adapter.firstHeard(of: [peer], within: .seconds(11))
            let linkRequest = {
                var linkRequest = LinkRequest()
                linkRequest.isLimitChosen = true
                return linkRequest
            }()
            let begin = time.now
            await #expect(throws: AdapterError.noAnswer(peer)) {
                try await adapter.open(.attributes, to: peer, asking: linkRequest, within: .seconds(10))
            }
            #expect(time.now - begin == .seconds(10))
        }
    }

    @Test func `refuses a link more than its controller holds, including lingering ones`() async throws {
        let tray = try Tray(3)
        let controller = SimulatedController(name: "sim4", connecting: .kernel, links: 2)
        try await tray.run(controller) { adapters, time in
            let adapter = adapters[0]
            let first = try await adapter.open(tray.addresses()[0])
            let second = try await adapter.open(tray.addresses()[1])
            #expect(await adapter.refusal(of: tray.addresses()[2]) == .tooManyLinks(adapter: "sim4"))
            #expect(adapter.links == 2)
            first.close()
            let left = time.now
            #expect(await adapter.refusal(of: tray.addresses()[2]) == .tooManyLinks(adapter: "sim4"))
            try await time.clock.sleep(until: left + .milliseconds(1999))
            #expect(adapter.links == 2)
            #expect(await adapter.beacons[0].advertisement(at: time.now) == nil)
            try await time.clock.sleep(until: left + .seconds(2))
            #expect(adapter.links == 1)
            #expect(await adapter.refusal(of: tray.addresses()[2]) == nil)
            second.close()
        }
    }

    @Test func `frees the slot at once when a peer disconnects`() async throws {
        let tray = try Tray(1)
        try await tray.run(kernel) { adapters, time in
            let link = try await adapters[0].open(tray.addresses()[0])
            #expect(adapters[0].links == 1)
            await adapters[0].beacons[0].powerCycle()
            #expect(try await link.receive() == nil)
            #expect(adapters[0].links == 0)
            link.close()
        }
    }

    @Test func `ends a lingering link before it makes another to the same peer`() async throws {
        let tray = try Tray(1)
        try await tray.run(kernel) { adapters, time in
            try await adapters[0].open(tray.addresses()[0]).close()
            let left = time.now
            let again = try await adapters[0].open(tray.addresses()[0])
            #expect(time.now - left == .seconds(2))
            #expect(await adapters[0].beacons[0].links == 2)
            #expect(adapters[0].links == 1)
            again.close()
        }
    }

    @Test func `hears nothing while it makes a link`() async throws {
        let tray = try Tray(2)
        let order = tray.order()
        let moments = try await tray.run(kernel) { adapters, time in
            let heard = Mutex<[Duration]>([])
            let other = tray.addresses()[order[1]]
            async let listening: Void? = time.clock.within(.seconds(4)) {
                for await report in try await adapters[0].advertisements() where report.address == other {
                    heard.withLock { $0.append(time.now) }
                }
            }
            let link = try await adapters[0].open(tray.addresses()[order[0]])
            _ = try await listening
            link.close()
            return heard.withLock { $0 }
        }
        // Its first advert comes while the link to the other is made.
        #expect(moments.first == tray.advertises(order[1]) + .seconds(1))
        #expect(moments.count == 3)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A simulated adapter that is removed` {
    @Test func `ends listeners and all links, and opens none until it is back`() async throws {
        let tray = try Tray(2, every: nil)
        try await tray.run(SimulatedController()) { adapters, time in
            let adapter = adapters[0]
            let link = try await adapter.open(tray.addresses()[0])
            let reports = try await adapter.advertisements()
            async let heard = reports.reduce(0) { count, _ in count + 1 }
            try await time.clock.sleep(for: .seconds(1))
            adapter.unplug()
            #expect(await heard > 0)
            await #expect(throws: BearerError.closed) { try await link.receive() }
            #expect(adapter.links == 0)
            link.close()
            let begin = time.now
            #expect(await adapter.refusal(of: tray.addresses()[1]) == .unavailable("sim0 was removed"))
            #expect(time.now - begin == .seconds(10))
            await #expect(throws: AdapterError.unavailable("sim0 was removed")) {
                try await adapter.advertisements()
            }
            adapter.plugIn()
            #expect(await adapter.refusal(of: tray.addresses()[1]) == nil)
        }
    }

    @Test func `is noticed by its peers only after the supervision timeout`() async throws {
        let tray = try Tray(1, every: nil)
        try await tray.run(SimulatedController(), SimulatedController(name: "sim1")) { adapters, time in
            let link = try await adapters[0].open(tray.addresses()[0])
            adapters[0].unplug()
            #expect(await adapters[1].refusal(of: tray.addresses()[0], within: .seconds(30)) == nil)
            #expect(time.now == .seconds(6))
            link.close()
        }
    }

    @Test func `comes and goes as its scenario defines`() async throws {
        let tray = try Tray(1, every: nil)
        let controller = SimulatedController(unplugged: [.seconds(2), .seconds(5), .seconds(7)])
        try await tray.run(controller) { adapters, time in
            let reports = try await adapters[0].advertisements()
            for await _ in reports {}
            #expect(time.now == .seconds(2))
            for await _ in try await adapters[0].advertisements() {}
            #expect(time.now == .seconds(7))
        }
    }

    @Test func `may come back under another name`() async throws {
        let tray = try Tray(1, every: nil)
        let controller = SimulatedController(
            name: "a", unplugged: [.seconds(2), .seconds(5)], returningName: "b")
        try await tray.run(controller) { adapters, time in
            for await _ in try await adapters[0].advertisements() {}
            #expect(adapters[0].name == "a")
            var reports = try await adapters[0].advertisements().makeAsyncIterator()
            #expect(await reports.next() != nil)
            #expect(adapters[0].name == "b")
            #expect(time.now >= .seconds(5))
        }
    }

    @Test func `stays removed if another one replaces it`() async throws {
        let tray = try Tray(1, every: nil)
        let controller = SimulatedController(unplugged: [.seconds(2), .seconds(5)], isReplaced: true)
        try await tray.run(controller) { adapters, time in
            for await _ in try await adapters[0].advertisements() {}
            await #expect(throws: AdapterError.unavailable("sim0 was removed")) {
                try await adapters[0].advertisements()
            }
            #expect(time.now == .seconds(12))
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Several simulated adapters on the same air` {
    @Test func `hear the same beacons, each with its own signal strength`() async throws {
        let tray = try Tray(20, every: nil)
        let near = SimulatedController(name: "near", spread: 6)
        let far = SimulatedController(name: "far", gain: -10, spread: 6)
        let heard = try await tray.run(near, far, SimulatedController(name: "plain")) { adapters, time in
            var heard: [[DeviceAddress: Set<Int8>]] = []
            for adapter in adapters {
                var strengths: [DeviceAddress: Set<Int8>] = [:]
                for await report in try await adapter.advertisements().prefix(60) {
                    strengths[report.address, default: []].insert(report.rssi ?? 0)
                }
                heard.append(strengths)
            }
            return heard
        }
        #expect(heard.allSatisfy { $0.count == 20 && $0.values.allSatisfy { $0.count == 1 } })
        let sets = heard.map { Set($0.values.flatMap(\.self)) }
        #expect(sets[2] == [-50])
        #expect(sets[0].allSatisfy { (-56 ... -44).contains($0) } && sets[0].count > 5)
        #expect(sets[1].allSatisfy { (-66 ... -54).contains($0) } && sets[1].count > 5)
        let differences = Set(
            heard[0].compactMap { address, rssi in
                heard[1][address].map { Int(rssi.first ?? 0) - Int($0.first ?? 0) }
            })
        #expect(differences.count > 5)
    }

    @Test func `make links at the same time`() async throws {
        let tray = try Tray(2)
        let stood = try await tray.run(kernel, SimulatedController(name: "sim1", connecting: .kernel)) {
            adapters, time in
            async let first: Duration = {
                let link = try await adapters[0].open(tray.addresses()[0])
                defer { link.close() }
                return time.now
            }()
            let link = try await adapters[1].open(tray.addresses()[1])
            defer { link.close() }
            return (try await first, time.now)
        }
        #expect(stood.0 == tray.advertises(0) + .seconds(1) && stood.1 == tray.advertises(1) + .seconds(1))
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A simulated link with a requested interval` {
    /// How many writes of 20 bytes arrive in a second.
    private static func rate(
        of interval: Duration, then later: Duration? = nil
    ) async throws -> (before: Int, after: Int, told: [Duration?]) {
        let tray = try Tray(1, every: nil)
        let description = try #require(tray.descriptions.first)
        return try await VirtualTime.run { time in
            let clock = time.clock
            let beacon = NordicBeacon(description, time: clock)
            var model = LinkModel()
            model.followsRequests = true
            model.packetsPerEvent = 1
            return try await SimulatedAdapter.withBeacons(
                [beacon], link: model, time: clock, readiness: time
            ) { adapter in
                let channel = try await adapter.open(
                    .attributes, to: description.bootloaderAddress, asking: LinkRequest(interval: interval),
                    within: .seconds(5))
                defer { channel.close() }
                async let sending: Void = {
                    while (try? await channel.send([0x52, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 20)))
                        != nil
                    {}
                }()
                var counts: [Int] = []
                var told: [Duration?] = []
                for _ in 0..<2 {
                    try await clock.sleep(for: .seconds(1))
                    let before = await beacon.statistics.packetsReceived
                    try await clock.sleep(for: .seconds(1))
                    counts.append(await beacon.statistics.packetsReceived - before)
                    told.append(await adapter.parameters(of: channel).interval)
                    if let later { await adapter.retune(interval: later) }
                }
                channel.close()
                await sending
                return (counts[0], counts[1], told)
            }
        }
    }

    @Test func `has it, and another when the adapter is retuned`() async throws {
        let seen = try await Self.rate(of: .milliseconds(20), then: .milliseconds(40))
        #expect((49...51).contains(seen.before) && (24...26).contains(seen.after), "\(seen)")
        #expect(seen.told == [.milliseconds(20), .milliseconds(40)])
    }

    @Test func `changes it when the peripheral requests that in the middle of a link, on each link`()
        async throws
    {
        let scenario = try `A scenario file`.scenario(
            """
            link: {interval_ms: 15, changes: [{after_s: 1, interval_ms: 100}, {after_s: 2.5, interval_ms: 7.5}]}
            beacons: [{address: 'F0:0D:BE:AC:07:10', mode: application}]
            """)
        let told = try await VirtualTime.run { time in
            try await scenario.play(time: time.clock, readiness: time) { adapter in
                let address = try #require(adapter.beacons.first?.description.address)
                var told: [[Duration?]] = []
                for _ in 0..<2 {
                    let channel = try await adapter.open(
                        .attributes, to: address, asking: LinkRequest(), within: .seconds(5))
                    var intervals: [Duration?] = []
                    for _ in 0..<3 {
                        let interval = await adapter.parameters(of: channel).interval
                        intervals.append(interval)
                        let before = adapter.time.now
                        try await channel.send([0x0A, 3, 0])
                        _ = try await channel.receive()
                        #expect(adapter.time.now - before < (interval ?? .zero) * 3)
                        try await adapter.time.sleep(for: .seconds(1.3))
                    }
                    told.append(intervals)
                    channel.close()
                    try await adapter.time.sleep(for: .seconds(3))
                }
                return told
            }
        }
        let wanted: [Duration?] = [.milliseconds(15), .milliseconds(100), .microseconds(7500)]
        #expect(told == [wanted, wanted])
    }

    @Test func `has no interval below the minimum`() async throws {
        let seen = try await Self.rate(of: .milliseconds(1))
        #expect((132...134).contains(seen.before), "\(seen)")
        #expect(seen.told == [.microseconds(7500), .microseconds(7500)])
    }
}
