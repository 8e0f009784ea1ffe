public import UpdateEngine

/// The task of one session of a run.
public struct TrayPlan: Sendable {
    /// The units, in the tray's order.
    public var targets: [TrayTarget]
    /// The records of the units so far, in the same order.
    public var records: [UnitRecord]
    /// The rules of the schedule.
    public var rules: ScheduleRules
    /// Attempts at a unit before it counts as failed.
    public var attempts: Int
    /// The retry policy of a unit's update.
    public var policy: RetryPolicy
    /// Whether a hold waits for the operator. In an unattended run, it ends the session.
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
