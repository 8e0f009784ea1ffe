import UpdateModel

/// The outcomes of a run that the hold rules use.
struct OutcomeWindow: Sendable {
    /// Whether each tried unit failed, in the order in which they ended.
    private var failures: [Bool] = []
    private var causes: [FailureCode: Int] = [:]

    /// Records an outcome; returns why to hold the tray, by the first matching rule.
    ///
    /// A unit that needed no update was not tried; neither was one that ended with a bench error.
    mutating func note(_ outcome: UnitOutcome, _ rules: [HoldRule]) -> HoldReason? {
        var cause = outcome.failure
        switch outcome {
        case .passed: failures.append(false)
        case .failed, .unknown: failures.append(true)
        case .benchError(let fault): cause = fault
        case .notNeeded, .skipped, .aborted: return nil
        }
        guard let cause else { return nil }
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
