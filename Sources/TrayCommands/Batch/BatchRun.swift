import CommandKit
import Firmware
import FoundationEssentials
import Tray
import TrayJournal
import UpdateEngine
import UpdateModel

/// A run in the journal, and the work of one of its sessions.
package struct BatchRun {
    /// Adds a run, or its next session, to the journal.
    typealias Beginning = @Sendable () async throws -> BatchRun

    let source: TraySource
    let journal: Journal
    let journalled: JournalledRun
    /// The run as it was when the session began.
    var record: TrayRecord
    let session: TrayRecord.Session
    /// When the session began, on the monotonic clock.
    private let began = ContinuousClock.now
    private(set) var targets: [TrayTarget]
    private(set) var share: TrayWork.Share?
    /// The beacons that were heard before the run.
    var heard: [BeaconSighting] = []
    /// In a resumed run, the slots whose units had not ended, were aborted, or had an error of the bench.
    var open: Set<String> = []

    /// Whether a unit has passed: no golden unit is then needed.
    var hasPassed: Bool { record.units.contains { $0.verdict?.outcome == .passed } }

    var records: [UnitRecord] {
        let known = Dictionary(record.units.map { ($0.slot, $0) }) { first, _ in first }
        return targets.map { target in
            var unit = known[target.slot] ?? UnitRecord(slot: target.slot, device: "\(target.device)")
            if !target.device.addresses.isEmpty, let beacon = heard.first(where: target.device.matches),
                !beacon.isBootloader
            {
                unit.note(beacon, silentApplication: nil)
            }
            return unit
        }
    }

    /// Begins a run of the units of `source` that the station has claimed; `heard` are the beacons in range.
    static func beginning(
        _ source: TraySource, _ share: TrayWork.Share, heard: BeaconSightings?, in journal: Journal,
        radios: [String], simulated: Bool, checks: [Check]
    ) async throws -> BatchRun {
        var record = TrayRecord(id: UUID().uuidString.lowercased())
        (record.tray, record.station) = (source.place, source.station)
        (record.operatorName, record.orderNumber) = (source.operatorName, source.orderNumber)
        record.expected = source.expected
        if simulated { record.isSimulated = true }
        // All slots of a tray file are recorded; of the beacons that a rule selects, only the claimed ones.
        let slots = source.selectsBySlots ? source.slots : share.slots
        record.units = slots.map { slot in
            var unit = UnitRecord(slot: slot.label, device: slot.device.map { "\($0)" })
            unit.verdict = share.verdicts[slot.label]
            return unit
        }
        let session = TrayRecord.Session(beginning: 1, on: radios, after: checks)
        record.sessions = [session]
        return BatchRun(
            source: source, journal: journal, journalled: try await journal.begin(record), record: record,
            session: session,
            targets: share.slots.compactMap { slot in
                slot.device.map { TrayTarget(slot: slot.label, device: $0, label: slot.id) }
            }, share: share, heard: heard?.byStrength ?? [])
    }

    /// Limits the session to the units that the station has claimed. The others are closed with the verdict of their
    /// claim. A unit that had already ended gets that verdict only if it is good: another station has updated it.
    func sharing(_ share: TrayWork.Share) async throws -> BatchRun {
        var run = self
        run.share = share
        run.targets = targets.filter { share.grants[$0.slot] != nil }
        for (slot, verdict) in share.verdicts where open.contains(slot) || verdict.outcome.isGood {
            try await journalled.close(slot, verdict, at: .now)
        }
        return run
    }

    /// Opens the units again, and records the new session of the resumed run.
    func reopened() async throws -> BatchRun {
        try await journalled.reopen(targets.map(\.slot))
        try await journalled.note(session)
        return self
    }

    /// Records the end of the session, and returns the whole run.
    func ended(
        _ result: RunResult, mostBytesPerSecond most: Int
    ) async throws -> TrayRecord {
        var session = session
        session.ended = .now
        session.seconds = max(0, (ContinuousClock.now - began) / .seconds(1))
        session.adapters = result.adapters
        session.limitedBy = result.limitedBy
        if most > 0 { session.mostBytesPerSecond = most }
        try await journalled.note(session)
        return try await journal.record(of: record.id) ?? record
    }

    var started: RunEvent {
        var run = record
        run.sessions = [session]
        return .started(run, units: targets.count, journal: journal.path)
    }
}

/// A run's part of the station's journal, as the tray engine writes it.
struct BatchJournal: RunJournal {
    let run: JournalledRun
    let hooks: BatchHooks
    /// Renews the claims, and sends results to the work server; nil for a bench without a work server.
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
        let hookEntries = hooks.entries(of: unit, at: moment)
        let resultEntries = workSession.map { [$0.entry(of: unit, of: hooks.header, at: moment)] } ?? []
        try await run.close(unit.slot, verdict, outbox: hookEntries + resultEntries, at: moment)
        hooks.wakeSenders()
        workSession?.noteResult(of: unit.slot)
    }

    func reopen(_ slot: String) async throws { try await run.reopen([slot]) }

    func note(_ hold: TrayRecord.Hold) async throws { try await run.note(hold) }
}
