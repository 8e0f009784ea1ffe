import Feasycom
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

@Suite(.timeLimit(.minutes(20))) struct `An upgrade of a simulated Feasycom beacon` {
    /// Success only with the new version, and the new version only when it is complete.
    private static func check(
        _ run: FBeaconBenchResult, _ container: OpenContainer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isNew = run.running?.version == 840
        if run.report != nil { #expect(isNew, sourceLocation: sourceLocation) }
        if isNew {
            // A receiver of such packets does not know where the image ends.
            let kept = run.running?.payload ?? []
            #expect(kept.starts(with: container.payload), sourceLocation: sourceLocation)
            #expect(kept.count < container.payload.count + 1024, sourceLocation: sourceLocation)
        } else {
            #expect(run.running?.version == 830, sourceLocation: sourceLocation)
        }
        #expect(run.statistics.transfer.brokenRules == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [true, false], [23, 185, 247]) func `ends with the new version`(
        stays: Bool, mtu: Int
    ) async throws {
        for opening in FBeaconTransfer.Opening.allCases where opening != .skippingPreamble {
            var bench = FBeaconBench(stays: stays)
            bench.change = { ($0.maximumMTU, $0.transfer.opening) = (mtu, opening) }
            let container = bench.container(5000)
            let run = try await bench.flash(container)
            #expect(run.report?.verified == .version, "\(run.outcome)")
            #expect(run.statistics.transfer.repeats == 0 && run.statistics.links <= 2)
            Self.check(run, container)
        }
    }

    @Test func `counts more than 255 blocks`() async throws {
        let bench = FBeaconBench(stays: true)
        let container = bench.container(110 * 1024)
        var larger = bench
        larger.change = { $0.maximumImageSize = 512 * 1024 }
        let long = larger.container(300 * 1024 + 7)
        for (bench, container) in [(bench, container), (larger, long)] {
            let run = try await bench.flash(container)
            #expect(run.report != nil, "\(run.outcome)")
            Self.check(run, container)
        }
    }

    @Test(arguments: [true, false]) func `survives a cut at every packet`(stays: Bool) async throws {
        let bench = FBeaconBench(stays: stays)
        let container = bench.container(2100)
        let packets = try await bench.flash(container).statistics.packetsReceived
        #expect(packets > 20)
        for number in 1...packets {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                let run = try await FBeaconBench(stays: stays, faults: [fault]).flash(container)
                Self.check(run, container)
                #expect(run.report != nil, "\(fault): \(run.outcome)")
            }
        }
    }

    @Test(arguments: [true, false]) func `survives notifications that are lost, doubled and late`(
        stays: Bool
    ) async throws {
        for number in 1...8 {
            for fault in [
                Fault.loseNotification(number), .doubleNotification(number),
                .delayNotification(number, by: .milliseconds(300)),
                .delayNotification(number, by: .milliseconds(1500)), .reorderNotification(number),
            ] {
                let bench = FBeaconBench(stays: stays, faults: [fault])
                let container = bench.container(3100)
                let run = try await bench.flash(container)
                Self.check(run, container)
            }
        }
    }

    @Test(
        arguments: [
            .refusePacket(2), .floodRefusals(2), .loseAnswer(1), .loseAnswer(3),
            .delayAnswer(2, by: .milliseconds(1500)),
            .replaceAnswer(2, with: 0x3F), .ignoreEnd(1), .refuseEnd(1), .cancelAtPacket(2), .cutInPacket(2),
            .powerLossInPacket(3), .busy(9),
        ] as [FBeaconFault]) func `survives faults of the receiver`(fault: FBeaconFault) async throws
    {
        for stays in [true, false] {
            let bench = FBeaconBench(stays: stays, faults: [.fbeacon(fault)])
            let container = bench.container(4000)
            let run = try await bench.flash(container)
            #expect(run.report != nil, "\(run.outcome)")
            Self.check(run, container)
        }
    }

    @Test(
        arguments: [
            (.keepOldApplication, "version-mismatch"), (.refuseFromPacket(2), "packet-refused"),
            (.busy(1), "entry-refused"),
        ] as [(FBeaconFault, String)]) func `fails without the new version`(
            fault: FBeaconFault, code: String
        ) async throws
    {
        let bench = FBeaconBench(stays: true, faults: [.fbeacon(fault)])
        let container = bench.container(3000)
        let run = try await bench.flash(container)
        #expect(run.failure?.code.rawValue == code, "\(run.outcome)")
        if code == "version-mismatch" {
            let words = "the application reports version 830, as before; 840 was expected"
            #expect(run.failure?.message == words && run.failure?.state?.application == .unknown)
        }
        Self.check(run, container)
    }

    @Test(arguments: ["840", "8.40", "839"])
    func `is verified by a version as it is advertised, or as in a list`(_ version: String) async throws {
        var bench = FBeaconBench(stays: true)
        bench.preferences.versionText = version
        let run = try await bench.flash(bench.container(3000))
        #expect((run.report?.verified == .version) == (version != "839"), "\(run.outcome)")
    }

    @Test(arguments: [true, false]) func `numbers its links up to the last one`(stays: Bool) async throws {
        let bench = FBeaconBench(stays: stays, faults: [.fbeacon(.refuseFromPacket(1))])
        let run = try await bench.flash(bench.container(3000))
        #expect(run.failure?.code.rawValue == "packet-refused", "\(run.outcome)")
        let links = run.events.compactMap { if case .retry(_, _, _, let link?) = $0 { link } else { nil } }
        #expect(links == [2, 3, 4, 5])
        #expect(run.failure?.state?.application == .intact)
    }

    @Test func `that is lost in the data may have overwritten the old application`() async throws {
        var bench = FBeaconBench(stays: true, faults: [.fbeacon(.cutInPacket(2))])
        bench.policy.fruitlessLinks = 1
        let run = try await bench.flash(bench.container(3000))
        #expect(run.failure?.code == .device.linkLost, "\(run.outcome)")
        let state = try #require(run.failure?.state)
        #expect(state.application == .unknown && state.isUnfinished)
    }

    @Test(arguments: [true, false]) func `is admitted by a PIN, also after a lost link`(stays: Bool)
        async throws
    {
        for fault in [[], [Fault.fbeacon(.cutInPacket(2))]] {
            var bench = FBeaconBench(stays: stays, faults: fault)
            bench.pin = "407152"
            let container = bench.container(3000)
            let run = try await bench.flash(container)
            #expect(run.report != nil && run.statistics.wrongPINs == 0, "\(run.outcome)")
            Self.check(run, container)
        }
    }

    @Test func `writes nothing to a beacon that only the vendor can update`() async throws {
        var bench = FBeaconBench(stays: true)
        bench.pin = "407152"
        bench.change = { $0.isOpen = false }
        let run = try await bench.flash(bench.container(3000))
        #expect(run.failure?.code.rawValue == "not-an-open-fbeacon", "\(run.outcome)")
        #expect(run.statistics.commandsReceived == 0 && run.statistics.openings == 0)
        #expect(run.statistics.entryRequests == 0 && run.statistics.pinTries == 0)
    }
}
