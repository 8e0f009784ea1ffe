import BeaconIdentity
import Tray
import TrayEngine
import TrayJournal

extension BatchRun {
    /// The latest run of the tray, with the units whose turn has not ended or for which the bench failed, and with
    /// `retryingFailed` also those that are not on their firmware.
    static func resuming(
        _ source: TraySource, retryingFailed: Bool, in journal: Journal, radios: [String],
        checks: [Check]
    ) async throws -> BatchRun {
        guard let (record, journalled) = try await latest(of: source, in: journal) else {
            throw CommandFailure(
                "run-missing", during: "looking for the run",
                message: "\(journal.path) has no run of \(source.place ?? "units by rule")")
        }
        return try await resuming(source, record, journalled, retryingFailed, in: journal, radios, checks)
    }

    private static func latest(
        of source: TraySource, in journal: Journal
    ) async throws(JournalError) -> (TrayRecord, JournalledRun)? {
        guard let id = try await journal.latestRun(of: source.place)?.run.id,
            let record = try await journal.record(of: id), let journalled = try await journal.run(id)
        else { return nil }
        return (record, journalled)
    }

    private static func resuming(
        _ source: TraySource, _ record: TrayRecord, _ journalled: JournalledRun, _ retryingFailed: Bool,
        in journal: Journal, _ radios: [String], _ checks: [Check]
    ) async throws -> BatchRun {
        var record = record
        var targets: [TrayTarget] = []
        for index in record.units.indices {
            let unit = record.units[index]
            guard isOpen(unit, retryingFailed), let device = device(of: unit, in: source) else { continue }
            let changes = try await journal.changes(of: record.id, slot: unit.slot).map(\.change)
            try await closeCutOff(&record.units[index], in: journalled)
            record.units[index].verdict = nil
            targets.append(
                TrayTarget(
                    slot: unit.slot, device: device,
                    label: source.slots.first { $0.label == unit.slot }?.id,
                    mayBeInBootloader: !changes.isEmpty,
                    mayBeInstalled: changes.contains { $0.step == .activate }))
        }
        guard !targets.isEmpty else {
            throw CommandFailure(
                "run-complete", during: "looking for the run",
                message: retryingFailed
                    ? "every unit of the latest run is on its firmware"
                    : "the latest run of this tray has come to its end")
        }
        let session = session((record.sessions.last?.number ?? 0) + 1, radios, checks)
        try await journalled.reopen(targets.map(\.slot))
        try await journalled.note(session)
        return BatchRun(
            source: source, journal: journal, journalled: journalled, record: record, session: session,
            targets: targets, share: nil)
    }

    private static func isOpen(_ unit: UnitRecord, _ retryingFailed: Bool) -> Bool {
        guard let outcome = unit.verdict?.outcome else { return true }
        return outcome == .aborted || outcome == .error || retryingFailed && !outcome.isGood
    }

    /// Where the unit is looked for: at the address at which it was found, else as its slot says by now.
    private static func device(of unit: UnitRecord, in source: TraySource) -> DeviceSelector? {
        let slot = source.slots.first { $0.label == unit.slot }
        return unit.address.flatMap { DeviceSelector($0) } ?? slot?.device
            ?? unit.device.flatMap { DeviceSelector($0) }
    }

    /// An attempt that has no end was cut off: by a crash, or by a power cut.
    private static func closeCutOff(_ unit: inout UnitRecord, in journalled: JournalledRun) async throws {
        for index in unit.attempts.indices where unit.attempts[index].verdict == nil {
            unit.attempts[index].verdict = Tray.Verdict(
                .aborted, code: "cut-off", during: "running the tray",
                message: "the program ended in the middle of the attempt")
            try await journalled.note(unit.attempts[index], of: unit.slot)
        }
    }
}
