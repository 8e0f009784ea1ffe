import Simulation
import Testing
import UpdateBench
import UpdateModel

/// Three whole objects and a short one.
private let firmware = TestFirmware(count: 3 * 4096 + 300)

/// Runs one update per fault; every one has to end with the right image, and to report it as verified unless
/// `mayBeUnconfirmed`.
private func expectRight(
    _ faults: [Fault], on personality: SecurePersonality = .sdk17_1, retried: Bool? = nil,
    mayBeUnconfirmed: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    for fault in faults {
        let result = try await NordicBench(personality: personality, faults: [fault]).flash(firmware)
        #expect(
            result.isRight || mayBeUnconfirmed && result.isUnconfirmed, "\(fault): \(result.outcome)",
            sourceLocation: sourceLocation)
        #expect(result.application == firmware.image, "\(fault)", sourceLocation: sourceLocation)
        if let retried {
            #expect((result.report?.retries ?? 0 > 0) == retried, "\(fault)", sourceLocation: sourceLocation)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Secure DFU update under faults` {
    /// The number of notifications and of data packets in a run without faults.
    private func counts() async throws -> (notifications: Int, data: Int) {
        let statistics = try await NordicBench().flash(firmware).statistics
        // Set PRN, Select, Create, CRC, Execute, Select; then Create, CRC, Execute for each object.
        return (6 + 4 * 3, statistics.commandsReceived)
    }

    @Test(arguments: [SecurePersonality.sdk15_3, .sdk17_1])
    func `survives any one lost notification`(_ personality: SecurePersonality) async throws {
        let count = try await counts().notifications
        try await expectRight(
            (1...count).map { .loseNotification($0) }, on: personality, mayBeUnconfirmed: true)
    }

    @Test(arguments: [SecurePersonality.sdk15_3, .sdk17_1])
    func `survives any one doubled notification without a retry`(
        _ personality: SecurePersonality
    ) async throws {
        let count = try await counts().notifications
        try await expectRight((1...count).map { .doubleNotification($0) }, on: personality, retried: false)
    }

    @Test(arguments: [Duration.milliseconds(700), .seconds(4), .seconds(12)])
    func `survives any one late notification`(_ delay: Duration) async throws {
        let count = try await counts().notifications
        try await expectRight((1...count).map { .delayNotification($0, by: delay) }, mayBeUnconfirmed: true)
    }

    @Test func `survives any two notifications in the wrong order`() async throws {
        let count = try await counts().notifications
        try await expectRight((1...count).map { .reorderNotification($0) }, mayBeUnconfirmed: true)
    }

    @Test func `survives any one lost data packet, by sending the object again`() async throws {
        let count = try await counts().data
        try await expectRight((1...count).map { .losePacket($0) }, retried: true)
    }

    @Test func `survives any one wrong CRC`() async throws {
        try await expectRight((1...5).map { .nordic(.corruptChecksum($0)) })
    }

    @Test func `survives a loss of power in any packet`() async throws {
        let bench = NordicBench(change: { $0.applicationImage = [] })
        let packets = try await bench.flash(firmware).statistics.packetsReceived
        for number in 1..<packets - 6 {
            var broken = bench
            broken.faults = [.powerLoss(afterPacket: number)]
            let result = try await broken.flash(firmware)
            #expect(result.application == firmware.image, "packet \(number): \(result.outcome)")
        }
    }

    @Test func `reports when the beacon went back to its old application`() async throws {
        let result = try await NordicBench(faults: [.powerLoss(afterPacket: 40)]).flash(firmware)
        #expect(result.failure?.code == .device.leftBootloader)
    }

    @Test func `waits for a bootloader that is slow to appear`() async throws {
        try await expectRight([.slowBootloader(.seconds(12))])
    }

    @Test func `ends with no-answer when the device falls silent for good`() async throws {
        let packets = try await NordicBench().flash(firmware).statistics.packetsReceived
        for number in stride(from: 1, to: packets - 6, by: 7) {
            let silence = (number...number + 1000).map { Fault.silence(fromPacket: $0) }
            let result = try await NordicBench(faults: silence).flash(firmware)
            #expect(result.failure?.code == .device.noAnswer, "packet \(number): \(result.outcome)")
            // Five links, each given up after 30 s without an answer, and the pauses between them.
            #expect(result.took > .seconds(157) && result.took < .seconds(162), "\(result.took)")
            #expect(
                result.events.count { if case .retry(_, .device.noAnswer, _, _) = $0 { true } else { false } }
                    == 4)
            #expect(result.isFree)
        }
    }

    @Test func `is not misled by settings that were written after their object was erased again`()
        async throws
    {
        let short = TestFirmware(count: 4396)
        let faults: [Fault] = [.cut(beforePacket: 37), .cut(afterPacket: 49)]
        let result = try await NordicBench(personality: .sdk17_1SavingProgress, faults: faults).flash(short)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == short.image)
    }

    @Test func `ends with the exact code when a flash write was dropped`() async throws {
        let result = try await NordicBench(faults: [.loseFlashWrite(9)]).flash(firmware)
        #expect(result.failure?.code.rawValue == "image-hash-mismatch", "\(result.outcome)")
        #expect(result.application != firmware.image)
    }

    @Test func `gives up an object that never arrives intact, after three retries`() async throws {
        let faults = (1...200).map { Fault.nordic(.corruptChecksum($0)) }
        let result = try await NordicBench(faults: faults).flash(firmware)
        #expect(result.failure?.code == .device.imageCRCMismatch)
    }

    @Test(
        arguments: [
            ([0x0B, 0x05], "firmware-version-too-low"), ([0x0B, 0x06], "hardware-version-mismatch"),
            ([0x0B, 0x07], "softdevice-mismatch"), ([0x0B, 0x08], "signature-missing"),
            ([0x0B, 0x0C], "image-hash-mismatch"), ([0x0B, 0x0D], "insufficient-space"),
            ([0x04], "insufficient-resources"), ([0x02], "opcode-not-supported"),
            ([0x03], "invalid-parameter"),
            ([0x77], "unknown-result"),
        ] as [([UInt8], String)])
    func `ends with the exact code of a refused init packet`(_ result: [UInt8], _ code: String) async throws {
        // Request 5 is the init packet's Execute: Set PRN, Select, Create, CRC, Execute.
        let outcome = try await NordicBench(faults: [.nordic(.answerRequest(5, with: result))]).flash(
            firmware)
        #expect(outcome.failure?.code.rawValue == code, "\(outcome.outcome)")
    }

    @Test func `creates an object again when its erase could not be queued`() async throws {
        try await expectRight([.nordic(.answerRequest(7, with: [0x05]))])
    }

    @Test func `executes again when the flash queue was full`() async throws {
        try await expectRight([.nordic(.answerRequest(9, with: [0x0A]))])
    }

    @Test func `works at an MTU of 23`() async throws {
        var personality = SecurePersonality.sdk17_1
        personality.maximumMTU = 23
        let result = try await NordicBench(personality: personality).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.statistics.bootloader.packetsDropped == 0)
    }

    @Test(arguments: [0, 1, 2, 5, 12, 100])
    func `works at any receipt interval`(_ interval: Int) async throws {
        let result = try await NordicBench(receiptInterval: interval).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.report?.retries == 0)
    }

    @Test(arguments: [1, 3, 4, 243, 244, 245, 4095, 4096, 4097, 8192])
    func `works for an image of any length`(_ length: Int) async throws {
        let small = TestFirmware(count: length)
        let result = try await NordicBench().flash(small)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == small.image)
    }

    @Test func `never sends a byte that the bootloader has to drop`() async throws {
        let result = try await NordicBench().flash(firmware)
        #expect(result.statistics.bootloader.packetsDropped == 0)
        #expect(result.statistics.bootloader.buffersLeaked == 0)
    }

    @Test func `learns to go slower on a link that is too fast for the flash`() async throws {
        let result = try await NordicBench(link: nil).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.application == firmware.image)
    }
}
