import UpdateModel

/// A rule by which no further unit starts until the operator has looked at the failures.
///
/// Only outcomes since the start of the run or its last release count, so that old failures do not trip a rule again.
package enum HoldRule: Hashable, Sendable {
    /// This many units in a row have failed.
    case consecutive(Int)
    /// This many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// This many units have ended for the same reason, the unit's or the bench's.
    case sameCause(Int)
}

struct OutcomeWindow: Sendable {
    /// For each unit that was tried, whether it failed; in the order in which the units ended.
    private var failures: [Bool] = []
    /// How many units have ended with each code.
    private var causes: [FailureCode: Int] = [:]

    /// Records how a unit ended; returns the reason to hold the tray by the first rule that applies, or nil.
    ///
    /// A unit that needed no update, or that ended with a bench error, does not count as tried.
    mutating func note(_ verdict: UnitVerdict, _ rules: [HoldRule]) -> HoldReason? {
        let outcome = verdict.outcome
        if outcome.isOfUnit { failures.append(outcome != .passed) }
        guard let cause = outcome == .error ? verdict.cause : verdict.failure else { return nil }
        causes[cause, default: 0] += 1
        for rule in rules {
            if let reason = reason(by: rule, cause) { return reason }
        }
        return nil
    }

    private func reason(by rule: HoldRule, _ cause: FailureCode) -> HoldReason? {
        switch rule {
        case .consecutive(let limit):
            let count = failures.reversed().prefix { $0 }.count
            return count >= max(1, limit) ? .consecutive(count) : nil
        case .share(let limit, let length):
            let count = failures.suffix(max(0, length)).count { $0 }
            return count >= max(1, limit) ? .share(failures: count, ofLast: length) : nil
        case .sameCause(let limit):
            let count = causes[cause, default: 0]
            return count >= max(1, limit) ? .sameCause(cause, count) : nil
        }
    }
}

package struct ScheduleRules: Hashable, Sendable {
    /// Whether the golden unit has to pass before the others start.
    package var hasGolden: Bool
    package var hold: [HoldRule]
    /// Time limit of a unit, from its first connection attempt; nil for none.
    package var unitTime: Duration?
    /// Time limit of the run, from its start; nil for none.
    package var trayTime: Duration?
    /// The minimum time to wait for units that no adapter has heard. They are given up when no other work is left.
    package var search: Duration

    /// The default rules: a golden unit; a hold after three failures in a row, five of the last twenty, or four of one
    /// cause; no time limits; 30 s for units that were not heard.
    package init(
        hasGolden: Bool = true,
        hold: [HoldRule] = [.consecutive(3), .share(failures: 5, ofLast: 20), .sameCause(4)],
        unitTime: Duration? = nil, trayTime: Duration? = nil, search: Duration = .seconds(30)
    ) {
        (self.hasGolden, self.hold, self.unitTime, self.trayTime) = (hasGolden, hold, unitTime, trayTime)
        self.search = search
    }
}
