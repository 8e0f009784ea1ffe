import Bluetooth
import Dialog
import Simulation
import Testing
import TransferBench
import UpdateBench
import UpdateModel

/// Virtual time: the same figures in every run, on every machine.
@Suite(.timeLimit(.minutes(10))) struct `The speed of SUOTA` {
    /// A receiver, a flash, and the way of the image.
    struct Way: Sendable, CustomTestStringConvertible {
        let kind: String
        var timing: FlashTiming?
        var bytes = 27_000
        let way: SUOTACeiling.Cargo.Way

        var testDescription: String { kind + (timing.map { ", erasing \($0.pageErase)" } ?? "") }

        static let all = [
            Way(kind: "da14580", way: .attributes(block: 240, chunk: 20)),
            Way(kind: "da14585", way: .attributes(block: 488, chunk: 244)),
            Way(kind: "da14531", way: .attributes(block: 488, chunk: 244)),
            Way(kind: "da14681-v1.2", way: .attributes(block: 240, chunk: 20)),
            Way(kind: "da14683", way: .attributes(block: 488, chunk: 244)),
            Way(kind: "da14695", way: .attributes(block: 488, chunk: 244)),
            // The steps before and after the stream are half a dozen intervals, whatever the image.
            Way(kind: "da14683-channel", bytes: 100_000, way: .channel(packet: 245)),
            Way(kind: "da14695-channel", bytes: 100_000, way: .channel(packet: 245)),
        ]

        static let flashes: [FlashTiming] = [
            .instant, .serial, .quad,
            FlashTiming(
                pageErase: .milliseconds(900), pieceWrite: .milliseconds(4), pageProgram: .milliseconds(30)),
        ]
    }

    private func measure(
        _ way: Way, _ link: LinkModel
    ) async throws -> (ceiling: SUOTACeiling, took: Duration, limit: SpeedLimit) {
        var personality = try #require(SUOTAPersonality.named[way.kind])
        if let timing = way.timing { personality.timing = timing }
        let firmware = SUOTABench.firmware(way.bytes)
        let result = try await SUOTABench(personality, link: link).flash(firmware)
        let cargo = SUOTACeiling.Cargo(code: firmware.payload.count, way: way.way)
        let ceiling = try #require(SUOTACeiling(of: cargo, over: link, to: personality))
        let start = try #require(
            result.moment {
                if case .detail(.log("set-memory-device", .info, _)) = $0 { true } else { false }
            })
        let end = try #require(result.moment { $0 == .detail(.rebootSent) })
        return (ceiling, end - start, try #require(result.report).limitedBy)
    }

    private func link(_ milliseconds: Double, _ phy: LinkModel.PHY = .le1M) -> LinkModel {
        var link = LinkModel()
        link.interval = .seconds(milliseconds / 1000)
        link.phy = phy
        return link
    }

    @Test(arguments: [7.5, 15, 30], Way.all)
    func `is near the ceiling of its way, and not above`(
        _ interval: Double, _ way: Way
    ) async throws {
        for phy in [LinkModel.PHY.le1M, .le2M] {
            let (ceiling, took, _) = try await measure(way, link(interval, phy))
            let share = ceiling.total / took
            #expect(share >= 0.95, "\(phy.rawValue)")
            #expect(share <= 1, "\(phy.rawValue)")
        }
    }

    @Test(arguments: [7.5, 15, 30], Way.all)
    func `is limited by the largest term of a perfect sender's time`(
        _ interval: Double, _ way: Way
    ) async throws {
        for timing in Way.flashes {
            var way = way
            way.timing = timing
            let (ceiling, _, limit) = try await measure(way, link(interval))
            let terms = [
                SpeedLimit.air: ceiling.air, .answers: ceiling.answers, .flash: ceiling.flash,
            ]
            .sorted { $0.value > $1.value }
            // If two terms are nearly equal, either may be named.
            guard terms[0].value > terms[1].value * 1.1 else { continue }
            #expect(limit == terms[0].key, "\(way), \(terms)")
        }
    }

    @Test(arguments: Way.all) func `is limited by a slow flash, whatever its way`(_ way: Way)
        async throws
    {
        var way = way
        way.timing = FlashTiming(
            pageErase: .milliseconds(900), pieceWrite: .milliseconds(4), pageProgram: .milliseconds(30))
        let (ceiling, took, limit) = try await measure(way, link(15))
        #expect(ceiling.flash > ceiling.air + ceiling.answers)
        #expect(limit == .flash)
        #expect((0.95...1).contains(ceiling.total / took))
    }
}

extension SUOTABenchResult {
    /// When the first matching event was reported.
    fileprivate func moment(_ isIt: (UpdateEvent) -> Bool) -> Duration? {
        zip(events, moments).first { isIt($0.0) }?.1
    }
}
