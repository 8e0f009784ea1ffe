import TestSupport
import Testing
import Tray
import UpdateModel

@Suite struct `The figures of a run` {
    private static let units = (0..<3).map { UnitRecord(slot: "A\($0)") }

    private static func attempt(_ outcome: UnitOutcome? = nil, seconds: Double? = nil) -> AttemptRecord {
        var attempt = AttemptRecord(
            number: 1, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: 0), address: "")
        (attempt.seconds, attempt.verdict) = (seconds, outcome.map { UnitVerdict($0) })
        return attempt
    }

    private static func note(_ event: TrayEvent, at moment: Duration, _ state: inout RunState) {
        let named = RunEvent(event, slot: { units[$0.value].slot }, adapters: ["hci0"])
        if let named { state.apply(named, at: moment, time: RecordedTime(milliseconds: 0)) }
    }

    private static func turn(
        _ number: Int, _ outcome: UnitOutcome, from begin: Double, to end: Double, _ state: inout RunState
    ) {
        let unit = UnitNumber(number)
        let ended = attempt(outcome, seconds: end - begin)
        var record = units[number]
        (record.attempts, record.verdict) = ([ended], UnitVerdict(outcome))
        note(.began(unit, attempt()), at: .seconds(begin), &state)
        note(.attempted(unit, ended), at: .seconds(end), &state)
        note(.ended(unit, record), at: .seconds(end), &state)
    }

    @Test func `count a retried unit once`() {
        var state = RunState(units: Self.units)
        for number in 0..<3 {
            Self.turn(number, number == 1 ? .failed : .passed, from: 0, to: 10, &state)
        }
        #expect(state.counts.done == 3)
        Self.note(.began(UnitNumber(1), Self.attempt()), at: .seconds(20), &state)
        #expect(state.counts.done == 2)
        Self.turn(1, .failed, from: 20, to: 30, &state)
        #expect(state.counts.done == 3)
    }

    @Test func `estimate the time of waiting units, but not while starting is paused`() {
        var state = RunState(units: Self.units)
        #expect(state.secondsLeft(at: .zero) == nil)
        Self.turn(0, .passed, from: 0, to: 10, &state)
        #expect(state.secondsLeft(at: .seconds(10)) == 20)
        let hold = TrayRecord.Hold(began: RecordedTime(milliseconds: 0), code: "paused", message: "")
        Self.note(.hold(hold), at: .seconds(10), &state)
        #expect(state.hold?.code == "paused" && state.secondsLeft(at: .seconds(10)) == nil)
        let over = TrayRecord.Hold(
            began: RecordedTime(milliseconds: 0), code: "paused", message: "",
            released: RecordedTime(milliseconds: 1))
        Self.note(.hold(over), at: .seconds(10), &state)
        #expect(state.hold == nil && state.secondsLeft(at: .seconds(10)) == 20)
    }

    /// The schedule gives them no first link.
    @Test func `count units that a hold keeps from connecting as waiting`() {
        var state = RunState(units: Self.units)
        for number in 0..<3 { Self.note(.began(UnitNumber(number), Self.attempt()), at: .zero, &state) }
        Self.note(.update(UnitNumber(0), .phase(.preparing)), at: .zero, &state)
        Self.note(
            .hold(TrayRecord.Hold(began: RecordedTime(milliseconds: 0), code: "paused", message: "")),
            at: .zero, &state)
        #expect(state.units.map(\.status) == [.running, .waiting, .waiting])
        // One of them was permitted to connect before.
        Self.note(.update(UnitNumber(1), .phase(.preparing)), at: .seconds(1), &state)
        #expect(state.units.map(\.status) == [.running, .running, .waiting])
        Self.note(
            .hold(
                TrayRecord.Hold(
                    began: RecordedTime(milliseconds: 0), code: "paused", message: "",
                    released: RecordedTime(milliseconds: 1))), at: .seconds(2), &state)
        #expect(state.units.map(\.status) == [.running, .running, .running])
    }

    @Test func `include the links of an adapter, none of which is left without it or after the end`() {
        var state = RunState(units: Self.units, adapters: ["hci0"])
        let adapter = AdapterNumber(0)
        Self.note(.adapter(adapter, links: 2, limit: 4), at: .zero, &state)
        #expect(state.adapters.map { [$0.links, $0.limit ?? 0] } == [[2, 4]])
        Self.note(.presence(adapter, isThere: false), at: .zero, &state)
        #expect(state.adapters.map(\.links) == [0] && state.adapters.map(\.isThere) == [false])
        Self.note(.presence(adapter, isThere: true), at: .zero, &state)
        #expect(state.adapters.map(\.isThere) == [true])
        Self.note(.adapter(adapter, links: 1, limit: 4), at: .zero, &state)
        state.apply(.warning("stopping", ""), at: .zero, time: RecordedTime(milliseconds: 0))
        state.apply(
            .finished(TrayRecord(id: "r1"), exit: 0), at: .zero, time: RecordedTime(milliseconds: 0))
        #expect(state.adapters.map(\.links) == [0] && state.isPast && !state.isEnding)
        #expect(state.secondsLeft(at: .zero) == nil)
    }

    @Test func `include the links of an adapter that the start did not name`() {
        var state = RunState(units: Self.units)
        Self.note(.adapter(AdapterNumber(0), links: 2, limit: 4), at: .zero, &state)
        #expect(state.adapters.map(\.name) == ["hci0"] && state.adapters.map(\.links) == [2])
    }

    @Test func `have no time left once the run was stopped`() {
        var state = RunState(units: Self.units)
        Self.turn(0, .passed, from: 0, to: 10, &state)
        state.apply(.warning("stopping", ""), at: .seconds(10), time: RecordedTime(milliseconds: 0))
        #expect(state.isEnding && state.secondsLeft(at: .seconds(10)) == nil)
    }

    @Test func `have the speed over whole seconds`() {
        var state = RunState(units: Self.units)
        for (sent, at) in [(0, 0.1), (8000, 0.2), (9000, 1.5)] {
            Self.note(
                .update(UnitNumber(0), .progress(sent: sent, total: 9000, bytesPerSecond: 80_000)),
                at: .milliseconds(Int(at * 1000)), &state)
        }
        #expect(state.bytesPerSecond(at: .milliseconds(1600)) == 8000)
        #expect(state.bytesPerSecond(at: .milliseconds(2100)) == 1000)
        #expect(state.mostBytesPerSecond == 8000)
    }
}
