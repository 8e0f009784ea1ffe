package import UpdateModel

/// The facts about a unit of a run or an order that are counted.
package protocol CountedUnit {
    var status: UnitStatus { get }
    /// The outcome that counts in the final yield; a unit that is tried again keeps its earlier one. Nil if no outcome
    /// reflects the unit.
    var yieldOutcome: UnitOutcome? { get }
    /// Whether the unit passed in its first attempt, and its image was sent from the beginning only once; nil if no
    /// outcome reflects the unit.
    var passedFirst: Bool? { get }
}

/// A unit's status, the worst first.
package enum UnitStatus: String, CaseIterable, Sendable {
    case failed, unknown, error, stalled, running, waiting, aborted, skipped
    case notNeeded = "not-needed"
    case passed

    package init(_ outcome: UnitOutcome?) {
        self = outcome.flatMap { UnitStatus(rawValue: $0.rawValue) } ?? .waiting
    }

    /// The outcome; nil if the unit has not ended.
    package var outcome: UnitOutcome? { UnitOutcome(rawValue: rawValue) }

    package var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The counts of units, as shown in the terminal, on pages, in reports and histories, and for the work server.
package struct UnitCounts: Hashable, Sendable {
    package let units: Int
    /// The number of units with each status; a status that no unit has is not a key.
    package let byStatus: [UnitStatus: Int]
    package let firstPassYield, finalYield: Yield

    package init<Unit: CountedUnit>(_ units: [Unit]) {
        self.units = units.count
        byStatus = Dictionary(units.map { ($0.status, 1) }, uniquingKeysWith: +)
        firstPassYield = Yield(units.compactMap(\.passedFirst))
        finalYield = Yield(units.compactMap(\.yieldOutcome).map { $0 == .passed })
    }

    package subscript(status: UnitStatus) -> Int { byStatus[status] ?? 0 }

    package var good: Int { self[.passed] + self[.notNeeded] }
    package var done: Int { byStatus.reduce(0) { $1.key.outcome == nil ? $0 : $0 + $1.value } }
    package var open: Int { units - done }

    package var byOutcome: [String: Int] {
        Dictionary(
            UnitOutcome.allCases.map { ($0.rawValue, self[UnitStatus($0)]) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// How many of the counted units have passed. Units that ended with a bench error are not counted.
package struct Yield: Hashable, Sendable {
    package let passed, counted: Int

    package init(_ units: [Bool]) { (passed, counted) = (units.count { $0 }, units.count) }

    package init(_ passed: Int, of counted: Int) { (self.passed, self.counted) = (passed, counted) }

    package static func + (one: Yield, other: Yield) -> Yield {
        Yield(one.passed + other.passed, of: one.counted + other.counted)
    }

    package var share: Double? { counted == 0 ? nil : Double(passed) / Double(counted) }
}

extension UnitRecord: CountedUnit {
    package var status: UnitStatus { UnitStatus(verdict?.outcome) }
    package var yieldOutcome: UnitOutcome? { verdict.flatMap { $0.outcome.isOfUnit ? $0.outcome : nil } }
}

extension RunState.Unit: CountedUnit { package var passedFirst: Bool? { record.passedFirst } }

extension TrayRecord { package var counts: UnitCounts { UnitCounts(units) } }

extension RunState {
    /// The counts now: a unit that is tried again is not done until it has ended.
    package var counts: UnitCounts { UnitCounts(units) }
}

package struct CauseCount: Hashable, Sendable {
    package let code: String
    /// The slots of the units that ended with this code, in the tray's order.
    package let slots: [String]
    /// The number of attempts of these units that ended with this code, by adapter.
    package let adapters: [String: Int]
}

extension TrayRecord {
    /// Why units are not on the right firmware: the most frequent cause first, then by code. A unit without a code
    /// counts under its outcome.
    package var causes: [CauseCount] {
        var byCode: [String: [UnitRecord]] = [:]
        for unit in units {
            guard let verdict = unit.verdict, !verdict.outcome.isGood else { continue }
            byCode[verdict.code ?? verdict.outcome.rawValue, default: []].append(unit)
        }
        return byCode.map { code, units in
            let attempts = units.flatMap(\.attempts).filter { $0.verdict?.code == code }
            return CauseCount(
                code: code, slots: units.map(\.slot),
                adapters: Dictionary(attempts.map { ($0.adapter, 1) }, uniquingKeysWith: +))
        }
        .sorted { ($1.slots.count, $0.code) < ($0.slots.count, $1.code) }
    }
}

/// A share in percent with one decimal, rounded down, so that 99.96 % is not shown as 100 %.
package struct Percentage: Hashable, Sendable, CustomStringConvertible {
    private let tenths: Int

    /// Creates it from a share, where 1 is 100 %; a value that is not finite counts as 0.
    package init(_ share: Double) {
        let value = (share * 1000 + 1e-9).rounded(.down)
        tenths = value.isFinite ? Int(max(0, min(1e15, value))) : 0
    }

    /// The number alone, for example `91.6`.
    package var number: String { "\(tenths / 10).\(tenths % 10)" }

    package var description: String { "\(number) %" }
}
