import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let firmware = TestFirmware(count: 4000)

/// The last Execute is request 10: Set PRN, Select, Create, CRC, Execute, Select, Execute (to query whether the flash
/// is idle), Create, CRC, Execute.
private let lastRequest = 10

extension NordicBenchResult {
    /// The phases in order.
    var phases: [UpdatePhase] { events.compactMap { if case .phase(let phase) = $0 { phase } else { nil } } }
    var hasWarnedOfActivation: Bool {
        events.contains { if case .warning(.device.activationUnconfirmed, _) = $0 { true } else { false } }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An update that cannot begin` {
    @Test(arguments: [Duration.seconds(30), .seconds(3)])
    func `ends with device-not-found after the time of the search`(_ search: Duration) async throws {
        let bench = NordicBench(policy: RetryPolicy(search: search), hearing: { _, _ in .absent })
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.deviceNotFound)
        #expect(result.took == search)
        #expect(result.phases == [.connecting])
    }

    @Test func `ends with not-in-bootloader if the application runs`() async throws {
        let result = try await NordicBench(change: { $0.program = .application }).flash(firmware)
        #expect(result.failure?.code == .device.notInBootloader, "\(result.outcome)")
        #expect(result.failure?.message.contains("F0:0D:BE:AC:00:00") == true)
        #expect(result.statistics.commandsReceived == 0)
        #expect(result.isFree)
    }

    @Test func `ends with not-in-bootloader if an application takes no connections`() async throws {
        let bench = NordicBench(hearing: { _, _ in .notConnectable }, change: { $0.program = .application })
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.notInBootloader, "\(result.outcome)")
        #expect(result.took == .seconds(30))
    }

    /// No link was lost: there was none, although the beacon was heard before each attempt.
    @Test(arguments: [Hearing.notConnectable, .deaf])
    func `ends with connection-not-established after five attempts to connect`(
        _ hearing: Hearing
    ) async throws {
        let result = try await NordicBench(hearing: { _, _ in hearing }).flash(firmware)
        #expect(result.failure?.code == .device.connectionNotEstablished, "\(result.outcome)")
        #expect(result.failure?.message.contains("could not be connected to in 5 attempts") == true)
        // Five times 10 s, and 0.5 + 1 + 2 + 4 s between them.
        #expect(result.took >= .milliseconds(57_500) && result.took < .seconds(59), "\(result.took)")
        let retries = result.events.compactMap { event -> Int? in
            if case .retry(let attempt, .device.linkLost, 0, _) = event { attempt } else { nil }
        }
        #expect(retries == [1, 2, 3, 4])
    }

    @Test func `ends with too-many-links after five attempts if the adapter has no free link`()
        async throws
    {
        let result = try await NordicBench(hearing: { _, _ in .crowded }).flash(firmware)
        #expect(result.failure?.code == .device.tooManyLinks, "\(result.outcome)")
        #expect(result.failure?.message == "sim0 has no free link left")
        let retries = result.events.compactMap { event -> Int? in
            if case .retry(let attempt, .device.tooManyLinks, 0, _) = event { attempt } else { nil }
        }
        #expect(retries == [1, 2, 3, 4])
    }

    @Test func `waits until another program has left the adapter a link`() async throws {
        let bench = NordicBench(hearing: { _, events in
            let tries = events.all.filter {
                if case .retry(_, .device.tooManyLinks, _, _) = $0 { true } else { false }
            }
            return tries.count < 2 ? .crowded : .normal
        })
        #expect(try await bench.flash(firmware).isRight)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The end of an update` {
    @Test func `is not verified if that was declined`() async throws {
        let result = try await NordicBench(verifying: false).flash(firmware)
        #expect(result.report?.verified == .no)
        #expect(!result.phases.contains(.rebooting))
        #expect(!result.hasWarnedOfActivation)
    }

    @Test func `is verified with an application that takes no connections`() async throws {
        let bench = NordicBench(hearing: { _, events in
            events.age(of: .rebooting) == nil ? .normal : .notConnectable
        })
        let result = try await bench.flash(firmware)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.image)
    }

    @Test func `is did-not-reappear when nothing comes back in time`() async throws {
        let bench = NordicBench(hearing: { _, events in events.age(of: .rebooting) == nil ? .normal : .absent
        })
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .device.didNotReappear, "\(result.outcome)")
        let start = zip(result.events, result.moments).first { $0.0 == .phase(.rebooting) }?.1
        // 10 s and 0.1 s per kilobyte.
        #expect(result.took - (start ?? .zero) == .milliseconds(10_400))
    }

    @Test func `is verified late, but within the device's time`() async throws {
        let bench = NordicBench(hearing: { _, events in
            events.age(of: .rebooting).map { $0 < .seconds(10) } == true ? .absent : .normal
        })
        #expect(try await bench.flash(firmware).report?.verified == .version)
    }

    /// Of the init packet, and of an Execute that only queries whether the flash is idle.
    @Test(arguments: [5, 7]) func `is confirmed though the answer to an earlier Execute was lost`(
        _ number: Int
    ) async throws {
        let result = try await NordicBench(
            faults: [.loseNotification(number)], change: { $0.firmwareRevision = .none }
        ).flash(firmware)
        #expect(result.application == firmware.image)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(!result.hasWarnedOfActivation)
    }

    @Test func `is a warning if it was not confirmed and verification was declined`() async throws {
        let cut = Fault.cut(afterPacket: try await lastExecute())
        for fault in [cut] {
            let result = try await NordicBench(
                faults: [fault], verifying: false, change: { $0.firmwareRevision = .none }
            ).flash(firmware)
            #expect(result.report?.verified == .no, "\(fault): \(result.outcome)")
            #expect(result.hasWarnedOfActivation, "\(fault)")
        }
    }

    @Test func `is verified without a confirmation by a version that was not there before`() async throws {
        // The application's version is read before it is sent to its bootloader.
        let bench = NordicBench(change: { $0.program = .application }, entering: NordicBench.Entering())
        let whole = try await bench.flash(firmware).statistics.packetsReceived
        for number in whole - 12...whole {
            var broken = bench
            broken.faults = [.cut(afterPacket: number)]
            let result = try await broken.flash(firmware)
            #expect(result.report?.verified == .version, "\(number): \(result.outcome)")
            #expect(!result.hasWarnedOfActivation, "\(number)")
        }
    }

    @Test func `is activation-failed when the bootloader comes back after it accepted everything`()
        async throws
    {
        // The device confirms the request without carrying it out.
        let result = try await NordicBench(faults: [.nordic(.answerRequest(lastRequest, with: [0x01]))])
            .flash(
                firmware)
        #expect(result.failure?.code == .device.activationFailed, "\(result.outcome)")
        #expect(result.application == nil)
        #expect(result.isFree)
    }

    @Test func `is not verified if a new system part leaves no application that can start`() async throws {
        let result = try await NordicBench().flash(TestFirmware.system(bootloader: 8192))
        let report = try #require(result.report, "\(result.outcome)")
        #expect(report.verified == .no && report.hasNoApplication)
        #expect(
            result.events.contains {
                if case .warning(.device.applicationMissing, _) = $0 { true } else { false }
            })
    }

    @Test func `is a mismatch if the text is unchanged, with the note that the text may never change`()
        async throws
    {
        let bench = NordicBench(
            change: {
                $0.program = .application
                $0.firmwareRevision = .text("1")
            }, entering: NordicBench.Entering())
        let second = TestFirmware(count: 4000, version: 2)
        let failure = try #require(try await bench.flash(second).failure)
        #expect(failure.code == .device.versionMismatch)
        #expect(
            failure.message
                == "the application reports version 1, as before; version 2 was sent. Either the "
                + "old firmware is running, or its version text is not the package's version")
        #expect(failure.remedy?.description.contains("the expected version '1'") == true)
        // The remedy in the error.
        let result = try await bench.flash(
            SecureProcedure(second.secureImage, versionText: "1"), entry: ButtonlessEntry(name: "Dfu12345"))
        // A text that was there before verifies no more than the bootloader's confirmation.
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
    }

    @Test func `is unconfirmed when the link is cut right after the last Execute`() async throws {
        let whole = try await NordicBench().flash(firmware).statistics.packetsReceived
        var unconfirmed = 0
        for number in whole - 12...whole {
            let result = try await NordicBench(
                faults: [.cut(afterPacket: number)], change: { $0.firmwareRevision = .none }
            ).flash(firmware)
            #expect(result.isRight || result.isUnconfirmed, "\(number): \(result.outcome)")
            #expect(result.application == firmware.image, "\(number)")
            if result.isUnconfirmed { unconfirmed += 1 }
        }
        #expect(unconfirmed == 1)
    }

    @Test func `is verified by the sent version if the previous one is unknown`() async throws {
        let result = try await NordicBench(faults: [.cut(afterPacket: try await lastExecute())]).flash(
            firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.hasWarnedOfActivation)
        #expect(result.application == firmware.image)
    }

    /// The number of the packet with the last Execute.
    private func lastExecute() async throws -> Int {
        let whole = try await NordicBench().flash(firmware).statistics.packetsReceived
        for number in whole - 12...whole
        where try await NordicBench(
            faults: [.cut(afterPacket: number)], change: { $0.firmwareRevision = .none }
        ).flash(firmware).isUnconfirmed {
            return number
        }
        return 0
    }

    @Test func `is awaited as long as the device may take, even if the link was cut`() async throws {
        let bench = NordicBench(
            faults: [.cut(afterPacket: try await lastExecute())], policy: RetryPolicy(search: .seconds(2)),
            hearing: { _, events in
                events.age(of: .activating).map { $0 < .seconds(8) } == true ? .absent : .normal
            }, change: { $0.firmwareRevision = .none })
        // The link itself stays open: only later adverts and connections are out of reach.
        let result = try await bench.flash(firmware)
        #expect(result.isUnconfirmed, "\(result.outcome)")
        #expect(result.application == firmware.image)
    }

    @Test func `is unconfirmed, not lost, when the application takes no connections`() async throws {
        let bench = NordicBench(
            faults: [.cut(afterPacket: try await lastExecute())],
            hearing: { _, events in events.age(of: .activating) == nil ? .normal : .notConnectable })
        let result = try await bench.flash(firmware)
        #expect(result.isUnconfirmed, "\(result.outcome)")
        #expect(result.failure?.message.contains("no version") == true)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A cancelled update` {
    @Test(arguments: [0, 1, 50, 100, 300, 450, 600, 800, 1000])
    func `ends at once, as interrupted, and releases the device`(_ milliseconds: Int) async throws {
        let large = TestFirmware(count: 60_000)
        let moment = Duration.milliseconds(milliseconds)
        let result = try await NordicBench(cancelled: moment).flash(large)
        #expect(result.failure?.code == .system.interrupted, "\(result.outcome)")
        #expect(result.took == moment)
        #expect(result.isFree)
    }

    @Test(arguments: [1, 500, 9000]) func `ends at once while it waits for the application`(
        _ milliseconds: Int
    ) async throws {
        let whole = try await NordicBench().flash(firmware)
        let start = zip(whole.events, whole.moments).first { $0.0 == .phase(.rebooting) }?.1
        let moment = try #require(start) + .milliseconds(milliseconds)
        let bench = NordicBench(
            cancelled: moment,
            hearing: { _, events in events.age(of: .rebooting) == nil ? .normal : .absent })
        let result = try await bench.flash(firmware)
        #expect(result.failure?.code == .system.interrupted, "\(result.outcome)")
        #expect(result.took == moment)
    }

    @Test func `ends at once between two attempts and while it connects`() async throws {
        for moment in [Duration.seconds(5), .milliseconds(10_300), .seconds(30)] {
            let bench = NordicBench(cancelled: moment, hearing: { _, _ in .notConnectable })
            let result = try await bench.flash(firmware)
            #expect(result.failure?.code == .system.interrupted, "\(result.outcome)")
            #expect(result.took == moment)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Secure DFU update` {
    @Test func `ends with exactly the image on the beacon`() async throws {
        let firmware = TestFirmware(count: 12_000)
        let result = try await NordicBench().flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.report?.verified == .version)
        #expect(result.report?.retries == 0)
        print(result.outcome, result.took, result.statistics)
    }
}
