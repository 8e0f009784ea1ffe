public import Tray
public import UpdateEngine

/// What a session of a run is to do.
public struct TrayPlan: Sendable {
    /// The units, in the order in which they are taken.
    public var targets: [TrayTarget]
    /// What is known of each of them already.
    public var records: [UnitRecord]
    /// By which rules.
    public var rules: ScheduleRules
    /// How often a unit is begun before it has failed.
    public var attempts: Int
    /// How a unit's update waits and tries again.
    public var policy: RetryPolicy
    /// Whether a hold waits for a person. Where nobody is there to release it, it ends the session.
    public var waitsOnHold: Bool
    /// The session's number.
    public var session: Int

    /// A session for `targets`.
    public init(
        _ targets: [TrayTarget], records: [UnitRecord], rules: ScheduleRules = ScheduleRules(),
        attempts: Int = 1,
        policy: RetryPolicy = RetryPolicy(), waitsOnHold: Bool = false, session: Int = 1
    ) {
        self.targets = targets
        self.records = records
        self.rules = rules
        self.attempts = attempts
        self.policy = policy
        self.waitsOnHold = waitsOnHold
        self.session = session
    }
}
