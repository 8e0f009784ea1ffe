import Nordic
import Simulation
import TestSupport
import Testing
import UpdateBench
import UpdateEngine
import UpdateModel

private let count = 1200

/// Runs one update per fault; every one has to end with the right image.
private func expectRight(
    _ faults: [Fault], on personality: LegacyPersonality, retried: Bool? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let firmware = try LegacyFirmware(count: count)
    for fault in faults {
        let result = try await NordicBench.legacy(personality, faults: [fault]).flash(firmware)
        #expect(
            result.isRight, "\(personality.name), \(fault): \(result.outcome)", sourceLocation: sourceLocation
        )
        #expect(
            result.application == firmware.bytes, "\(personality.name), \(fault)",
            sourceLocation: sourceLocation)
        if let retried {
            #expect((result.report?.retries ?? 0 > 0) == retried, "\(fault)", sourceLocation: sourceLocation)
        }
    }
}

private let personalities: [LegacyPersonality] = [.sdk11, .adafruit, .sdk5_2]

@Suite(.timeLimit(.minutes(20))) struct `A Legacy update under faults` {
    /// Start, init, a receipt per 160 bytes but the last, the end, Validate.
    private static let notifications = 2 + (count - 1) / 160 + 2
    private static let packets = 2 + count / 20

    /// Before each next Start the bootloader is restarted, because it does not forget the lost link's update.
    @Test(arguments: personalities, [1, 2, 7])
    func `is given up after as many lost links as the user allows`(
        _ personality: LegacyPersonality, _ attempts: Int
    ) async throws {
        var bench = NordicBench.legacy(
            personality, faults: (1...40).map { Fault.cut(afterPacket: 60 * $0) })
        bench.policy.fruitlessLinks = attempts
        let result = try await bench.flash(LegacyFirmware(count: 4000))
        #expect(result.failure?.code == .device.linkLost, "\(result.outcome)")
        let retries = result.events.compactMap { event -> Int? in
            if case .retry(_, .device.linkLost, 0, let link) = event { link } else { nil }
        }
        #expect(retries == Array(1..<attempts).map { $0 + 1 })
    }

    @Test(arguments: personalities)
    func `survives a link that is cut at any packet, before and after it`(
        _ personality: LegacyPersonality
    ) async throws {
        let firmware = try LegacyFirmware(count: count)
        let whole = try await NordicBench.legacy(personality).flash(firmware).statistics.packetsReceived
        var unproven = 0
        for number in 1...whole {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                let result = try await NordicBench.legacy(personality, faults: [fault]).flash(firmware)
                #expect(result.isRight || result.isUnconfirmed, "\(fault) of \(whole): \(result.outcome)")
                #expect(result.application == firmware.bytes, "\(fault)")
                if result.isUnconfirmed { unproven += 1 }
            }
        }
        print("\(personality.name): \(2 * whole) cuts, all on the image; \(unproven) ended unconfirmed")
        #expect(unproven <= 2)
    }

    @Test(arguments: personalities)
    func `survives any one lost notification`(_ personality: LegacyPersonality) async throws {
        try await expectRight((1...Self.notifications).map { .loseNotification($0) }, on: personality)
    }

    @Test(arguments: personalities)
    func `survives any one doubled notification without a retry`(
        _ personality: LegacyPersonality
    ) async throws {
        try await expectRight(
            (1...Self.notifications).map { .doubleNotification($0) }, on: personality, retried: false)
    }

    @Test(arguments: [Duration.milliseconds(700), .seconds(7), .seconds(12), .seconds(40)])
    func `survives any one late notification`(_ delay: Duration) async throws {
        try await expectRight((1...Self.notifications).map { .delayNotification($0, by: delay) }, on: .sdk11)
    }

    @Test func `survives any two notifications in the wrong order`() async throws {
        try await expectRight((1...Self.notifications).map { .reorderNotification($0) }, on: .sdk11)
    }

    @Test(arguments: personalities)
    func `survives any one lost packet, by starting over`(_ personality: LegacyPersonality) async throws {
        try await expectRight((1...Self.packets).map { .losePacket($0) }, on: personality, retried: true)
    }

    @Test(arguments: personalities)
    func `survives a loss of power in any packet`(_ personality: LegacyPersonality) async throws {
        let firmware = try LegacyFirmware(count: count)
        let whole = try await NordicBench.legacy(personality).flash(firmware).statistics.packetsReceived
        for number in 1..<whole {
            let result = try await NordicBench.legacy(personality, faults: [.powerLoss(afterPacket: number)])
                .flash(firmware)
            #expect(result.isRight, "packet \(number) of \(whole): \(result.outcome)")
            #expect(result.application == firmware.bytes, "packet \(number)")
        }
    }

    @Test func `waits for a bootloader that is slow to appear`() async throws {
        try await expectRight([.slowBootloader(.seconds(12))], on: .sdk11)
    }

    @Test func `starts over after a dropped flash write, and ends with the image`() async throws {
        try await expectRight([.loseFlashWrite(9)], on: .sdk11, retried: true)
    }

    @Test(arguments: [LegacyPersonality.sdk11, .sdk11TwoBanks])
    func `begins in the application and survives a cut at any packet`(
        _ personality: LegacyPersonality
    ) async throws {
        let firmware = try LegacyFirmware(count: 400)
        let whole = try await NordicBench.legacy(personality, entering: true).flash(firmware, entering: true)
            .statistics.packetsReceived
        for number in 1...whole {
            for fault in [Fault.cut(beforePacket: number), .cut(afterPacket: number)] {
                let result = try await NordicBench.legacy(personality, faults: [fault], entering: true)
                    .flash(firmware, entering: true)
                // Its version is unchanged, so a link that ends after Activate verifies nothing.
                #expect(
                    result.isRight || result.isUnconfirmed,
                    "\(fault) of \(whole): \(String(describing: result.failure))")
                #expect(result.application == firmware.bytes, "\(fault)")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct `A Legacy update under random faults` {
    private static let runs = 300
    private static let batches = 3

    private static func any(_ packets: Int, _ seed: inout Seed) -> Fault {
        let packet = Int.random(in: 1...packets + 10, using: &seed)
        let notification = Int.random(in: 1...14, using: &seed)
        switch Int.random(in: 0..<11, using: &seed) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .losePacket(Int.random(in: 1...70, using: &seed))
        case 3: return .loseNotification(notification)
        case 4: return .doubleNotification(notification)
        case 5:
            let delay = Duration.milliseconds(Int.random(in: 1...45_000, using: &seed))
            return .delayNotification(notification, by: delay)
        case 6: return .reorderNotification(notification)
        case 7: return .powerLoss(afterPacket: packet)
        case 8: return .loseFlashWrite(Int.random(in: 1...60, using: &seed))
        case 9: return .slowBootloader(.milliseconds(Int.random(in: 1...7000, using: &seed)))
        default: return .silence(fromPacket: packet)
        }
    }

    private static let failures: Set<String> = [
        "transfer-stalled", "no-answer", "left-bootloader", "link-lost", "image-crc-mismatch",
        "image-incomplete", "wrong-state", "unexpected-answer", "data-overrun", "activation-failed",
        "activation-unconfirmed",
        // The refusal of a Start that a device from before SDK 7 does not know, doubled, and the next answer lost.
        "image-type-unsupported",
    ]

    @Test(arguments: 0..<batches) func `ends with the right image or with an exact code`(
        _ batch: Int
    ) async throws {
        var seed = Seed(Seed.ofThisRun &+ UInt64(batch) << 40)
        let personality = personalities[batch % personalities.count]
        let isEntering = batch == 1
        let firmware = try LegacyFirmware(count: count)
        let packets = try await NordicBench.legacy(personality).flash(firmware).statistics.packetsReceived
        var endings: [String: Int] = [:]
        for number in 0..<Self.runs / Self.batches {
            let faults = (0..<Int.random(in: 1...4, using: &seed)).map { _ in Self.any(packets, &seed) }
            let result = try await NordicBench.legacy(personality, faults: faults, entering: isEntering)
                .flash(firmware, entering: isEntering)
            let place = "seed \(Seed.ofThisRun), batch \(batch), run \(number): \(faults)"
            switch result.outcome {
            case .success(let report):
                #expect(result.application == firmware.bytes, "\(place)")
                endings[report.verified.rawValue, default: 0] += 1
            case .failure(let failure):
                #expect(Self.failures.contains(failure.code.rawValue), "\(place): \(failure)")
                endings[failure.code.rawValue, default: 0] += 1
            }
            #expect(result.took < .seconds(900), "\(place): \(result.took)")
        }
        print("seed \(Seed.ofThisRun), batch \(batch): \(endings.sorted { $0.value > $1.value })")
    }
}
