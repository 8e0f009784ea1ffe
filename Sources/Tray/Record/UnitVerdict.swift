package import UpdateModel

/// How a unit, or an attempt at it, ended, and why.
package struct UnitVerdict: Hashable, Codable, Sendable {
    package var outcome: Outcome
    package var code, during, message, nextStep: String?
    /// The unit's state, if `outcome` alone does not define it.
    package var state: UnitState?

    package init(
        _ outcome: Outcome, code: FailureCode? = nil, during: String? = nil, message: String? = nil,
        nextStep: String? = nil, state: UnitState? = nil
    ) {
        self.outcome = outcome
        self.code = code?.rawValue
        (self.during, self.message, self.nextStep, self.state) = (during, message, nextStep, state)
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

    package init(program: String, address: String, application: String, words: String) {
        (self.program, self.address, self.application, self.words) = (program, address, application, words)
    }
}

/// The outcome of a unit, or of an attempt at it.
package enum Outcome: String, CaseIterable, Codable, Sendable {
    /// It runs the new firmware, as read from it.
    case passed
    case failed
    /// The bench failed. It is independent of the unit.
    case error
    /// It already ran that firmware.
    case notNeeded = "not-needed"
    case skipped
    /// The run ended before it was done.
    case aborted
    /// Whether it runs the new firmware could not be determined.
    case unknown

    /// A letter that distinguishes outcomes without colours.
    package var letter: Character { Character(rawValue.prefix(1).uppercased()) }

    package var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether it reflects the unit, so that it counts in a yield.
    package var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
