/// What a unit's turn, or an attempt at it, has come to.
public enum Outcome: String, CaseIterable, Codable, Sendable {
    /// It runs the new firmware, as was read from it.
    case passed
    /// The unit failed.
    case failed
    /// The bench failed. It says nothing of the unit.
    case error
    /// It ran that firmware before.
    case notNeeded = "not-needed"
    /// It was left out on purpose.
    case skipped
    /// The run was ended before it was done.
    case aborted
    /// It may run the new firmware or not; why nobody knows.
    case unknown

    /// A letter that tells outcomes apart where colours do not.
    public var letter: Character {
        switch self {
        case .passed: "P"
        case .failed: "F"
        case .error: "E"
        case .notNeeded: "N"
        case .skipped: "S"
        case .aborted: "A"
        case .unknown: "U"
        }
    }

    /// Whether the unit is on the right firmware.
    public var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether it says something of the unit, so that it counts in a yield.
    public var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
