/// How a unit of a tray ended, or an attempt at it.
public enum UnitOutcome: String, CaseIterable, Codable, Sendable {
    /// The unit runs the new firmware, as verified after the update.
    case passed
    case failed
    /// The fault is the bench's or the order's, not the unit's.
    case error
    /// The unit already ran the firmware.
    case notNeeded = "not-needed"
    case skipped
    /// The attempt was stopped, or the run ended before the unit was done.
    case aborted
    /// The program could not determine whether the unit runs the new firmware.
    case unknown

    /// The letter by which outcomes differ when colours cannot be seen.
    public var letter: Character { Character(rawValue.prefix(1).uppercased()) }

    public var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether the outcome reflects the unit, so that it counts in a yield.
    public var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
