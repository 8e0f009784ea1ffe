import Simulation
import TestSupport
import Tray
import UpdateBench
import UpdateModel

/// Large trays in which two of a hundred units have a fault: no unit is forgotten, and every outcome has a reason.
struct FaultyTrays {
    let units: Int

    /// Prints the outcomes, and the growth of the memory; returns the problems.
    func print(runs: Int, from seed: UInt64) async throws -> [String] {
        var flaws: [String] = []
        var counts: [UnitOutcome: Int] = [:]
        var codes: [String: Int] = [:]
        var first = 0
        for number in 0..<UInt64(runs) {
            let result = try await bench(seed + number).run()
            let found = check(result, seed + number)
            flaws += found
            for record in result.records {
                guard let verdict = record.verdict else { continue }
                counts[verdict.outcome, default: 0] += 1
                if let code = verdict.code { codes[code, default: 0] += 1 }
            }
            // Memory that the first runs retain is never released.
            if number == UInt64(min(runs, 3) - 1) { first = ResidentMemory.now >> 10 }
        }
        let words = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($1) \($0.rawValue)" }
        Swift.print("\(runs) runs of \(units) units over 3 adapters: \(words.joined(separator: ", "))")
        Swift.print(
            "causes: \(codes.sorted { $0.key < $1.key }.map { "\($0) \($1)" }.joined(separator: ", "))")
        Swift.print("memory after \(min(runs, 3)) runs \(first) kB, after all \(ResidentMemory.now >> 10) kB")
        return flaws
    }

    private func bench(_ seed: UInt64) -> TrayBench {
        var random = Seed(seed)
        var faults: [Int: Fault] = [:]
        var missing: Set<Int> = []
        var foreign: Set<Int> = []
        for unit in 0..<units where random.isOneIn(50) {
            let packet = Int.random(in: 1..<60, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: missing.insert(unit)
            case 1: foreign.insert(unit)
            case 2: faults[unit] = .cut(beforePacket: packet)
            case 3: faults[unit] = .cut(afterPacket: packet)
            case 4: faults[unit] = .silence(fromPacket: packet)
            case 5: faults[unit] = .powerLoss(afterPacket: packet)
            case 6: faults[unit] = .losePacket(packet)
            default: faults[unit] = .slowBootloader(.seconds(40))
            }
        }
        let (ordered, strangers) = (faults, foreign)
        var bench = TrayBench(numbers: (0..<units).map { 2 * $0 }, links: 8)
        bench.firmware = { _ in TestFirmware(count: 4000) }
        bench.rules = ScheduleRules(hasGolden: true, hold: [])
        bench.waitsOnHold = true
        bench.control = { event, hand in
            if case .hold(let hold) = event, hold.released == nil { hand.yield(.release) }
        }
        bench.missing = missing
        bench.faults = { ordered[$0].map { [$0] } ?? [] }
        bench.change = { unit, description in if strangers.contains(unit) { description.softDevice = 0x77 } }
        bench.controllers = (0..<3).map {
            SimulatedController(name: "sim\($0)", connecting: .kernel, links: 8, spread: 6)
        }
        return bench
    }

    /// The problems: a unit without a verdict, one that is right only by its report, a change without a row, an outcome
    /// without a reason.
    private func check(_ result: TrayBench.Result, _ seed: UInt64) -> [String] {
        let image = TestFirmware(count: 4000).image
        var flaws: [String] = []
        let changed = Set(result.notes.filter { $0.change != nil }.map(\.slot))
        for (index, record) in result.records.enumerated() {
            let isRight = result.images[index] == image
            let place = "seed \(seed), slot \(record.slot)"
            guard let verdict = record.verdict else {
                flaws.append("\(place): no verdict")
                continue
            }
            if verdict.outcome == .passed, !isRight {
                flaws.append("\(place): passed, and has another image")
            }
            if isRight, !changed.contains(record.slot) { flaws.append("\(place): changed without a row") }
            if !verdict.outcome.isGood, verdict.code == nil || verdict.message == nil {
                flaws.append("\(place): \(verdict.outcome) without a reason")
            }
        }
        let closed = result.notes.count { if case .closed = $0.kind { true } else { false } }
        if closed != result.records.count { flaws.append("seed \(seed): \(closed) endings written") }
        return flaws
    }
}
