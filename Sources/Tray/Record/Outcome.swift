/// The outcome of a unit, or of an attempt at it.
public enum Outcome: String, CaseIterable, Codable, Sendable {
    /// It runs the new firmware, as read from it.
    case passed
    /// The unit failed.
    case failed
    /// The bench failed. It is independent of the unit.
    case error
    /// It already ran that firmware.
    case notNeeded = "not-needed"
    /// It was skipped on purpose.
    case skipped
    /// The run ended before it was done.
    case aborted
    /// Whether it runs the new firmware could not be determined.
    case unknown

    /// A letter that distinguishes outcomes without colours.
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

    /// Whether it reflects the unit, so that it counts in a yield.
    public var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
