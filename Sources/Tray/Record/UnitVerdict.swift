package import UpdateModel

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

    var cause: FailureCode { FailureCode(named: code ?? "unknown") }

    package var reason: String { [code, message].compactMap(\.self).joined(separator: ": ") }

    /// The cause, if it counts against the unit.
    var failure: FailureCode? { outcome.isOfUnit && outcome != .passed ? cause : nil }
}

/// The state of a unit whose update did not end normally, as far as it is known.
package struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    package var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    package var address: String
    /// The state of the unit's application: `intact`, `gone`, `new` or `unknown`.
    package var application: String
    /// The state in one line of text, for people.
    package var words: String

    package init(program: String, address: String, application: String, words: String) {
        (self.program, self.address, self.application, self.words) = (program, address, application, words)
    }
}

package enum Outcome: String, CaseIterable, Codable, Sendable {
    /// The unit runs the new firmware, as verified after the update.
    case passed
    case failed
    /// The bench failed, not the unit.
    case error
    /// The unit already ran the firmware.
    case notNeeded = "not-needed"
    case skipped
    /// The run ended before the unit was done.
    case aborted
    /// The program could not determine whether the unit runs the new firmware.
    case unknown

    /// The letter by which outcomes differ when colours cannot be seen.
    package var letter: Character { Character(rawValue.prefix(1).uppercased()) }

    package var isGood: Bool { self == .passed || self == .notNeeded }

    /// Whether the outcome reflects the unit, so that it counts in a yield.
    package var isOfUnit: Bool {
        switch self {
        case .passed, .failed, .unknown: true
        case .error, .notNeeded, .skipped, .aborted: false
        }
    }
}
