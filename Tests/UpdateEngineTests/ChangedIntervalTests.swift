import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateModel

/// Connection parameters that the peripheral requests while firmware is sent.
@Suite(.timeLimit(.minutes(10))) struct `A beacon that changes its interval in mid-link` {
    /// The update of 60 kB; `change` is in force from one second on, or from the start.
    private func flash(
        _ change: Double, isLate: Bool, asked: Bool = false, isLegacy: Bool = false
    ) async throws -> NordicBenchResult {
        var link = LinkModel()
        link.followsRequests = asked
        if isLate {
            link.changes = [LinkModel.Change(.seconds(1), .milliseconds(1) * change)]
        } else {
            link.interval = .milliseconds(1) * change
        }
        guard isLegacy else {
            return try await NordicBench(timing: .instant, link: link).flash(TestFirmware(count: 60_000))
        }
        var bench = NordicBench.legacy(.sdk11, change: { $0.timing = .instant })
        bench.link = link
        return try await bench.flash(LegacyFirmware(count: 20_000))
    }

    private func intervals(_ result: NordicBenchResult) -> [Double] {
        result.events.compactMap {
            if case .detail(.linkChanged(let link)) = $0 {
                link.interval.map { $0 / .milliseconds(1) }
            } else {
                nil
            }
        }
    }

    @Test(arguments: [7.5, 30, 100, 400], [false, true])
    func `is updated at the new pace, without a stall or a retry`(_ change: Double, _ isLegacy: Bool)
        async throws
    {
        let result = try await flash(change, isLate: true, isLegacy: isLegacy)
        #expect(result.isRight && result.reasons.isEmpty, "\(result.outcome) \(result.reasons)")
        #expect(intervals(result) == [change])
        let steady = try await flash(change, isLate: false, isLegacy: isLegacy)
        let first = try await flash(15, isLate: false, isLegacy: isLegacy)
        #expect(
            result.took <= max(steady.took, first.took) * 1.2 + .seconds(1), "\(result.took) \(steady.took)")
    }

    @Test(arguments: [30.0, 100, 400]) func `gets the client's interval again, which asks once`(
        _ change: Double
    ) async throws {
        let result = try await flash(change, isLate: true, asked: true)
        #expect(result.isRight && result.reasons.isEmpty, "\(result.outcome) \(result.reasons)")
        // A short change may pass unseen between two looks.
        #expect(intervals(result).last ?? 15 == 15)
        let changed = try await flash(change, isLate: true)
        #expect(result.took < changed.took, "\(result.took) \(changed.took)")
    }
}
