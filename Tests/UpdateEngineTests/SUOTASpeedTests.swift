import DialogSUOTA
import SimulatedDevice
import SimulatedRadio
import Testing
import UpdateBench
import UpdateCore

@Suite(.timeLimit(.minutes(10))) struct `The speed of SUOTA` {
    @Test(arguments: [7.5, 15, 30], ["20", "244", "channel"])
    func `is near the ceiling of the way that it takes`(_ interval: Double, _ way: String) async throws {
        var link = LinkModel()
        link.interval = .seconds(interval / 1000)
        let personality: SUOTAPersonality =
            way == "20" ? .da14580 : way == "244" ? .da14585 : .da14683Channel
        let firmware = SUOTABench.firmware(27_000)
        let result = try await SUOTABench(personality, link: link).flash(firmware)
        let cargo = SUOTACeiling.Cargo(
            code: firmware.payload.count,
            way: way == "channel"
                ? .channel(packet: 245)
                : way == "20" ? .attributes(block: 240, chunk: 20) : .attributes(block: 488, chunk: 244))
        let ceiling = try #require(SUOTACeiling(of: cargo, over: link, to: personality))
        let start = try #require(
            result.moment {
                if case .detail(.log("set-memory-device", .info, _)) = $0 { true } else { false }
            })
        let end = try #require(result.moment { $0 == .detail(.rebootSent) })
        let share = ceiling.total / (end - start)
        print(
            "\(way) at \(interval) ms: \(Int(share * 1000)) per mille, limited by \(result.report?.limitedBy.rawValue ?? "nothing")"
        )
        #expect(share >= 0.95)
    }
}

extension SUOTABenchResult {
    /// When the first event that fits was reported.
    fileprivate func moment(_ isIt: (UpdateEvent) -> Bool) -> Duration? {
        zip(events, moments).first { isIt($0.0) }?.1
    }
}
