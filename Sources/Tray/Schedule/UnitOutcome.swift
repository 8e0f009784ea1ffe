public import UpdateModel

/// The outcome of a unit of a tray.
public enum UnitOutcome: Hashable, Sendable {
    /// It runs the new firmware, as read from it.
    case passed
    /// It already ran that firmware.
    case notNeeded
    /// The unit failed, for this reason.
    case failed(FailureCode)
    /// The bench failed, for this reason. It is independent of the unit.
    case benchError(FailureCode)
    /// It was skipped on purpose.
    case skipped
    /// The run ended before it was done.
    case aborted
    /// Whether it runs the new firmware could not be determined, for this reason.
    case unknown(FailureCode)

    /// The failure that counts against the unit; nil if there is none.
    var failure: FailureCode? {
        switch self {
        case .failed(let cause), .unknown(let cause): cause
        case .passed, .notNeeded, .benchError, .skipped, .aborted: nil
        }
    }
}

extension UnitOutcome {
    /// The outcome without its reason.
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
