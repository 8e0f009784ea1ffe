import CommandKit
import Firmware
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel

/// A run's part of the station's journal, as the tray engine writes it.
struct BatchJournal: RunJournal {
    let run: JournalledRun
    let hooks: BatchHooks
    /// Has the claims, and sends results to the work server; nil for a bench without a work server.
    let workSession: WorkSession?

    func blocker(of slot: String) async -> UnitVerdict? { await workSession?.blocker(of: slot) }

    func note(_ unit: UnitRecord) async throws { try await run.note(unit) }

    func begin(_ attempt: AttemptRecord, of slot: String) async throws {
        try await run.begin(attempt, of: slot)
    }

    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws {
        try await workSession?.admit(change, with: firmware.sha256, to: slot)
        try await run.willChange(ChangeRecord(change, firmware), in: attempt, of: slot)
    }

    func note(_ attempt: AttemptRecord, of slot: String) async throws {
        try await run.note(attempt, of: slot)
    }

    func close(_ unit: UnitRecord) async throws {
        guard let verdict = unit.verdict else { return }
        let moment = RecordedTime.now
        let news = hooks.entries(of: unit, at: moment)
        let result = workSession.map { [$0.entry(of: unit, of: hooks.header, at: moment)] } ?? []
        try await run.close(unit.slot, verdict, outbox: news + result, at: moment)
        hooks.tell()
        workSession?.tellResult(of: unit.slot)
    }

    func reopen(_ slot: String) async throws { try await run.reopen([slot]) }

    func note(_ hold: TrayRecord.Hold) async throws { try await run.note(hold) }
}
