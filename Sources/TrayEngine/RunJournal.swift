public import Tray
public import UpdateEngine

/// Where a run is written down as it happens. Each call returns when what it was told will outlive a power cut; one that
/// throws ends the run, for nothing is done to a unit that is not written down first. A cancelled task's calls count too.
public protocol RunJournal: Sendable {
    /// What stands against working at the unit in `slot` now, beside what the unit itself says; nil where nothing does. Asked before
    /// each attempt.
    func blocker(of slot: String) async -> Verdict?
    /// What is known of a unit by now, without its attempts.
    func note(_ unit: UnitRecord) async throws
    /// An attempt begins.
    func begin(_ attempt: AttemptRecord, of slot: String) async throws
    /// A step that changes the unit is about to be done. An `UpdateFailure` forbids the step, and ends the attempt only.
    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws
    /// More is known of an attempt, as what the unit is to get, or how it has ended.
    func note(_ attempt: AttemptRecord, of slot: String) async throws
    /// A unit's turn has ended.
    func close(_ unit: UnitRecord) async throws
    /// A unit's turn has not ended after all.
    func reopen(_ slot: String) async throws
    /// A hold begins, or the latest is over.
    func note(_ hold: TrayRecord.Hold) async throws
}

extension RunJournal {
    /// Nothing stands against it.
    public func blocker(of slot: String) async -> Verdict? { nil }
}
