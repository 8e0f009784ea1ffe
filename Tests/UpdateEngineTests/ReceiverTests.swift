import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

/// How often an image was begun.
private func transfers(_ result: NordicBenchResult) -> Int {
    result.phases.count { $0 == .transferring }
}

@Suite(.timeLimit(.minutes(10))) struct `An application that takes Legacy DFU itself` {
    private let firmware = try? LegacyFirmware(count: 4000)

    private func image() throws -> LegacyFirmware { try #require(firmware) }

    @Test(arguments: [true, false], [true, false])
    func `is verified by its version, whether or not it acknowledges Activate`(
        _ answers: Bool, _ verifying: Bool
    ) async throws {
        var bench = NordicBench.receiver(isLegacy: true) { $0.answersActivation = answers }
        bench.verifying = verifying
        let result = try await bench.flashReceiver(image())
        #expect(result.report?.verified == (verifying ? .reappeared : .no), "\(result.outcome)")
        #expect(result.application == firmware?.bytes)
        #expect(transfers(result) == 1)
        #expect(result.report?.retries == 0)
        guard verifying else { return }
        #expect(result.report?.revisionBefore == "1.15.0")
        #expect(result.report?.revision == "1.16.0")
    }

    @Test(arguments: [true, false])
    func `is verified as the package's version if it did not report that before`(
        _ answers: Bool
    ) async throws {
        let firmware = try LegacyFirmware(count: 4000, version: 7)
        let bench = NordicBench.receiver(isLegacy: true, updated: "7") { $0.answersActivation = answers }
        #expect(try await bench.flashReceiver(firmware).report?.verified == .version)
        // It reported 1.15.0 before, which says nothing about 8.
        let other = NordicBench.receiver(isLegacy: true, updated: "8") { $0.answersActivation = answers }
        #expect(try await other.flashReceiver(firmware).report?.verified == .reappeared)
    }

    @Test(arguments: [true, false]) func `meets --expect-version or fails`(_ answers: Bool) async throws {
        let bench = NordicBench.receiver(isLegacy: true) { $0.answersActivation = answers }
        let right = try await bench.flashReceiver(image(), expecting: "1.16.0")
        #expect(right.report?.verified == .version, "\(right.outcome)")
        let wrong = try await bench.flashReceiver(image(), expecting: "1.17.0")
        #expect(wrong.failure?.code == .device.versionMismatch, "\(wrong.outcome)")
        #expect(transfers(wrong) == 1)
    }

    @Test func `is not reported as updated by a text that never changes`() async throws {
        let bench = NordicBench.receiver(isLegacy: true, updated: "1.15.0") { $0.answersActivation = true }
        let result = try await bench.flashReceiver(image())
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(result.hasWarnedOfActivation)
        #expect(transfers(result) == 1)
    }

    @Test func `is not sent an image again that it has checked, though nothing shows that it runs`()
        async throws
    {
        let result = try await NordicBench.receiver(isLegacy: true, updated: "1.15.0").flashReceiver(image())
        #expect(result.failure?.code == .device.activationUnconfirmed, "\(result.outcome)")
        #expect(result.application == firmware?.bytes)
        #expect(transfers(result) == 1)
    }

    @Test func `starts over after a cut, ten seconds later, without sizes in the image`() async throws {
        let whole = try await NordicBench.receiver(isLegacy: true).flashReceiver(image())
        for number in [whole.statistics.packetsReceived / 2, whole.statistics.packetsReceived - 20] {
            let bench = NordicBench.receiver(isLegacy: true, faults: [.cut(afterPacket: number)])
            let result = try await bench.flashReceiver(image())
            #expect(result.report?.verified == .reappeared, "\(result.outcome)")
            #expect(result.application == firmware?.bytes)
            #expect(transfers(result) == 2)
            #expect(result.took < whole.took + .seconds(25), "\(result.took) \(whole.took)")
            #expect(result.statistics.bootloader.packetsDropped == 0)
        }
    }

    @Test func `is told once more to start if the link was cut before it received that`() async throws {
        let whole = try await NordicBench.receiver(isLegacy: true).flashReceiver(image())
        var told = 0
        for number in whole.statistics.packetsReceived - 14...whole.statistics.packetsReceived {
            let bench = NordicBench.receiver(isLegacy: true, faults: [.cut(beforePacket: number)])
            let result = try await bench.flashReceiver(image())
            #expect(result.isRight, "\(number): \(result.outcome)")
            #expect(result.application == firmware?.bytes, "\(number)")
            if result.reasons == [.device.activationUnconfirmed] { told += 1 }
        }
        #expect(told == 1)
    }

    @Test(arguments: ApplicationReceiver.OtherServices.allCases)
    func `may be silent because the image is wrong, and keeps running`(
        _ otherServices: ApplicationReceiver.OtherServices
    ) async throws {
        let bench = NordicBench.receiver(isLegacy: true, faults: (1...2000).map { .loseFlashWrite($0) }) {
            $0.otherServices = otherServices
        }
        let result = try await bench.flashReceiver(image())
        #expect(result.failure?.code.rawValue == "validation-unanswered", "\(result.outcome)")
        #expect(result.failure?.message.contains("checksum") == true)
        #expect(result.failure?.state?.program == .application)
        #expect(result.failure?.state?.application == .intact)
    }

    @Test func `with an unchanged version is reported so, and is updated if that risk is accepted`()
        async throws
    {
        var bench = NordicBench.receiver(isLegacy: true, updated: "1.15.0")
        let refused = try await bench.flashReceiver(image())
        #expect(refused.failure?.message.contains("it reports version 1.15.0, as before") == true)
        #expect(refused.failure?.remedy?.description.contains("unchanged-version") == true)
        #expect(refused.failure?.state?.application == .unknown)
        bench.risks = [.unchangedVersion]
        let accepted = try await bench.flashReceiver(image())
        #expect(accepted.report?.verified == .no, "\(accepted.outcome)")
        #expect(accepted.report?.revision == "1.15.0")
        #expect(accepted.hasWarnedOfActivation)
        #expect(accepted.application == firmware?.bytes)
        #expect(transfers(accepted) == 1)
    }

    @Test func `is not reported as updated by that risk if its image was refused`() async throws {
        var bench = NordicBench.receiver(isLegacy: true, faults: (1...2000).map { .loseFlashWrite($0) })
        bench.risks = [.unchangedVersion]
        let result = try await bench.flashReceiver(image())
        #expect(result.failure?.code.rawValue == "validation-unanswered", "\(result.outcome)")
    }

    @Test func `is updated after one corrupted flash write was repeated`() async throws {
        let result = try await NordicBench.receiver(isLegacy: true, faults: [.loseFlashWrite(9)])
            .flashReceiver(
                image())
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.reasons.map(\.rawValue) == ["validation-unanswered"])
    }

    @Test func `with updates switched off is asked once`() async throws {
        let result = try await NordicBench.receiver(isLegacy: true) { $0.isSwitchedOff = true }.flashReceiver(
            image())
        #expect(result.failure?.code == .device.updatesNotAllowed, "\(result.outcome)")
        #expect(!result.phases.contains(.enteringBootloader))
        #expect(result.took < .seconds(5))
    }

    @Test(arguments: [1, 8, 20, 255, 300, 0]) func `accepts any receipt interval`(_ receipts: Int)
        async throws
    {
        let result = try await NordicBench.receiver(isLegacy: true).flashReceiver(image(), receipts: receipts)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.report?.retries == 0)
    }

    @Test(arguments: [true, false]) func `is verified by a changed version if it reports nothing else`(
        _ answers: Bool
    ) async throws {
        let bench = NordicBench.receiver(isLegacy: true) {
            $0.otherServices = .information
            $0.answersActivation = answers
        }
        let result = try await bench.flashReceiver(image())
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.report?.revisionBefore == "1.15.0")
        #expect(transfers(result) == 1)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An application that takes Secure DFU itself` {
    private let firmware = TestFirmware(count: 9000)

    @Test(arguments: [true, false], [true, false]) func `is verified by its version`(
        _ isChatty: Bool, _ keepsState: Bool
    ) async throws {
        let bench = NordicBench.receiver(isLegacy: false) {
            $0.answersEveryPacket = isChatty
            $0.keepsState = keepsState
        }
        let result = try await bench.flashReceiver(firmware)
        #expect(result.report?.verified == .reappeared, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(transfers(result) == 1)
        let expected = try await bench.flashReceiver(firmware, expecting: "1.16.0")
        #expect(expected.report?.verified == .version, "\(expected.outcome)")
    }

    @Test(arguments: [0, 1, 10, nil]) func `may answer every packet in short form`(_ receipts: Int?)
        async throws
    {
        let bench = NordicBench.receiver(isLegacy: false) { $0.answersEveryPacket = true }
        let result = try await bench.flashReceiver(firmware, receipts: receipts)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
    }

    @Test(arguments: [true, false]) func `is updated over a link that is cut anywhere`(
        _ keepsState: Bool
    ) async throws {
        let bench = NordicBench.receiver(isLegacy: false) { $0.keepsState = keepsState }
        let count = try await bench.flashReceiver(firmware).statistics.packetsReceived
        for number in stride(from: 10, through: count, by: 7) {
            var cut = bench
            cut.faults = [.cut(afterPacket: number)]
            let result = try await cut.flashReceiver(firmware)
            #expect(result.isRight, "\(number): \(result.outcome)")
            #expect(result.application == firmware.image, "\(number)")
        }
    }

    @Test func `is not reported as updated by a text that never changes`() async throws {
        let bench = NordicBench.receiver(isLegacy: false, revision: "blue", updated: "blue")
        let result = try await bench.flashReceiver(firmware)
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(result.hasWarnedOfActivation)
    }
}
