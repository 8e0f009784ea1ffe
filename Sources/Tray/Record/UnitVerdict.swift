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
        _ outcome: Outcome, code: String? = nil, during: String? = nil, message: String? = nil,
        nextStep: String? = nil, state: UnitState? = nil
    ) {
        self.outcome = outcome
        self.code = code
        self.during = during
        self.message = message
        self.nextStep = nextStep
        self.state = state
    }
}
