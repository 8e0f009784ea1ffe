import Dialog
import Simulation
import Synchronization
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let kinds = SUOTAPersonality.named.keys.sorted()
private let small = SUOTABench.firmware(600)

extension SUOTABenchResult {
    /// Success only if the new image runs; a failure is one of `codes`, and leaves an image that starts.
    func isHonest(_ firmware: SUOTAFirmware, orFailsWith codes: Set<String> = []) -> Bool {
        switch outcome {
        case .success: self.running?.payload == firmware.payload && self.running?.version == firmware.version
        case .failure(let failure): codes.contains(failure.code.rawValue) && self.next?.isIntact == true
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An update over SUOTA` {
    @Test(arguments: kinds) func `ends with the new image, as the device reports`(_ kind: String)
        async throws
    {
        let firmware = SUOTABench.firmware(9000)
        let result = try await SUOTABench(try #require(SUOTAPersonality.named[kind])).flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.report?.revision == "2.0.0")
        #expect(result.report?.retries == 0)
        #expect(result.report?.repeatedBytes == 0)
        #expect(result.running?.payload == firmware.payload)
        #expect(result.statistics.receiver.brokenRules == [])
        #expect(result.statistics.receiver.starts == 1)
        #expect(result.statistics.receiver.ends == 1)
    }

    @Test(arguments: ["da14585", "da14683", "da14683-channel"], [true, false])
    func `ends with it wherever the link is cut`(_ kind: String, _ isBefore: Bool) async throws {
        let personality = try #require(SUOTAPersonality.named[kind])
        let packets = try await SUOTABench(personality).flash(small).statistics.packetsReceived
        #expect(packets > 2)
        for number in 1...packets {
            let fault = isBefore ? Fault.cut(beforePacket: number) : .cut(afterPacket: number)
            let result = try await SUOTABench(personality, faults: [fault]).flash(small)
            #expect(result.isHonest(small) && result.report != nil, "\(fault): \(result.outcome)")
            #expect(result.statistics.receiver.brokenRules == [], "\(fault)")
        }
    }

    @Test(arguments: ["da14585", "da14683", "da14683-channel"])
    func `ends with it, or with a reason, after any fault of a status`(_ kind: String) async throws {
        let personality = try #require(SUOTAPersonality.named[kind])
        let statuses = try await SUOTABench(personality).flash(small).statistics.statuses.count
        #expect(statuses > 1)
        for number in 1...statuses {
            let faults: [Fault] = [
                .loseNotification(number), .doubleNotification(number), .suota(.earlyNotification(number)),
                .delayNotification(number, by: .seconds(4)), .delayNotification(number, by: .seconds(40)),
            ]
            for fault in faults {
                let result = try await SUOTABench(personality, faults: [fault]).flash(small)
                #expect(
                    result.isHonest(small, orFailsWith: ["activation-unconfirmed"]),
                    "\(fault): \(result.outcome)")
                #expect(result.statistics.receiver.brokenRules == [], "\(fault)")
            }
        }
    }

    @Test(arguments: ["da14585", "da14531", "da14683"])
    func `leaves an image that starts, wherever power fails`(_ kind: String) async throws {
        let personality = try #require(SUOTAPersonality.named[kind])
        let blocks = try await SUOTABench(personality).flash(small).statistics.receiver.blocks
        for number in 1...max(1, blocks) {
            let result = try await SUOTABench(personality, faults: [.suota(.powerLossInBlock(number))]).flash(
                small)
            #expect(result.isHonest(small) && result.report != nil, "block \(number): \(result.outcome)")
        }
    }

    @Test(arguments: [
        (Fault.suota(.wrongPins(.memoryRead)), "wrong-pins"),
        (.suota(.wrongPins(.productHeader)), "product-header-missing"),
        (.suota(.replaceStatus(1, with: 0x11)), "invalid-bank"),
        (.suota(.replaceStatus(2, with: 0x13)), "image-too-large"),
        (.suota(.replaceStatus(2, with: 0x15)), "same-image"),
        (.suota(.replaceStatus(2, with: 0x12)), "invalid-image-header"),
        (.suota(.replaceStatus(2, with: 0x06)), "flash-write-failed"),
        (.suota(.replaceStatus(1, with: 0x08)), "memory-type-refused"),
    ]) func `ends with the reason of a refusal, and the old image`(_ fault: Fault, _ code: String)
        async throws
    {
        let result = try await SUOTABench(.da14585, faults: [fault]).flash(small)
        #expect(result.failure?.code.rawValue == code, "\(result.outcome)")
        #expect(result.failure?.remedy?.description.isEmpty == false)
        #expect(result.running?.version == "1.0.0")
        #expect(result.next?.version == "1.0.0")
    }

    @Test func `detects a device that does not restart`() async throws {
        let result = try await SUOTABench(.da14585, faults: [.suota(.ignoreReboot)]).flash(small)
        #expect(result.failure?.code == .device.versionMismatch, "\(result.outcome)")
        #expect(result.failure?.remedy?.description.contains("off and on") == true)
        #expect(result.next?.version == "2.0.0")
    }

    @Test(arguments: [[], [Fault.suota(.ignoreReboot)]])
    func `claims nothing about a device that does not report its version`(_ faults: [Fault]) async throws {
        var bench = SUOTABench(.da14585, faults: faults)
        bench.change = { $0.reportsVersion = false }
        let result = try await bench.flash(small)
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(result.next?.version == "2.0.0")
    }

    @Test(arguments: [1, 3]) func `is not begun if any advertisement rules it out`(_ number: Int)
        async throws
    {
        let heard = Atomic(0)
        var bench = SUOTABench(.da14585)
        let before = try await bench.flash(small)
        #expect(before.report != nil)
        let refusal = UpdateFailure(.device.deviceNotFound, during: "listening", message: "\(number)")
        bench.admit = { (_) throws(UpdateFailure) in
            if heard.add(1, ordering: .relaxed).newValue == number { throw refusal }
        }
        let result = try await bench.flash(small)
        #expect(result.failure == refusal)
        #expect(result.statistics.links == 0)
        #expect(heard.load(ordering: .relaxed) >= number)
    }

    @Test func `names the expected version if the new application reports another`() async throws {
        var bench = SUOTABench(.da14585)
        bench.preferences.versionText = "9.9.9"
        let failure = try #require(try await bench.flash(small).failure)
        #expect(failure.code == .device.versionMismatch)
        #expect(failure.message.hasSuffix("the new application reports version 2.0.0; 9.9.9 was expected"))
        #expect(failure.state?.application == .new)
    }

    @Test(arguments: [true, false]) func `uses the channel unless blocks are requested`(_ asks: Bool)
        async throws
    {
        var bench = SUOTABench(.da14683Channel)
        bench.preferences.blockSize = asks ? 240 : nil
        let result = try await bench.flash(small)
        #expect(result.report?.verified == .version)
        #expect(result.events.contains { if case .detail(.block) = $0 { true } else { false } } == asks)
    }

    @Test(arguments: ["2.0.0", "1.0.0"], [[], [Fault.loseFlashWrite(9)]])
    func `claims nothing from a version that ran before`(_ version: String, _ faults: [Fault]) async throws {
        var bench = SUOTABench(.da14585, faults: faults)
        bench.preferences.risks = [.sameVersion]
        bench.preferences.versionText = version
        bench.change = {
            $0.board.first?.version = version
            $0.firmwareRevision = version
        }
        let result = try await bench.flash(SUOTABench.firmware(4000))
        #expect(result.report?.verified == .no, "\(result.outcome)")
        #expect(
            result.events.contains {
                if case .warning(.device.activationUnconfirmed, _) = $0 { true } else { false }
            })
    }

    @Test(arguments: ["da14585", "da14683"])
    func `is limited by retries, not by flash, if a status was lost`(_ kind: String) async throws {
        let personality = try #require(SUOTAPersonality.named[kind])
        let result = try await SUOTABench(personality, faults: [.loseNotification(4)]).flash(
            SUOTABench.firmware(4000))
        #expect(result.report?.verified == .version)
        #expect(result.report?.limitedBy == .retries)
    }

    @Test func `uses the long chunks of a DA1468x that does not report them`() async throws {
        var bench = SUOTABench(.da14681Old)
        bench.preferences.chunkSize = 120
        let result = try await bench.flash(SUOTABench.firmware(4000))
        #expect(result.report?.verified == .version, "\(result.outcome)")
        let usual = try await SUOTABench(.da14681Old).flash(SUOTABench.firmware(4000))
        #expect(result.statistics.packetsReceived < usual.statistics.packetsReceived / 2)
    }

    @Test func `that has failed with a forced bank reports what that may have cost`() async throws {
        var bench = SUOTABench(.da14585, faults: [.suota(.cutInBlock(3))])
        bench.policy.fruitlessLinks = 1
        (bench.preferences.bank, bench.preferences.risks) = (.first, [.runningBank])
        let failure = try await bench.flash(SUOTABench.firmware(4000)).failure
        #expect(failure?.code == .device.linkLost)
        #expect(failure?.remedy?.description.contains("Do not switch the beacon off") == true)
    }

    /// A device that checks a signature for `seconds`, and a program configured for that.
    private static func checking(
        _ seconds: Int, holds: Bool = true, _ faults: [Fault] = []
    ) -> SUOTABench {
        var bench = SUOTABench(.da14531, faults: faults)
        bench.preferences.awaitsSignature = true
        bench.change = {
            $0.board.signatureCheck = .seconds(seconds)
            $0.board.signatureHolds = holds
        }
        return bench
    }

    @Test(arguments: [1, 8, 59]) func `waits for a device that checks a signature`(_ seconds: Int)
        async throws
    {
        let result = try await Self.checking(seconds).flash(small)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.report?.retries == 0)
        #expect(result.running?.payload == small.payload)
    }

    @Test func `ends with the reason if a signature is bad, and the old image`() async throws {
        let result = try await Self.checking(8, holds: false).flash(small)
        #expect(result.failure?.code.rawValue == "image-refused", "\(result.outcome)")
        #expect(result.running?.version == "1.0.0")
        #expect(result.next?.version == "1.0.0")
    }

    @Test func `detects an image that is dropped because its signature check was not awaited`() async throws {
        var bench = Self.checking(8)
        bench.preferences.awaitsSignature = false
        let result = try await bench.flash(small)
        #expect(result.failure?.code == .device.versionMismatch, "\(result.outcome)")
        #expect(result.running?.version == "1.0.0")
    }

    @Test func `ends well, or with a reason, after any fault of a status during a signature check`()
        async throws
    {
        let statuses = try await Self.checking(3).flash(small).statistics.statuses.count
        #expect(statuses > 3)
        for number in 1...statuses {
            let faults: [Fault] = [
                .loseNotification(number), .doubleNotification(number), .suota(.earlyNotification(number)),
                .delayNotification(number, by: .seconds(4)), .delayNotification(number, by: .seconds(40)),
            ]
            for fault in faults {
                let result = try await Self.checking(3, [fault]).flash(small)
                #expect(
                    result.isHonest(small, orFailsWith: ["activation-unconfirmed", "version-mismatch"]),
                    "\(fault): \(result.outcome)")
            }
        }
    }

    @Test func `reports correctly wherever the link is cut during a signature check`() async throws {
        let packets = try await Self.checking(8).flash(small).statistics.packetsReceived
        var ends: Set<String> = []
        for number in 1...packets {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                let result = try await Self.checking(8, [fault]).flash(small)
                #expect(
                    result.isHonest(small, orFailsWith: ["version-mismatch"]), "\(fault): \(result.outcome)")
                ends.insert(result.failure?.code.rawValue ?? "right")
                #expect(result.statistics.receiver.brokenRules == [], "\(fault)")
            }
        }
        // This device drops an image whose check was interrupted.
        #expect(ends == ["right", "version-mismatch"])
    }

    @Test func `detects that the old image was started again`() async throws {
        let result = try await SUOTABench(.da14585, faults: [.loseFlashWrite(9)]).flash(
            SUOTABench.firmware(4000))
        #expect(result.failure?.code == .device.versionMismatch, "\(result.outcome)")
        #expect(result.running?.version == "1.0.0")
    }

    @Test func `does nothing to a device that has this version, unless told to`() async throws {
        var bench = SUOTABench(.da14585)
        bench.change = { $0.board.first?.version = "2.0.0" }
        let refused = try await bench.flash(small)
        #expect(refused.failure?.code.rawValue == "same-version", "\(refused.outcome)")
        #expect(refused.statistics.receiver.starts == 0)
        bench.preferences.risks = [.sameVersion]
        let result = try await bench.flash(small)
        #expect(result.running?.payload == small.payload, "\(result.outcome)")
    }

    @Test func `needs permission before it may overwrite the running image`() async throws {
        var bench = SUOTABench(.da14585)
        bench.preferences.bank = .first
        let refused = try await bench.flash(small)
        #expect(refused.failure?.code.rawValue == "running-bank-risk", "\(refused.outcome)")
        #expect(refused.statistics.receiver.starts == 0)
    }

    @Test func `continues in writes if the channel is refused`() async throws {
        let result = try await SUOTABench(.da14683Channel, faults: [.suota(.refuseChannel)]).flash(small)
        #expect(result.running?.payload == small.payload, "\(result.outcome)")
        #expect(result.statistics.receiver.brokenRules == [])
    }
}
