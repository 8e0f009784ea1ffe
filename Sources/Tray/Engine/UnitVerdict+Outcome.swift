import UpdateModel

extension UnitVerdict {
    /// The outcome for the schedule.
    var unitOutcome: UnitOutcome {
        let code = FailureCode(rawValue: self.code ?? "unknown")
        return switch outcome {
        case .passed: .passed
        case .notNeeded: .notNeeded
        case .failed: .failed(code)
        case .error: .benchError(code)
        case .skipped: .skipped
        case .aborted: .aborted
        case .unknown: .unknown(code)
        }
    }
}

extension UnitRecord {
    /// Adds the planner's advice, unless there is some already.
    mutating func advise(_ planner: some UnitPlanner) {
        guard let ended = verdict, !ended.outcome.isGood, ended.nextStep == nil, let code = ended.code else {
            return
        }
        verdict?.nextStep = planner.nextStep(after: code)
    }
}
