import MCUboot
import Simulation
import Synchronization
import Testing
import UpdateBench
import UpdateModel

@testable import UpdateEngine

/// What counts for first-pass yield (docs/formats/report.md).
@Suite(.timeLimit(.minutes(10))) struct `An image counts as sent from its first byte` {
    enum Family: String, CaseIterable, CustomTestStringConvertible {
        case keepingSecure, forgettingSecure, legacy, suota, channel, feasycom, smp, joinedSMP

        var testDescription: String { rawValue }

        /// Whether the beacon keeps what it was sent when the link ends.
        var keeps: Bool { [.keepingSecure, .smp, .joinedSMP].contains(self) }

        /// Updates a beacon whose links end at these packets; returns the first bytes, in the order in which
        /// they were sent.
        func beginnings(cuttingAt packets: [Int]) async throws -> [Int] {
            let faults = packets.map { Fault.cut(afterPacket: $0) }
            switch self {
            case .keepingSecure, .forgettingSecure:
                let firmware = TestFirmware(count: 3 * 4096 + 300)
                let bench = NordicBench(
                    personality: self == .keepingSecure ? .sdk15_3 : .sdk17_1, faults: faults)
                return firstBytes(try await bench.flash(firmware))
            case .legacy:
                return firstBytes(
                    try await NordicBench.legacy(.sdk11, faults: faults).flash(LegacyFirmware(count: 4000)))
            case .suota, .channel:
                let kind = self == .suota ? "da14585" : "da14683-channel"
                let bench = SUOTABench(try #require(SUOTAPersonality.named[kind]), faults: faults)
                return firstBytes(try await bench.flash(SUOTABench.firmware(9000)))
            case .feasycom:
                let bench = FBeaconBench(stays: true, faults: faults)
                return firstBytes(try await bench.flash(bench.container(9000)))
            case .smp, .joinedSMP:
                let joins = self == .joinedSMP
                let bench = MCUbootBench(faults: faults) {
                    if joins { ($0.server.reassembles, $0.server.bufferSize) = (true, 2475) }
                }
                return firstBytes(try await bench.flash([MCUbootTestImage(20_000)]))
            }
        }
    }

    @Test(arguments: Family.allCases) func `once if nothing is lost`(family: Family) async throws {
        #expect(try await family.beginnings(cuttingAt: []) == [0])
    }

    /// The cuts are in the first packets, and long after them.
    @Test(arguments: Family.allCases) func `again only by a beacon that forgets it when the link ends`(
        family: Family
    ) async throws {
        let once = try await family.beginnings(cuttingAt: [45])
        #expect(once == (family.keeps ? [0] : [0, 0]))
        let twice = try await family.beginnings(cuttingAt: [45, 95])
        #expect(twice == (family.keeps ? [0] : [0, 0, 0]))
    }

    private static let cores = [0, 1].map { MCUbootTestImage(3000, image: $0, seed: UInt8($0)) }

    /// Requests 5 to 18 are those of the first image.
    @Test(
        arguments: [
            ([], [0, 1]), ([.cutAtRequest(10)], [0, 1]), ([.cutAtRequest(22)], [0, 1]),
            ([.powerLossAtRequest(10)], [0, 0, 1]), ([.powerLossAtRequest(26)], [0, 1, 1]),
        ] as [([MCUbootFault], [Int])]) func `for itself if there are several for one beacon`(
            faults: [MCUbootFault], order: [Int]
        ) async throws
    {
        let result = try await MCUbootBench(faults: faults.map(Fault.mcuboot)) {
            $0.slotSize = 16 * 1024
            $0.images = [.init(), .init(first: MCUbootFirmware(payload: [1, 2, 3]).file)]
        }.flash(Self.cores)
        #expect(result.isRight, "\(result.outcome)")
        let second = Self.cores[0].bytes.count
        #expect(firstBytes(result) == order.map { $0 * second })
    }

    private let rest = PayloadSpan(at: 600, of: 9000)
    private let whole = PayloadSpan(at: 0, of: 9000)
    private let question = PayloadSpan(at: 0, of: 9000, asksForPosition: true)

    /// What a new attempt, with counts of its own, tells after `steps`.
    private func told(_ steps: @escaping @Sendable (inout Telemetry) -> Void) async throws -> [Int] {
        let events = Mutex<[UpdateEvent]>([])
        try await VirtualTime.run { time in
            var telemetry = Telemetry(time: time.clock) { event in events.withLock { $0.append(event) } }
            steps(&telemetry)
        }
        return events.withLock { firstBytes($0) }
    }

    @Test func `not by the request at byte 0 that asks a beacon where it goes on`() async throws {
        let goingOn = try await told { telemetry in
            telemetry.sent(400, upTo: 400, in: question, isUnanswered: false)
            telemetry.record(.resumed(at: 600))
            telemetry.record(.accepted(upTo: 600))
            telemetry.sent(400, upTo: 1000, in: rest, isUnanswered: false)
        }
        #expect(goingOn == [])
        let nearby = try await told { telemetry in
            for end in [100, 200, 300] {
                telemetry.sent(100, upTo: end, in: question, isUnanswered: false)
            }
            telemetry.record(.resumed(at: 200))
            telemetry.sent(400, upTo: 600, in: rest, isUnanswered: false)
        }
        #expect(nearby == [])
    }

    @Test func `if one request holds all of it`() async throws {
        let told = try await told { telemetry in
            telemetry.sent(300, upTo: 300, in: question, isUnanswered: false)
            telemetry.record(.accepted(upTo: 300))
        }
        #expect(told == [0])
    }

    @Test func `once if its first packets are repeated before any others`() async throws {
        let repeated = try await told { telemetry in
            for end in [400, 400, 800] {
                telemetry.sent(400, upTo: end, in: whole, isUnanswered: false)
            }
        }
        #expect(repeated == [0])
    }
}

private func firstBytes(_ events: [UpdateEvent]) -> [Int] {
    events.compactMap { if case .detail(.sentFromFirstByte(let offset)) = $0 { offset } else { nil } }
}

private func firstBytes(_ result: BenchResult<some Sendable>) -> [Int] { firstBytes(result.events) }
