import FoundationEssentials
import Testing
import UpdateModel

@testable import Tray

@Suite struct `A unit is first-pass` {
    /// A unit that passed, with attempts that ended with `outcomes` and sent its firmware from the first byte `times`.
    private static func unit(_ outcomes: [UnitOutcome], _ times: [Int?]) -> UnitRecord {
        var unit = UnitRecord(slot: "A1")
        unit.attempts = zip(outcomes, times).enumerated().map { index, end in
            var attempt = AttemptRecord(
                number: index + 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0),
                address: "")
            (attempt.verdict, attempt.timesSent) = (UnitVerdict(end.0), end.1)
            return attempt
        }
        unit.verdict = UnitVerdict(.passed)
        return unit
    }

    @Test(arguments: [
        ([UnitOutcome.passed], [1] as [Int?]), ([.passed], [0]), ([.error, .passed], [1, 0]),
        ([.error, .passed], [0, 1]), ([.aborted, .passed], [1, 0]), ([], []),
        // Records of earlier versions.
        ([.passed], [nil]), ([.error, .passed], [nil, nil]),
    ]) func `if it passed in its first attempt and its image was sent once`(
        outcomes: [UnitOutcome], times: [Int?]
    ) {
        #expect(Self.unit(outcomes, times).passedFirst == true)
    }

    @Test(arguments: [
        ([UnitOutcome.passed], [2] as [Int?]), ([.error, .passed], [1, 1]),
        ([.error, .error, .passed], [1, 0, 1]),
        ([.aborted, .passed], [1, 1]), ([.failed, .passed], [0, 1]), ([.unknown, .passed], [1, 0]),
    ]) func `not if its image was sent again or an attempt failed`(outcomes: [UnitOutcome], times: [Int?]) {
        #expect(Self.unit(outcomes, times).passedFirst == false)
    }

    /// A SoftDevice before an error of the bench, say, and the application after it.
    @Test(arguments: [
        ([[0], [60]], true), ([[0, 60], [60]], false), ([[0], [0, 60]], false), ([[0, 60, 60], []], false),
    ]) func `if each of its parts was sent once, in whichever attempt`(parts: [[Int]], isFirst: Bool) throws {
        var unit = Self.unit([.error, .passed], parts.map(\.count))
        for (index, list) in parts.enumerated() { unit.attempts[index].sentFrom = list }
        #expect(unit.passedFirst == isFirst)
        #expect(try Self.state(of: unit).units.first?.record.passedFirst == isFirst)
    }

    @Test(arguments: [UnitOutcome.error, .skipped, .aborted, .notNeeded])
    func `neither way if nothing reflects it`(outcome: UnitOutcome) {
        var unit = Self.unit([outcome], [2])
        unit.verdict = UnitVerdict(outcome)
        #expect(unit.passedFirst == nil)
    }

    @Test func `by a record of an earlier version, too`() throws {
        var text = String(
            decoding: try JSONEncoder().encode(Self.unit([.passed], [1]).attempts[0]), as: UTF8.self)
        #expect(text.contains(#""timesSent":1"#))
        text.replace(#""timesSent":1,"#, with: "")
        text.replace(#","timesSent":1"#, with: "")
        let attempt = try JSONDecoder().decode(AttemptRecord.self, from: Data(text.utf8))
        #expect(attempt.timesSent == nil && attempt.verdict?.outcome == .passed)
    }

    @Test func `as the lines of its run tell`() throws {
        let state = try Self.state(of: Self.unit([.error, .passed], [1, 1]))
        #expect(state.units.first?.record.passedFirst == false)
        #expect(state.counts.firstPassYield.share == 0 && state.counts.finalYield.share == 1)
    }

    /// The state of a run by the lines about `unit`, which had two attempts.
    private static func state(of unit: UnitRecord) throws -> RunState {
        var state = RunState()
        for (event, moment) in [
            TrayEvent.began(UnitNumber(0), unit.attempts[0]), .attempted(UnitNumber(0), unit.attempts[0]),
            .began(UnitNumber(0), unit.attempts[1]), .attempted(UnitNumber(0), unit.attempts[1]),
            .ended(UnitNumber(0), unit),
        ].enumerated().map({ ($1, $0) }) {
            let line = try #require(RunEvent(event, slot: { _ in "A1" }, adapters: []))
            let read = try #require(RunEvent(line: line.text.utf8))
            state.apply(read, at: .seconds(moment), time: RecordedTime(milliseconds: 0))
        }
        return state
    }
}
