import SimulatedDevice
import SimulatedRadio
import TestSupport
import Testing
import UpdateBench
import UpdateCore

private let firmware = TestFirmware(count: 4096 + 300)

extension Fault {
    /// Any fault, somewhere in an update of so many packets.
    fileprivate static func any(_ packets: Int, _ seed: inout Seed) -> Fault {
        let packet = Int.random(in: 1...packets + 10, using: &seed)
        let notification = Int.random(in: 1...16, using: &seed)
        switch Int.random(in: 0..<13, using: &seed) {
        case 0: return .cut(beforePacket: packet)
        case 1: return .cut(afterPacket: packet)
        case 2: return .losePacket(Int.random(in: 1...40, using: &seed))
        case 3: return .loseNotification(notification)
        case 4: return .doubleNotification(notification)
        case 5:
            let delay = Duration.milliseconds(Int.random(in: 1...25_000, using: &seed))
            return .delayNotification(notification, by: delay)
        case 6: return .reorderNotification(notification)
        case 7: return .corruptChecksum(Int.random(in: 1...6, using: &seed))
        case 8:
            let results: [[UInt8]] = [[2], [3], [4], [5], [7], [8], [10], [11, 5], [11, 12], [0x77]]
            return .answerRequest(
                Int.random(in: 1...14, using: &seed), with: results.randomElement(using: &seed) ?? [5])
        case 9: return .powerLoss(afterPacket: packet)
        case 10: return .loseFlashWrite(Int.random(in: 1...20, using: &seed))
        case 11: return .slowBootloader(.milliseconds(Int.random(in: 1...7000, using: &seed)))
        default: return .silence(fromPacket: packet)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `An update under random faults` {
    private static let runs = 1250
    private static let batches = 5
    private static let personalities: [BootloaderPersonality] = [
        .sdk15_3, .sdk16_0, .sdk17_1, .sdk17_1SavingProgress, .sdk17_1,
    ]

    /// What a result code of a fault may end in.
    private static let refusals: Set<String> = [
        "opcode-not-supported", "invalid-parameter", "insufficient-resources", "invalid-object",
        "init-packet-refused", "boot-validation-failed", "operation-not-permitted", "operation-failed",
        "firmware-version-too-low", "unknown-result", "image-hash-mismatch",
    ]

    /// How an update may fail under these faults, and no other way.
    private static func failures(of faults: [Fault]) -> Set<String> {
        faults.reduce(into: []) { codes, fault in
            switch fault {
            // Two silent links take longer than the 120 s after which a bootloader gives up.
            case .silence: codes.formUnion(["no-answer", "left-bootloader"])
            case .loseNotification, .delayNotification, .reorderNotification, .corruptChecksum:
                codes.formUnion(["image-crc-mismatch"])
            case .powerLoss: codes.formUnion(["left-bootloader"])
            case .loseFlashWrite: codes.formUnion(["image-hash-mismatch", "left-bootloader"])
            case .answerRequest: codes.formUnion(refusals)
            default: break
            }
        }
    }

    @Test(arguments: 0..<batches) func `ends with the right image or with an exact code`(
        _ batch: Int
    ) async throws {
        var seed = Seed(Seed.ofThisRun &+ UInt64(batch) << 40)
        var bench = Bench(personality: Self.personalities[batch])
        // The last batch begins in the application.
        if batch == Self.batches - 1 {
            bench.entering = Bench.Entering()
            bench.change = { $0.program = .application }
        }
        let packets = try await bench.flash(firmware).statistics.packetsReceived
        var endings: [String: Int] = [:]
        for number in 0..<Self.runs / Self.batches {
            var broken = bench
            broken.faults = (0..<Int.random(in: 1...4, using: &seed)).map { _ in .any(packets, &seed) }
            let result = try await broken.flash(firmware)
            let place = "seed \(Seed.ofThisRun), batch \(batch), run \(number): \(broken.faults)"
            switch result.outcome {
            case .success(let report):
                let isRight = result.application == firmware.image
                if report.verified == .no {
                    #expect(result.hasWarnedOfActivation, "\(place)")
                } else {
                    #expect(isRight, "\(place)")
                }
                if !isRight { endings["unconfirmed and not there", default: 0] += 1 }
                endings[report.verified.rawValue, default: 0] += 1
            // The old application came up, and says so.
            case .failure(let failure) where failure.code == .versionMismatch:
                #expect(result.application != firmware.image, "\(place)")
                endings[failure.code.rawValue, default: 0] += 1
            case .failure(let failure):
                #expect(
                    Self.failures(of: broken.faults).contains(failure.code.rawValue), "\(place): \(failure)")
                endings[failure.code.rawValue, default: 0] += 1
            }
            #expect(result.took < .seconds(400), "\(place): \(result.took)")
        }
        print("seed \(Seed.ofThisRun), batch \(batch): \(endings.sorted { $0.value > $1.value })")
    }
}
