public import UpdateModel

/// How a unit, or an attempt at it, ended, and why.
public struct UnitVerdict: Hashable, Codable, Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The stable code of the cause; nil if there is none.
    public var code: String?
    /// The phase in which it occurred.
    public var during: String?
    /// The cause in one line.
    public var message: String?
    /// Advice for the operator.
    public var nextStep: String?
    /// The unit's state, if `outcome` alone does not define it.
    public var state: UnitState?

    /// Creates a verdict with these values.
    public init(
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
public struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    public var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    public var address: String
    /// The state of its application: `intact`, `gone`, `new` or `unknown`.
    public var application: String
    /// The same in one line of text.
    public var words: String

    /// Creates a state with these values.
    public init(program: String, address: String, application: String, words: String) {
        self.program = program
        self.address = address
        self.application = application
        self.words = words
    }
}

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
    public var letter: Character { Character(rawValue.prefix(1).uppercased()) }

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

/// How many of the units that count have passed. Bench errors do not count.
public struct Yield: Hashable, Sendable {
    /// Units that passed.
    public let passed: Int
    /// All units that count.
    public let counted: Int

    /// Counts units, each by whether it passed.
    public init(_ units: [Bool]) { (passed, counted) = (units.count { $0 }, units.count) }

    /// The share that passed; nil if no unit counts.
    public var share: Double? { counted == 0 ? nil : Double(passed) / Double(counted) }
}

extension TrayRecord {
    /// Units that passed at the first attempt that reflects the unit.
    public var firstPassYield: Yield { Yield(units.compactMap(\.passedFirst)) }

    /// Units that passed in the end.
    public var finalYield: Yield {
        Yield(units.compactMap(\.verdict?.outcome).filter(\.isOfUnit).map { $0 == .passed })
    }

    /// The number of units by outcome.
    public var counts: [Outcome: Int] {
        Dictionary(units.compactMap(\.verdict?.outcome).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The number of units without a verdict.
    public var open: Int { units.count { $0.verdict == nil } }
}

/// A share in percent with one decimal, rounded down: 99.96 % is not all. Shared by terminals, pages and reports.
public struct Percentage: Hashable, Sendable {
    private let tenths: Int

    /// Creates it from a share, where 1 is 100 %; a value that is not finite counts as 0.
    public init(_ share: Double) {
        let value = (share * 1000 + 1e-9).rounded(.down)
        tenths = value.isFinite ? Int(max(0, min(1e15, value))) : 0
    }

    /// The number alone, for example `91.6`.
    public var number: String { "\(tenths / 10).\(tenths % 10)" }
}

extension Percentage: CustomStringConvertible {
    /// `91.6 %`.
    public var description: String { "\(number) %" }
}
