package import UpdateModel

/// How a unit, or an attempt at it, ended, and why.
package struct UnitVerdict: Hashable, Codable, Sendable {
    /// The outcome.
    package var outcome: Outcome
    /// The stable code of the cause; nil if there is none.
    package var code: String?
    /// The phase in which it occurred.
    package var during: String?
    /// The cause in one line.
    package var message: String?
    /// Advice for the operator.
    package var nextStep: String?
    /// The unit's state, if `outcome` alone does not define it.
    package var state: UnitState?

    /// Creates a verdict with these values.
    package init(
        _ outcome: Outcome, code: FailureCode? = nil, during: String? = nil, message: String? = nil,
        nextStep: String? = nil, state: UnitState? = nil
    ) {
        self.outcome = outcome
        self.code = code?.rawValue
        self.during = during
        self.message = message
        self.nextStep = nextStep
        self.state = state
    }
}

extension UnitVerdict {
    var cause: FailureCode { FailureCode(named: code ?? "unknown") }

    /// The cause, if it counts against the unit.
    var failure: FailureCode? { outcome.isOfUnit && outcome != .passed ? cause : nil }
}

/// The state of a unit whose update did not end normally, as far as it is known.
package struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    package var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    package var address: String
    /// The state of its application: `intact`, `gone`, `new` or `unknown`.
    package var application: String
    /// The same in one line of text.
    package var words: String

    /// Creates a state with these values.
    package init(program: String, address: String, application: String, words: String) {
        self.program = program
        self.address = address
        self.application = application
        self.words = words
    }
}

/// The outcome of a unit, or of an attempt at it.
package enum Outcome: String, CaseIterable, Codable, Sendable {
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
    package var letter: Character { Character(rawValue.prefix(1).uppercased()) }

    /// Whether the unit is on the right firmware.
    package var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether it reflects the unit, so that it counts in a yield.
    package var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
