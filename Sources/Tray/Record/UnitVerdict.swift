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

/// How many of the units that count have passed. Bench errors do not count.
package struct Yield: Hashable, Sendable {
    /// Units that passed.
    package let passed: Int
    /// All units that count.
    package let counted: Int

    /// Counts units, each by whether it passed.
    package init(_ units: [Bool]) { (passed, counted) = (units.count { $0 }, units.count) }

    /// The share that passed; nil if no unit counts.
    package var share: Double? { counted == 0 ? nil : Double(passed) / Double(counted) }
}

extension TrayRecord {
    /// Units that passed at the first attempt that reflects the unit.
    package var firstPassYield: Yield { Yield(units.compactMap(\.passedFirst)) }

    /// Units that passed in the end.
    package var finalYield: Yield {
        Yield(units.compactMap(\.verdict?.outcome).filter(\.isOfUnit).map { $0 == .passed })
    }

    /// The number of units by outcome.
    package var counts: [Outcome: Int] {
        Dictionary(units.compactMap(\.verdict?.outcome).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The number of units without a verdict.
    package var open: Int { units.count { $0.verdict == nil } }
}

/// A share in percent with one decimal, rounded down: 99.96 % is not all. Shared by terminals, pages and reports.
package struct Percentage: Hashable, Sendable {
    private let tenths: Int

    /// Creates it from a share, where 1 is 100 %; a value that is not finite counts as 0.
    package init(_ share: Double) {
        let value = (share * 1000 + 1e-9).rounded(.down)
        tenths = value.isFinite ? Int(max(0, min(1e15, value))) : 0
    }

    /// The number alone, for example `91.6`.
    package var number: String { "\(tenths / 10).\(tenths % 10)" }
}

extension Percentage: CustomStringConvertible {
    /// `91.6 %`.
    package var description: String { "\(number) %" }
}
