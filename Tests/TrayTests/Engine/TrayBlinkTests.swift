import Simulation
import Synchronization
import Testing
import Tray
import UpdateBench
import UpdateModel

@testable import tray_bench

/// KBeacons on a tray, and a user who presses a key.
@Suite(.timeLimit(.minutes(10))) struct `A blinking unit of a tray` {
    /// The reported events of blinking units.
    private final class BlinkLog: Sendable {
        private let log = Mutex<[(unit: UnitNumber, event: BlinkEvent)]>([])

        func note(_ event: TrayEvent) {
            if case .blinking(let unit, let blink) = event { log.withLock { $0.append((unit, blink)) } }
        }

        func events(of unit: Int) -> [BlinkEvent] {
            log.withLock { $0.filter { $0.unit.value == unit }.map(\.event) }
        }
    }

    /// Six units, of which the last blinks from `moment` on, with the reported events.
    private static func bench(
        links: Int = 4, when moment: @escaping @Sendable (TrayEvent) -> [TrayControl]
    ) -> (TrayBench, BlinkLog) {
        let blinkLog = BlinkLog()
        var bench = TrayBench(numbers: (0..<6).map { 2 * $0 }, links: links)
        bench.acceptsReappearance = true
        bench.change = { _, unit in unit.becomeKBeacon(KBeaconDescription(.second)) }
        bench.control = { event, hand in
            blinkLog.note(event)
            for control in moment(event) { hand.yield(control) }
        }
        return (bench, blinkLog)
    }

    private static func blinking(_ unit: UnitNumber, after event: TrayEvent) -> [TrayControl] {
        if case .canBlink(unit, true) = event { [.blink(unit)] } else { [] }
    }

    private static let last = UnitNumber(5)
    private static let whole: [BlinkEvent] = [.began(.seconds(5)), .ended]

    @Test(arguments: [1, 2, 4]) func `lights up for five seconds, and is then updated as usual`(
        links: Int
    ) async throws {
        let (bench, blinkLog) = Self.bench(links: links) { Self.blinking(Self.last, after: $0) }
        let result = try await bench.run()
        #expect(blinkLog.events(of: 5) == Self.whole)
        let rings = try #require(result.sessions[5]).rings
        let ring = try #require(rings.first)
        #expect(rings.count == 1 && ring.signals == [.light] && ring.lasted >= .seconds(5))
        #expect(result.outcomes.allSatisfy { $0 == .passed }, "\(result.records.map(\.verdict))")
        #expect(result.records.allSatisfy { $0.attempts.count == 1 })
        #expect(result.ending.adapters.first?.mostLinks.map { $0 <= links } == true)
        // Nothing of it is recorded, and nothing is done to the unit meanwhile.
        let own = result.notes.filter { $0.slot == "A5" }
        #expect(own.allSatisfy { $0.at >= ring.start + .seconds(5) })
        #expect(own.count == result.notes.count { $0.slot == "A4" })
        #expect(result.sessions[..<5].allSatisfy { $0?.rings == [] })
    }

    @Test func `lights up after it has passed, and the run waits for it`() async throws {
        let (bench, blinkLog) = Self.bench { event in
            if case .ended(let unit, _) = event { [.blink(unit)] } else { [] }
        }
        let result = try await bench.run()
        for index in result.sessions.indices {
            #expect(blinkLog.events(of: index) == Self.whole)
            let rings = try #require(result.sessions[index]).rings
            #expect(rings.count == 1 && rings.allSatisfy { $0.lasted >= .seconds(5) })
        }
        #expect(result.outcomes.allSatisfy { $0 == .passed })
        #expect(result.ending.adapters.first?.mostLinks.map { $0 <= 4 } == true)
    }

    @Test func `lights up on a held tray`() async throws {
        var (bench, blinkLog) = Self.bench { event in
            if case .hold(let hold) = event, hold.released == nil { return [.blink(Self.last)] }
            if case .blinking(_, .ended) = event { return [.release] }
            return []
        }
        (bench.rules, bench.waitsOnHold) = (ScheduleRules(), true)
        bench.missing = [0, 1, 2, 3]
        bench.faults = { $0 == 4 ? [.slowBootloader(.seconds(45))] : [] }
        bench.controllers = [SimulatedController()]
        let result = try await bench.run()
        #expect(blinkLog.events(of: 5) == Self.whole, "\(result.records.map(\.verdict))")
        #expect(result.outcomes[5] == .passed)
    }

    @Test func `is left alone while it is updated, and gets one command at a time`() async throws {
        let (bench, blinkLog) = Self.bench { event in
            switch event {
            case .began(let unit, _) where unit.value == 0: return [.blink(unit)]
            case .update(let unit, .phase) where unit.value == 0: return [.blink(unit)]
            case .blinking(let unit, .began): return [.blink(unit)]
            default: return Self.blinking(Self.last, after: event)
            }
        }
        let result = try await bench.run()
        #expect(
            blinkLog.events(of: 0).count > 3 && blinkLog.events(of: 0).allSatisfy { $0 == .refused(.atWork) })
        #expect(blinkLog.events(of: 5) == [.began(.seconds(5)), .refused(.alreadyBlinking), .ended])
        #expect(result.outcomes.allSatisfy { $0 == .passed })
        #expect(result.sessions[0]?.rings == [] && result.sessions[5]?.rings.count == 1)
    }

    @Test(arguments: [.stop, .abort] as [TrayControl])
    func `stops blinking when the run is stopped`(control: TrayControl) async throws {
        let (bench, blinkLog) = Self.bench(links: 2) { event in
            if case .ended(let unit, _) = event, unit.value == 0 { return [control, .blink(Self.last)] }
            return Self.blinking(Self.last, after: event)
        }
        let result = try await bench.run()
        let events = blinkLog.events(of: 5)
        #expect(events.count == 3 && events.contains(.refused(.stopped)), "\(events)")
        #expect(events.contains(where: Self.isInterrupted), "\(events)")
        let ring = try #require(result.sessions[5]?.rings.first)
        #expect(ring.lasted > .milliseconds(500) && ring.lasted < .seconds(4), "\(ring)")
        #expect(result.outcomes[5] == .aborted && result.records[5].attempts.isEmpty)
    }

    private static func isInterrupted(_ event: BlinkEvent) -> Bool {
        if case .failed(let verdict) = event { verdict.code == "interrupted" } else { false }
    }

    private static func isFailure(_ event: BlinkEvent) -> Bool {
        if case .failed = event { true } else { false }
    }

    @Test(arguments: [false, true])
    func `ends with its adapter, and is updated when there is one again`(isThereAnother: Bool) async throws {
        var (bench, blinkLog) = Self.bench(links: 1) { Self.blinking(Self.last, after: $0) }
        let moments: [Duration] = isThereAnother ? [.seconds(4)] : [.seconds(4), .seconds(9)]
        bench.controllers = [SimulatedController(name: "a", unplugged: moments)]
        if isThereAnother { bench.controllers.append(SimulatedController(name: "b")) }
        let result = try await bench.run()
        let events = blinkLog.events(of: 5)
        #expect(
            events.count == 2 && events[0] == .began(.seconds(5)) && Self.isFailure(events[1]), "\(events)")
        #expect(result.outcomes.allSatisfy { $0 == .passed }, "\(result.records.map(\.verdict))")
    }

    /// An attempt lasts three seconds, and Linux has to hear it twice.
    @Test func `is connected to again if it advertises rarely`() async throws {
        var (bench, blinkLog) = Self.bench { Self.blinking(Self.last, after: $0) }
        bench.controllers = [SimulatedController(connecting: .kernel)]
        bench.change = { index, unit in
            unit.becomeKBeacon(KBeaconDescription(.second))
            if index == 5 { unit.advertising?.period = .seconds(2) }
        }
        let result = try await bench.run()
        #expect(blinkLog.events(of: 5) == Self.whole)
        #expect(result.outcomes.allSatisfy { $0 == .passed }, "\(result.records.map(\.verdict))")
    }

    @Test func `cannot blink any more once it is found in its bootloader`() async throws {
        let reported = Mutex<[Bool]>([])
        var (bench, _) = Self.bench { _ in [] }
        bench.faults = { $0 == 0 || $0 == 5 ? [.slowBootloader(.seconds(45))] : [] }
        bench.control = { event, hand in
            switch event {
            case .canBlink(let unit, let can) where unit.value == 0: reported.withLock { $0.append(can) }
            case .ended(let unit, let record) where unit.value == 0 && record.attempts.count == 1:
                hand.yield(.retry(unit))
            default: break
            }
        }
        let result = try await bench.run()
        #expect(result.records[0].attempts.map(\.number) == [1, 2], "\(result.outcomes)")
        #expect(reported.withLock { $0 } == [true, false])
    }

    /// It is silent: its bootloader takes longer than the timeouts of the update and of the blink.
    @Test func `fails no update if it does not answer`() async throws {
        var (bench, blinkLog) = Self.bench(links: 2) { event in
            if case .ended(let unit, _) = event, unit.value == 0 { [.blink(unit)] } else { [] }
        }
        bench.faults = { $0 == 0 || $0 == 5 ? [.slowBootloader(.seconds(60))] : [] }
        let result = try await bench.run()
        #expect(result.outcomes == [.failed, .passed, .passed, .passed, .passed, .failed])
        let events = blinkLog.events(of: 0)
        #expect(events.count == 1 && events.allSatisfy(Self.isFailure), "\(events)")
        #expect(result.records[0].attempts.count == 1)
        let own = result.notes.filter { $0.slot == "A0" }
        #expect(own.count == result.notes.count { $0.slot == "A5" })
    }
}
