import Simulation
import Testing
import UpdateBench
import UpdateModel

private let firmware = TestFirmware(count: 3 * 4096 + 300)

@Suite(.timeLimit(.minutes(10))) struct `The events of an update` {
    @Test func `name the phases in order`() async throws {
        let result = try await NordicBench().flash(firmware)
        #expect(
            result.phases == [.connecting, .preparing, .transferring, .activating, .rebooting, .verifying])
        let connected = result.events.firstIndex {
            if case .connected(_, let link) = $0 { link.mtu == 247 } else { false }
        }
        let progress = result.events.firstIndex { if case .progress = $0 { true } else { false } }
        #expect(try #require(connected) < #require(progress))
        #expect(result.moments == result.moments.sorted())
    }

    @Test(arguments: [[], [Fault.losePacket(20), .losePacket(40)], [.cut(afterPacket: 50)]] as [[Fault]])
    func `count firmware upwards, at most ten times a second, to the last byte`(
        _ faults: [Fault]
    ) async throws {
        let result = try await NordicBench(personality: .sdk15_3, faults: faults).flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        var last = 0
        var reports: [Duration] = []
        for (event, moment) in zip(result.events, result.moments) {
            switch event {
            case .progress(let sent, let total, let rate):
                #expect(total == firmware.image.count)
                #expect(sent > last && sent <= total)
                #expect(rate > 0)
                last = sent
                reports.append(moment)
            case .retry(_, _, let offset, _): last = min(last, offset)
            case .resumed(let offset): last = min(last, offset)
            default: break
            }
        }
        #expect(last == firmware.image.count)
        // The very last byte is reported in any case.
        for (earlier, later) in zip(reports.dropLast(), reports.dropFirst().dropLast()) {
            #expect(later - earlier >= .milliseconds(100))
        }
        #expect(reports.count > 3)
    }

    @Test func `have speeds for each object`() async throws {
        let result = try await NordicBench().flash(firmware)
        let speeds = result.events.compactMap { if case .speed(let speeds) = $0 { speeds } else { nil } }
        #expect(speeds.count == 4)
        for speed in speeds {
            #expect(speed.min <= speed.current && speed.current <= speed.max)
            // Between two blocks no bytes are sent, which only the average includes.
            #expect(speed.average <= speed.max)
        }
        let report = try #require(result.report)
        #expect(report.bytes == firmware.image.count)
        #expect(report.seconds > report.transferSeconds)
        #expect(report.averageBytesPerSecond == speeds.last?.average)
    }

    @Test func `have the offset at which an update resumes`() async throws {
        let result = try await NordicBench(personality: .sdk15_3, faults: [.cut(afterPacket: 50)]).flash(
            firmware)
        #expect(
            result.events.contains { if case .resumed(let offset) = $0 { offset > 4096 } else { false } })
        #expect(result.phases.count { $0 == .connecting } == 2)
        #expect(result.report?.retries == 1)
    }

    private static func beginnings(_ result: NordicBenchResult) -> [Int] {
        result.events.compactMap { event in
            if case .detail(.sentFromFirstByte(let offset)) = event { offset } else { nil }
        }
    }

    /// A Secure bootloader keeps what it was sent, a Legacy one does not.
    @Test(arguments: [[], [Fault.cut(afterPacket: 50)], [.cut(afterPacket: 30), .cut(afterPacket: 90)]])
    func `tell how often firmware is sent from its first byte`(_ faults: [Fault]) async throws {
        let secure = try await NordicBench(personality: .sdk15_3, faults: faults).flash(firmware)
        #expect(secure.isRight && Self.beginnings(secure) == [0], "\(secure.outcome)")
        let small = try LegacyFirmware(count: 4000)
        let legacy = try await NordicBench.legacy(.sdk11, faults: faults).flash(small)
        #expect(legacy.application == small.bytes, "\(legacy.outcome)")
        #expect(Self.beginnings(legacy) == Array(repeating: 0, count: 1 + faults.count))
    }

    @Test func `tell that an object was sent again from its first byte`() async throws {
        let result = try await NordicBench(faults: [.losePacket(5)]).flash(firmware)
        #expect(result.isRight && Self.beginnings(result) == [0, 0], "\(result.outcome)")
        let later = try await NordicBench(faults: [.losePacket(40)]).flash(firmware)
        #expect(later.isRight && Self.beginnings(later) == [0], "\(later.outcome)")
    }

    /// Only the next link shows what a Secure bootloader has kept; Legacy DFU always begins again.
    @Test func `give the number of the next link after a lost one, and only then`() async throws {
        let cut = [Fault.cut(afterPacket: 50)]
        let secure = try await NordicBench(faults: cut).flash(firmware)
        #expect(secure.isRight && Self.links(secure) == [2], "\(secure.outcome)")
        let legacy = try await NordicBench.legacy(.sdk11, faults: cut).flash(try LegacyFirmware(count: 4000))
        #expect(Self.links(legacy) == [2], "\(legacy.outcome)")
        let repeated = try await NordicBench(faults: [.losePacket(20)]).flash(firmware)
        #expect(repeated.isRight && Self.links(repeated) == [nil], "\(repeated.outcome)")
    }

    private static func links(_ result: NordicBenchResult) -> [Int?] {
        result.events.compactMap { event -> Int?? in
            if case .retry(_, _, _, let link) = event { .some(link) } else { nil }
        }
    }

    @Test func `have as many retries as the report`() async throws {
        let result = try await NordicBench(faults: [.losePacket(20), .losePacket(60), .loseNotification(3)])
            .flash(firmware)
        let attempts = result.events.compactMap { event -> Int? in
            if case .retry(let attempt, _, _, _) = event { attempt } else { nil }
        }
        #expect(attempts == Array(1...3))
        #expect(result.report?.retries == 3)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The limiting factor of an update` {
    private func limit(_ bench: NordicBench) async throws -> SpeedLimit? {
        try await bench.flash(TestFirmware(count: 20_000)).report?.limitedBy
    }

    @Test func `is the air if a link has little time`() async throws {
        var link = LinkModel()
        link.eventLength = .microseconds(2500)
        #expect(try await limit(NordicBench(link: link)) == .air)
    }

    @Test func `is the flash if all waits are for the flash`() async throws {
        let report = try await NordicBench(timing: .instant, link: nil).flash(TestFirmware(count: 20_000))
            .report
        #expect(report?.limitedBy == .flash)
    }

    @Test func `is the answers if each packet has a receipt`() async throws {
        #expect(try await limit(NordicBench(receiptInterval: 1)) == .answers)
    }

    @Test func `is not the retries if only steps before the firmware were repeated`()
        async throws
    {
        let report = try await NordicBench(faults: [.cut(afterPacket: 6)]).flash(TestFirmware(count: 4000))
            .report
        #expect(report?.retries == 1)
        #expect(report?.limitedBy != .retries)
    }

    @Test func `is the retries if the same data is sent repeatedly`() async throws {
        let faults = stride(from: 20, to: 200, by: 17).map { Fault.losePacket($0) }
        #expect(try await limit(NordicBench(faults: faults)) == .retries)
    }
}
