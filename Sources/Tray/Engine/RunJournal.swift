public import UpdateEngine

/// Records a run as it happens. Each call returns when its entry will survive a power cut. A call that throws ends the
/// run, since nothing may be done to a unit that was not recorded first. Calls of a cancelled task are recorded too.
public protocol RunJournal: Sendable {
    /// The blocker for working on the unit in `slot` now, in addition to what the unit itself reports; nil if there is
    /// none. Called before each attempt.
    func blocker(of slot: String) async -> UnitVerdict?
    /// Records the current data of a unit, without its attempts.
    func note(_ unit: UnitRecord) async throws
    /// Records that an attempt begins.
    func begin(_ attempt: AttemptRecord, of slot: String) async throws
    /// Records that a step is about to change the unit. An `UpdateFailure` forbids the step, and ends only the attempt.
    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws
    /// Records new data of an attempt, for example its firmware or its verdict.
    func note(_ attempt: AttemptRecord, of slot: String) async throws
    /// Records that a unit has ended.
    func close(_ unit: UnitRecord) async throws
    /// Records that a unit that had ended is tried again.
    func reopen(_ slot: String) async throws
    /// Records that a hold begins, or that the latest is over.
    func note(_ hold: TrayRecord.Hold) async throws
}

extension RunJournal {
    /// No blocker.
    public func blocker(of slot: String) async -> UnitVerdict? { nil }
}
