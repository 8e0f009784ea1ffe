import TestSupport
import Testing
import UpdateModel

@testable import Tray
@testable import tray_bench

@Suite struct `A tray with failures` {
    /// No unit is forgotten, none begins twice or connects without a request; there are never two connects on one
    /// adapter, nor more links than slots: `SimulatedTray` checks every step.
    @Test(arguments: 0..<60) func `is worked through to its end`(number: Int) {
        let seed = Seed.ofThisRun &+ UInt64(number)
        var random = Seed(seed)
        var conditions = SimulatedTray.Conditions(
            units: .random(in: 0...60, using: &random), adapters: .random(in: 1...4, using: &random),
            room: .random(in: 1...16, using: &random), isRoomKnown: .random(using: &random),
            model: TrayModel(connects: .random(in: 1...2, using: &random)),
            advert: [0.1, 1.0, 1.28].randomElement(using: &random), preparation: 1)
        conditions.deaf = .random(in: 0...20, using: &random)
        conditions.lost = .random(in: 0...20, using: &random)
        conditions.fails = .random(in: 0...10, using: &random)
        conditions.vanishes = .random(in: 0...10, using: &random)
        conditions.shows = .random(in: 0...60, using: &random)
        if random.isOneIn(3) { conditions.rules.unitTime = .seconds(40) }
        if random.isOneIn(3) { conditions.rules.trayTime = .seconds(90) }
        var tray = SimulatedTray(conditions, seed: seed)
        _ = tray.run()
        #expect(tray.flaws == [], "seed \(seed)")
        #expect(tray.schedule.verdicts.allSatisfy { $0 != nil }, "seed \(seed)")
        #expect(tray.schedule.nextMoment == nil)
    }

    @Test func `of five hundred units forgets none`() {
        var tray = SimulatedTray(
            SimulatedTray.Conditions(
                units: 500, adapters: 3, room: 7, isRoomKnown: false, model: TrayModel(connects: 2),
                advert: 0.5, preparation: 1, deaf: 2, lost: 2, fails: 2, vanishes: 2))
        let time = tray.run()
        #expect(tray.flaws == [])
        #expect(tray.schedule.verdicts.allSatisfy { $0 != nil })
        #expect(tray.mostLinks == 7)
        #expect(time < 1.4 * TrayModel(connects: 2, connect: 0.75).time(of: 500, links: 7, adapters: 3))
    }

    /// Facts that a driver cannot have.
    @Test(arguments: 0..<40) func `tolerates invalid facts`(number: Int) {
        let seed = Seed.ofThisRun &+ UInt64(number)
        var random = Seed(seed)
        var tray = TraySchedule(
            units: 6, over: [AdapterNumber(0): LinkSlots(permitted: 2), AdapterNumber(3): LinkSlots()],
            by: ScheduleRules(unitTime: .seconds(20)))
        var ended: [Int: UnitVerdict] = [:]
        var begun: [UnitNumber] = []
        var shown: Set<UnitNumber> = []
        for _ in 0..<400 {
            let fact = Self.fact(using: &random)
            let steps = tray.apply(fact, at: .seconds(Int.random(in: -5...100, using: &random)))
            if case .blinkEnded(let unit) = fact { shown.remove(unit) }
            for case .begin(let unit, _) in steps {
                begun.append(unit)
                #expect(!shown.contains(unit), "seed \(seed)")
            }
            for case .blink(let unit, _) in steps { #expect(shown.insert(unit).inserted, "seed \(seed)") }
            for adapter in [0, 1, 3].map({ AdapterNumber($0) }) {
                let ceiling = tray.slots(of: adapter)?.ceiling ?? 0
                #expect(tray.links(over: adapter).count <= ceiling, "seed \(seed)")
            }
            for (index, verdict) in tray.verdicts.enumerated() {
                if let known = ended[index] { #expect(verdict == known, "seed \(seed)") }
                ended[index] = verdict
            }
        }
        #expect(begun.count == Set(begun).count, "seed \(seed)")
    }

    private static func fact(using random: inout Seed) -> TrayFact {
        let unit = UnitNumber(.random(in: -1...7, using: &random))
        let adapter = AdapterNumber(.random(in: -1...4, using: &random))
        switch Int.random(in: 0..<15, using: &random) {
        case 0: return .timePassed
        case 1, 2:
            let strength = Int8.random(in: -128...127, using: &random)
            return .heard(unit, by: adapter, dBm: random.isOneIn(4) ? nil : strength)
        case 3, 4: return .wantsLink(unit)
        case 5, 6: return .connected(unit)
        case 7: return .notConnected(unit, random.isOneIn(2) ? .noAnswer : .tooManyLinks)
        case 8: return .progressed(unit)
        case 9: return .disconnected(unit)
        case 10: return random.isOneIn(3) ? .finished(unit, .failed(.device.linkLost)) : .sentAll(unit)
        case 11: return .adapter(adapter, isThere: .random(using: &random))
        case 12: return .blinkRequested(unit)
        case 13: return .blinkEnded(unit)
        default: return random.isOneIn(20) ? .stopped : random.isOneIn(2) ? .paused : .released
        }
    }
}
