/// How a unit's turn, or an attempt at it, has ended, and why.
public struct Verdict: Hashable, Codable, Sendable {
    /// What it has come to.
    public var outcome: Outcome
    /// The stable code of the cause; nil where there is none to tell.
    public var code: String?
    /// During what.
    public var during: String?
    /// The cause in one line.
    public var message: String?
    /// What a person can do next.
    public var nextStep: String?
    /// What the unit is now, where it is not simply on the firmware that `outcome` says.
    public var state: UnitState?

    /// An ending as described.
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
