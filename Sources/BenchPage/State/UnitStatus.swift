public import Tray

/// The status of a unit, the worst first.
public enum UnitStatus: String, CaseIterable, Sendable {
    case failed, unknown, error, stalled, running, waiting, aborted, skipped
    case notNeeded = "not-needed"
    case passed

    /// The status for an outcome.
    public init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .passed: .passed
            case .failed: .failed
            case .error: .error
            case .notNeeded: .notNeeded
            case .skipped: .skipped
            case .aborted: .aborted
            case .unknown: .unknown
            }
    }

    /// The outcome; nil if the unit has not ended.
    public var outcome: Outcome? { Outcome(rawValue: rawValue) }
}
