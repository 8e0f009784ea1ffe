import Bluetooth
import Firmware
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit

@Suite(.timeLimit(.minutes(10))) struct `A flash whose link is lost for good` {
    private static let address = "F0:0D:BE:AC:78:00"

    /// `count` moments, spread over the events of an undisturbed run.
    private static func moments(of run: [Duration]) -> [Duration] {
        let most = 5
        return (1...most).map { run[$0 * (run.count - 1) / (most + 1)] }
    }

    /// The outcome of a run whose beacon goes out of reach at `moment`, and the time by then; nil if it succeeds.
    private static func lost(
        _ flash: OneFlash, _ kind: InterruptedKind, at moment: Duration
    ) async throws -> (failure: CommandFailure, end: Duration)? {
        try await InterruptedKind.air(kind, at: address, ", away_s: [\(moment / .seconds(1))]") { adapter in
            await flash.run(with: adapter).failure.map { ($0, adapter.time.now) }
        }
    }

    /// The same, with the beacon back at `back`: the outcomes of all runs, including the lost one.
    private static func ends(
        _ flash: OneFlash, _ kind: InterruptedKind, at moment: Duration, back: Duration
    ) async throws -> [CommandFailure?] {
        let away = ", away_s: [\(moment / .seconds(1)), \(back / .seconds(1))]"
        return try await InterruptedKind.air(kind, at: address, away) { adapter in
            guard let failure = await flash.run(with: adapter).failure else { return [] }
            try await adapter.time.sleep(until: back)
            guard !failure.saysSameCommand else {
                return await flash.repeating(after: failure, with: adapter)
            }
            // It has to be searched for, and is selected by its current address.
            let heard = try await adapter.listen(for: .seconds(5)) { _ in false }.byStrength
            let beacon = try #require(heard.first)
            let found = try #require(DeviceSelector("\(beacon.address)"))
            let again = await OneFlash(job: flash.job, selector: found).run(with: adapter)
            return [failure] + (again.failure.map { [$0] } ?? [nil])
        }
    }

    /// Right after the attempts have ended, and long after a bootloader has given up.
    @Test(arguments: InterruptedKind.all)
    func `is completed by the next step that it prints, once the beacon is back`(_ kind: InterruptedKind)
        async throws
    {
        let job = try InterruptedKind.job(kind)
        let flash = OneFlash(job: job, selector: try #require(DeviceSelector(argument: Self.address)))
        let whole = try await InterruptedKind.air(kind, at: Self.address) { await flash.run(with: $0) }
        #expect(whole.failure == nil)
        var losses = 0
        for moment in Self.moments(of: whole.moments) {
            guard let lost = try await Self.lost(flash, kind, at: moment) else { continue }
            losses += 1
            #expect(
                lost.failure.exit == .tryAgain || lost.failure.nextStep.contains("beacon-dfu"),
                "after \(moment): \(lost.failure)")
            for back in [lost.end + .seconds(1), lost.end + .seconds(3600)] {
                let ends = try await Self.ends(flash, kind, at: moment, back: back)
                let words = ends.map { $0.map { "\($0.code), \($0.message), \($0.nextStep)" } ?? "done" }
                #expect(
                    ends.count > 1
                        && (ends.last??.exit ?? .done == .done || ends.last??.exit == .nothingToDo),
                    "lost at \(moment), back at \(back): \(words)")
            }
        }
        #expect(losses > 2, "\(losses)")
    }
}
