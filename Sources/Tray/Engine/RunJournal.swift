package import UpdateEngine

/// Records a run as it happens. A call returns when its entry will survive a power cut. If a call throws, the run ends,
/// since every step that changes a unit must be recorded first. Calls of a cancelled task are recorded too.
package protocol RunJournal: Sendable {
    /// Why the unit in `slot` must not be worked on now, apart from what the unit itself reports; nil if it may be.
    /// Called before each attempt.
    func blocker(of slot: String) async -> UnitVerdict?
    /// Records the current data of a unit, without its attempts.
    func note(_ unit: UnitRecord) async throws
    /// Records that an attempt begins, before anything is done to the unit.
    func begin(_ attempt: AttemptRecord, of slot: String) async throws
    /// Records that a step is about to change the unit. An `UpdateFailure` forbids the step, and ends only the attempt.
    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws
    /// Records new data of an attempt, for example its firmware or its verdict.
    func note(_ attempt: AttemptRecord, of slot: String) async throws
    /// Records the unit's verdict, which ends its update.
    func close(_ unit: UnitRecord) async throws
    /// Deletes the verdict of the unit in `slot`, which is tried again.
    func reopen(_ slot: String) async throws
    /// Records that a hold begins, or that the latest one has ended.
    func note(_ hold: TrayRecord.Hold) async throws
}
