import Bluetooth
import Nordic
import Simulation
import Testing
import TransferBench

/// Virtual time: the same figures in every run, on every machine.
@Suite(.timeLimit(.minutes(10))) struct `A transfer's speed` {
    /// A link, the required share of the ceiling, and the limiting factor to be reported with a fast flash and with a
    /// stock one.
    struct Case: Sendable, CustomTestStringConvertible {
        var phy = LinkModel.PHY.le1M
        var milliseconds = 15.0
        var dataLength = 251
        var mtu = 247
        var share = 0.95
        var limits = ["answers", "flash"]

        var testDescription: String {
            "\(phy.rawValue), \(milliseconds) ms, \(dataLength) octets, MTU \(mtu)"
        }

        func bench(_ timing: FlashTiming, _ personality: SecurePersonality) -> TransferBench {
            var bench = TransferBench()
            bench.personality = personality
            bench.timing = timing
            bench.link.phy = phy
            bench.link.interval = .seconds(milliseconds / 1000)
            bench.link.dataLength = dataLength
            bench.maximumMTU = mtu
            bench.size = 60_000
            return bench
        }

        static let all = [
            Case(),
            Case(phy: .le2M),
            Case(milliseconds: 7.5, share: 0.9),
            Case(phy: .le2M, milliseconds: 7.5, share: 0.9),
            Case(milliseconds: 30, limits: ["answers", "answers"]),
            Case(milliseconds: 50, limits: ["answers", "answers"]),
            Case(dataLength: 27, limits: ["air", "air"]),
            Case(mtu: 23, share: 0.9, limits: ["air", "air"]),
            Case(phy: .le2M, milliseconds: 7.5, mtu: 23, share: 0.9, limits: ["air", "flash"]),
            Case(phy: .le2M, milliseconds: 50, mtu: 23, share: 0.9, limits: ["air", "air"]),
        ]
    }

    static let personalities = [SecurePersonality.sdk15_3, .sdk16_0, .sdk17_1]

    @Test(arguments: Case.all) func `is near the ceiling, and no packet is lost`(_ link: Case) async throws {
        for personality in Self.personalities {
            for (timing, limit) in zip([FlashTiming.instant, .stock], link.limits) {
                let bench = link.bench(timing, personality)
                let ours = try await bench.ours()
                let share = ours.bytesPerSecond / bench.ceiling.bytesPerSecond
                #expect(share >= link.share, "\(personality), \(timing == .stock ? "stock" : "quick")")
                #expect(share <= 1, "\(personality)")
                #expect(ours.lost == 0 && ours.repeated == 0, "\(personality)")
                #expect(ours.limit == limit, "\(personality), \(timing == .stock ? "stock" : "quick")")
            }
        }
    }

    /// Between the MTUs of the SDK's bootloaders there is no sudden drop.
    @Test(
        arguments: [23, 27, 50, 64, 80, 100, 115, 123, 130, 131, 158, 185, 220, 247, 517],
        [7.5, 15, 30, 50])
    func `is near the ceiling at any MTU`(_ mtu: Int, _ milliseconds: Double) async throws {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            for timing in [FlashTiming.instant, .stock] {
                let bench = Case(phy: phy, milliseconds: milliseconds, mtu: mtu).bench(timing, .sdk17_1)
                let ours = try await bench.ours()
                let share = ours.bytesPerSecond / bench.ceiling.bytesPerSecond
                let place = "\(phy), \(timing == .stock ? "stock" : "quick"): \(share)"
                #expect(share >= (mtu == 23 ? 0.94 : 0.95), "\(place)")
                #expect(ours.lost == 0 && ours.repeated == 0, "\(place)")
            }
        }
    }

    /// Holding packets back for a slightly different device would cost an event of each object here.
    @Test(arguments: [(59, 25.0), (67, 30), (75, 30), (99, 30), (99, 40), (107, 35), (111, 40)])
    func `is near the ceiling if another event would be a twelfth of an object`(
        _ mtu: Int, _ milliseconds: Double
    ) async throws {
        let bench = Case(phy: .le2M, milliseconds: milliseconds, mtu: mtu).bench(.stock, .sdk17_1)
        let ours = try await bench.ours()
        #expect(ours.bytesPerSecond >= 0.95 * bench.ceiling.bytesPerSecond)
        #expect(ours.lost == 0 && ours.repeated == 0)
    }

    /// The settings do not show it, since only the erase is slow; the first object does.
    @Test(arguments: [
        Case(milliseconds: 7.5), Case(), Case(phy: .le2M, milliseconds: 7.5), Case(phy: .le2M, share: 0.9),
        Case(phy: .le2M, milliseconds: 7.5, dataLength: 27),
    ])
    func `is near the ceiling if a flash writes fast but erases slowly`(_ link: Case) async throws {
        let timing = FlashTiming(
            pageErase: .milliseconds(87), pieceWrite: .microseconds(215), pageProgram: .milliseconds(42))
        var bench = link.bench(timing, .sdk17_1)
        bench.size = 100_000
        let ours = try await bench.ours()
        #expect(ours.bytesPerSecond >= link.share * bench.ceiling.bytesPerSecond)
        #expect(ours.lost == 0 && ours.repeated == 0)
    }

    /// The settings show only that the flash is not slow.
    @Test(arguments: [(27, 20.0), (31, 17.5), (35, 25), (43, 30)])
    func `is near the ceiling if a fast flash is not evident at first`(
        _ mtu: Int, _ milliseconds: Double
    ) async throws {
        var bench = Case(phy: .le2M, milliseconds: milliseconds, mtu: mtu).bench(.instant, .sdk17_1)
        bench.size = 100_000
        let ours = try await bench.ours()
        #expect(ours.bytesPerSecond >= 0.95 * bench.ceiling.bytesPerSecond)
        #expect(ours.lost == 0 && ours.repeated == 0)
    }

    /// So that no user needs to set the receipts manually.
    @Test(arguments: [1, 5], [23, 64, 130, 247])
    func `is with lost packets at least that with a receipt for each packet`(
        _ percent: Int, _ mtu: Int
    ) async throws {
        var bench = Case(mtu: mtu).bench(.stock, .sdk17_1)
        bench.size = 100_000
        let faults = [Fault.losePackets(percent: percent)]
        let ours = try await bench.ours(faults: faults)
        let alone = try await bench.ours(faults: faults, receiptInterval: 1)
        #expect(ours.bytesPerSecond >= 0.97 * alone.bytesPerSecond)
    }

    /// A measurement that includes a wait is discarded.
    @Test(arguments: [23, 64, 130, 247], [7.5, 15, 50])
    func `is no lower after one lost answer than before, except for the wait`(
        _ mtu: Int, _ milliseconds: Double
    ) async throws {
        for timing in [FlashTiming.instant, .stock] {
            let bench = Case(milliseconds: milliseconds, mtu: mtu).bench(timing, .sdk17_1)
            let worst = try await bench.worstLostAnswer()
            #expect(
                worst.share >= 0.9, "request \(worst.place), \(timing == .stock ? "stock" : "quick")")
        }
    }

    /// A single lost packet is resumed at its place, so that no object starts over repeatedly.
    @Test(arguments: [1, 5], [23, 64, 130, 247])
    func `continues with what the device has after lost packets`(_ percent: Int, _ mtu: Int) async throws {
        for interval in [nil, 1] {
            for personality in [SecurePersonality.sdk15_3, .sdk17_1] {
                let bench = Case(mtu: mtu).bench(.stock, personality)
                let ours = try await bench.ours(
                    faults: [.losePackets(percent: percent)], receiptInterval: interval)
                #expect(ours.failure == nil, "\(personality), PRN \(interval.map(String.init) ?? "ours")")
            }
        }
    }

    @Test(arguments: [1, 5]) func `does so with a bootloader of SDK 12 to 14`(_ percent: Int) async throws {
        for personality in [SecurePersonality.sdk12_3, .sdk14_2] {
            var bench = Case(mtu: 23).bench(.stock, personality)
            bench.size = 20_000
            for interval in [nil, 1] {
                let ours = try await bench.ours(
                    faults: [.losePackets(percent: percent)], receiptInterval: interval)
                #expect(ours.failure == nil, "\(personality), PRN \(interval.map(String.init) ?? "ours")")
            }
        }
    }

    @Test(arguments: [27, 64, 100, 130]) func `survives a burst of losses at one byte, whatever the MTU`(
        _ mtu: Int
    ) async throws {
        let bench = Case(mtu: mtu).bench(.stock, .sdk17_1)
        let ours = try await bench.ours(faults: [.nordic(.loseBurst(atByte: 9000))])
        #expect(ours.failure == nil)
        #expect(ours.bytesPerSecond >= 0.3 * bench.ceiling.bytesPerSecond)
    }

    /// Packets held back by such a link come at once, and the flash queue has 16 places. Without waits for overdue
    /// receipts, 6 packets were lost.
    @Test func `rarely overruns a flash queue on a link that repeats packets`() async throws {
        var bench = Case(milliseconds: 7.5, mtu: 23).bench(.stock, .sdk17_1)
        bench.size = 40_000
        bench.link.loss = 0.02
        var lost = 0
        for seed in 1...10 {
            bench.link.seed = UInt64(seed)
            let ours = try await bench.ours()
            #expect(ours.failure == nil)
            lost += ours.lost
        }
        #expect(lost <= 1)
    }

    /// A packet too soon after the previous one is lost; one at a time is slow enough.
    @Test(arguments: [23, 64, 247]) func `adapts to a slow receiver until nothing is lost`(_ mtu: Int)
        async throws
    {
        let bench = Case(mtu: mtu).bench(.stock, .sdk17_1)
        let ours = try await bench.ours(faults: [.loseQuickPackets(within: .milliseconds(5))])
        #expect(ours.failure == nil)
    }

    /// The RAM ring of an old bootloader is overwritten silently; only the final hash reveals it.
    @Test(arguments: [SecurePersonality.sdk12_3, .sdk13_1, .sdk14_2])
    func `is what an old bootloader's ring can sustain, on every link`(
        _ personality: SecurePersonality
    ) async throws {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            for milliseconds in [7.5, 15, 30, 50] {
                for timing in [FlashTiming.instant, .stock] {
                    let bench = Case(phy: phy, milliseconds: milliseconds, mtu: 23).bench(timing, personality)
                    let ours = try await bench.ours()
                    let place = "\(phy), \(milliseconds) ms, \(timing == .stock ? "stock" : "quick")"
                    #expect(ours.failure == nil, "\(place)")
                    #expect(ours.lost == 0 && ours.repeated == 0, "\(place)")
                    // Nothing shows that such a flash is faster than a stock one.
                    if timing == .stock {
                        #expect(ours.bytesPerSecond >= 0.89 * bench.ceiling.bytesPerSecond, "\(place)")
                        #expect(ours.bytesPerSecond <= bench.ceiling.bytesPerSecond, "\(place)")
                    }
                }
            }
        }
    }

    /// Querying whether the flash is idle costs two intervals once if it is idle anyway.
    @Test(arguments: Case.all) func `is not below that of the best fixed policy`(_ link: Case) async throws {
        for timing in [FlashTiming.instant, .stock] {
            let bench = link.bench(timing, .sdk17_1)
            let ours = try await bench.ours().bytesPerSecond
            for policy in FixedPolicy.all {
                #expect(ours >= 0.98 * (try await bench.fixed(policy).bytesPerSecond), "\(policy.name)")
            }
        }
    }

    /// The same two intervals, on a link so slow that nothing can be lost.
    @Test func `is at least that of every fixed policy that loses nothing on a stock bootloader`()
        async throws
    {
        for link in Case.all {
            let bench = link.bench(.stock, .sdk17_1)
            let ours = try await bench.ours().bytesPerSecond
            for policy in FixedPolicy.all {
                let theirs = try await bench.fixed(policy)
                if theirs.lost == 0 {
                    #expect(ours >= 0.98 * theirs.bytesPerSecond, "\(policy.name), \(link.testDescription)")
                }
            }
        }
    }

    /// SDK 15.0 looks like one of them at MTU 23, except for its answer to an unknown request.
    @Test func `is that of a queue if a small MTU and a short init packet look like a ring`() async throws {
        for timing in [FlashTiming.instant, .stock] {
            let bench = Case(phy: .le2M, milliseconds: 15, mtu: 23).bench(timing, .sdk15_0)
            let ours = try await bench.ours()
            #expect(ours.failure == nil && ours.lost == 0 && ours.repeated == 0)
            #expect(ours.bytesPerSecond >= 0.9 * bench.ceiling.bytesPerSecond)
        }
    }

    /// Repeated packets of the link come late and in bursts, and the ring gives no feedback.
    @Test(arguments: [0.02, 0.1], [7.5, 15, 30, 50])
    func `spares an old bootloader's ring on a link that loses packets`(
        _ loss: Double, _ milliseconds: Double
    ) async throws {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            for seed in 1...8 as ClosedRange<UInt64> {
                var bench = Case(phy: phy, milliseconds: milliseconds, mtu: 23).bench(.stock, .sdk14_2)
                bench.size = 40_000
                bench.link.loss = loss
                bench.link.seed = seed
                let ours = try await bench.ours()
                #expect(ours.failure == nil && ours.repeated == 0, "\(phy), seed \(seed)")
            }
        }
    }

    /// Packets that the link layer has to repeat come in bursts; the bootloader may have no space for one of them.
    @Test(arguments: [0.02, 0.1], [UInt64(1), 2, 3])
    func `survives a link that loses packets, and is the same for the same seed`(
        _ loss: Double, _ seed: UInt64
    ) async throws {
        for mtu in [23, 247] {
            var bench = Case(phy: .le2M, milliseconds: 7.5, mtu: mtu).bench(.stock, .sdk17_1)
            bench.link.loss = loss
            bench.link.seed = seed
            let ours = try await bench.ours()
            #expect(ours.failure == nil)
            #expect(ours.repeated <= 3)
            #expect(try await bench.ours() == ours)
        }
    }

    @Test(arguments: [23, 247]) func `adapts to a flash of half the stock speed`(_ mtu: Int) async throws {
        let slow = FlashTiming(
            pageErase: FlashTiming.stock.pageErase * 2, pieceWrite: FlashTiming.stock.pieceWrite * 2,
            pageProgram: FlashTiming.stock.pageProgram)
        let bench = Case(phy: .le2M, milliseconds: 7.5, mtu: mtu).bench(slow, .sdk17_1)
        let ours = try await bench.ours()
        #expect(ours.failure == nil)
        #expect(ours.lost == 0)
        #expect(ours.bytesPerSecond >= 0.85 * bench.ceiling.bytesPerSecond)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An update of a KBeacon` {
    @Test(arguments: [1, 2], [7.5, 15, 50])
    func `takes no longer than the same without a session, and two sessions`(
        generation: Int, milliseconds: Double
    )
        async throws
    {
        var transfer = try #require(KBeaconTransfer(generation))
        transfer.transfer.size = 30_000
        transfer.transfer.link.interval = .seconds(milliseconds / 1000)
        let result = try await transfer.compared()
        let (plain, spoken) = (try #require(result.plain), try #require(result.spoken))
        // Three round trips more or less depend on the phase of the connection events.
        #expect(spoken <= plain + 2 * result.session + 8 * milliseconds / 1000, "\(result)")
        #expect(result.transfers.count == 2 && abs(result.transfers[0] - result.transfers[1]) < 0.05)
    }
}
