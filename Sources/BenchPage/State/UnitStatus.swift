public import Tray

/// How a unit stands, the worst first.
public enum UnitStatus: String, CaseIterable, Sendable {
    case failed, unknown, error, stalled, running, waiting, aborted, skipped
    case notNeeded = "not-needed"
    case passed

    /// As its turn has ended.
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

    /// How the unit's turn has ended; nil where it has not.
    public var outcome: Outcome? { Outcome(rawValue: rawValue) }
}
