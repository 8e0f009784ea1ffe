public import UpdateCore

/// What a unit's turn in a tray has come to.
public enum UnitOutcome: Hashable, Sendable {
    /// It runs the new firmware, as was read from it.
    case passed
    /// It ran that firmware before.
    case notNeeded
    /// The unit failed, for this reason.
    case failed(FailureCode)
    /// The bench failed, for this reason. It says nothing of the unit.
    case benchError(FailureCode)
    /// It was left out on purpose.
    case skipped
    /// The run was ended before it was done.
    case aborted
    /// It may run the new firmware or not; why nobody knows.
    case unknown(FailureCode)

    /// Why the unit did not come to run the new firmware, where that counts against it.
    var failure: FailureCode? {
        switch self {
        case .failed(let cause), .unknown(let cause): cause
        case .passed, .notNeeded, .benchError, .skipped, .aborted: nil
        }
    }
}

extension UnitOutcome {
    /// The same without its reason.
    public var outcome: Outcome {
        switch self {
        case .passed: .passed
        case .notNeeded: .notNeeded
        case .failed: .failed
        case .benchError: .error
        case .skipped: .skipped
        case .aborted: .aborted
        case .unknown: .unknown
        }
    }
}
