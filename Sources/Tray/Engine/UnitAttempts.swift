package import Bluetooth
import Identity
import Logging
import Synchronization
package import UpdateEngine
package import UpdateModel

/// The attempts at a unit, one after the other, each recorded before anything is done to the unit.
struct UnitAttempts<Planner: UnitPlanner>: Sendable {
    let unit: UnitNumber
    let target: TrayTarget
    let finding: TrayFinding
    /// All other addresses that the run has heard.
    let heard: Set<DeviceAddress>
    /// Since when the run has listened, by the adapter's time; nil if it has already touched the unit.
    let since: Duration?
    let adapterSlot: AdapterSlot
    let plan: TrayPlan
    let planner: Planner
    let journal: any RunJournal
    let mailbox: RunMailbox
    let log: Logger
    let report: @Sendable (TrayEvent) -> Void

    /// Runs until the unit ends or its adapter is gone. `record`: what is known of the unit. Throws if the journal
    /// cannot be written.
    func run(
        _ record: UnitRecord, obeying token: StopToken<StopReason>
    ) async throws -> RunMailbox.Message {
        defer { mailbox.releaseClaims(of: unit) }
        var record = record
        record.verdict = nil
        let beacon = finding.beacon
        if let beacon { record.note(beacon, absent: absent) }
        try await journal.note(record)
        report(.found(unit, record))
        record.verdict = blocker
        if record.verdict == nil { record.verdict = await journal.blocker(of: target.slot) }
        if record.verdict == nil, let beacon {
            try await attempt(&record, beacon, obeying: token)
        }
        if token.reason == nil, mayLeave(record) {
            record.verdict = nil
            return .left(unit, record)
        }
        record.advise(planner)
        try await journal.close(record)
        return .ended(unit, record)
    }

    private func attempt(
        _ record: inout UnitRecord, _ beacon: BeaconSighting, obeying token: StopToken<StopReason>
    ) async throws {
        var start = StartAddress(address: beacon.address, absent: absent, since: since)
        var job: UnitJob?
        var installs = target.mayBeInstalled
        // The same, for attempts in which no byte was sent.
        var wasInstalled = false
        for _ in 1...max(1, plan.attempts) {
            let number = (record.attempts.last?.number ?? 0) + 1
            let notes = AttemptRecorder(
                AttemptRecord(
                    number: number, session: plan.session, adapter: adapterSlot.name, began: .now,
                    address: start.address.withKind, firmware: job?.firmware,
                    versionBefore: job?.versionBefore ?? beacon.version),
                at: adapterSlot.adapter.time.now)
            try await journal.begin(notes.record, of: target.slot)
            report(.began(unit, notes.record))
            let result = Mutex<(job: UnitJob?, ending: Ending)>((job, .stopped))
            await token.run { [job, start] in
                let end = await update(start, beacon, job, notes)
                result.withLock { $0 = end }
            }
            let ending = result.withLock { $0.ending }
            job = result.withLock { $0.job } ?? job
            // The journal records the intent before firmware is sent; a unit that needed none was sent none.
            let mayHaveIt = installs || wasInstalled
            wasInstalled = mayHaveIt && !notes.hasSentBytes
            installs = notes.installs || installs && !notes.hasBeenSent
            let verdict = record.completing(
                stopped(
                    proven(ending.verdict, notes, installs: installs || mayHaveIt), by: token.reason),
                mayBeNew: installs, wasSeen: notes.hasSeenApplication)
            let ended = notes.ended(verdict, at: adapterSlot.adapter.time.now)
            record.attempts.append(ended)
            record.verdict = verdict
            try await journal.note(ended, of: target.slot)
            report(.attempted(unit, ended))
            guard token.reason == nil, planner.mayHelp(after: verdict) else { return }
            guard await journal.blocker(of: target.slot) == nil else { return }
            start.follow(ending.state, hasSent: notes.hasBeenSent)
        }
    }

    /// Runs one attempt. Returns the job for the next one.
    private func update(
        _ start: StartAddress, _ beacon: BeaconSighting, _ known: UnitJob?, _ notes: AttemptRecorder
    ) async -> (job: UnitJob?, ending: Ending) {
        await update(start, beacon, known, notes, with: adapterSlot.adapter)
    }

    private func update<Air: Adapter>(
        _ start: StartAddress, _ beacon: BeaconSighting, _ known: UnitJob?, _ notes: AttemptRecorder,
        with air: Air
    ) async -> (job: UnitJob?, ending: Ending) {
        let targets = plan.targets
        let adapter = PermittedAdapter(
            base: air, unit: unit, slots: { targets[$0.value].slot }, mailbox: mailbox
        ) { [mailbox, unit] in
            if let fact = notes.packetsPassed(of: unit, at: air.time.now) { mailbox.say(fact) }
        }
        var job = known
        do {
            if job == nil {
                job = try await planner.job(for: target, found: beacon, with: adapter) { warning in
                    notes.change { $0.warnings.append(warning) }
                    report(.warning(unit, warning))
                }
            }
            guard let job else { return (nil, Ending(verdict: UnitVerdict(.error), state: nil)) }
            notes.change { ($0.firmware, $0.versionBefore) = (job.firmware, job.versionBefore) }
            try await journal.note(notes.record, of: target.slot)
            report(.planned(unit, notes.record))
            let ending = try await updated(start, beacon, job, notes, with: adapter)
            guard ending.verdict.outcome.isGood else { return (job, ending) }
            try await configure(start, beacon, job, notes, with: adapter)
            return (job, ending)
        } catch {
            return (job, ending(with: error))
        }
    }

    /// Runs the update; returns the result, or why no update is needed.
    private func updated<Air: Adapter>(
        _ start: StartAddress, _ beacon: BeaconSighting, _ job: UnitJob, _ notes: AttemptRecorder,
        with adapter: PermittedAdapter<Air>
    ) async throws -> Ending {
        do { return try await update(start, beacon, job, notes, with: adapter) } catch {
            let ending = ending(with: error)
            guard ending.verdict.outcome.isGood else { throw error }
            return ending
        }
    }

    private func ending(with error: any Error) -> Ending {
        Ending(verdict: planner.verdict(for: error), state: (error as? UpdateFailure)?.state)
    }

    /// Applies the settings to a unit that has its firmware.
    private func configure<Air: Adapter>(
        _ start: StartAddress, _ beacon: BeaconSighting, _ job: UnitJob, _ notes: AttemptRecorder,
        with adapter: PermittedAdapter<Air>
    ) async throws {
        let address = start.absent ?? start.address
        let note: @Sendable (AttemptRecord.Warning) -> Void = { warning in
            notes.change { $0.warnings.append(warning) }
            report(.warning(unit, warning))
        }
        let changes = try await planner.configure(
            target, found: beacon, at: address, with: adapter, warning: note
        ) { try await write(.configure(at: address), job, notes) }
        guard let changes, !changes.isEmpty else { return }
        note(AttemptRecord.Warning(.tray.settingsWritten, changes.joined(separator: "; ")))
    }

    private func update<Air: Adapter>(
        _ start: StartAddress, _ beacon: BeaconSighting, _ job: UnitJob, _ notes: AttemptRecorder,
        with adapter: PermittedAdapter<Air>
    ) async throws -> Ending {
        var policy = plan.policy
        policy.fruitlessLinks = job.fruitlessLinks
        let time = adapter.time
        let updater = Updater(adapter: adapter, policy: policy, log: log) { event in
            if let fact = notes.note(event, of: unit, at: time.now) { mailbox.say(fact) }
            report(.update(unit, event))
        }
        let result = try await updater.run(
            job.procedure, entering: job.entry, on: start.address,
            among: nearbyScan(of: start, beacon),
            accepting: job.risks, showing: job.frames, identifying: job.identifying, admit: job.admit,
            learning: { notes.note($0) }, inspect: job.inspect
        ) { change in
            try await write(change, job, notes)
        }
        notes.note(result)
        return Ending(verdict: planner.verdict(for: result), state: nil)
    }

    private func nearbyScan(of start: StartAddress, _ beacon: BeaconSighting) -> EarlierScan {
        var prior = EarlierScan(
            heard: heard, since: start.since, absent: start.absent, version: beacon.version)
        prior.isReached = start.isReached
        return prior
    }

    /// Nothing is done to a unit that is not recorded first.
    private func write(_ change: DeviceChange, _ job: UnitJob, _ notes: AttemptRecorder) async throws {
        do {
            if let news = notes.takeNews() { try await journal.note(news, of: target.slot) }
            try await journal.willChange(
                change, sending: job.firmware, in: notes.record.number, of: target.slot)
            switch change {
            case .update: notes.noteSending()
            case .activate: notes.noteInstalling()
            case .enterBootloader, .configure: break
            }
            mailbox.hand(in: .changes(unit, change))
        } catch let forbidden as UpdateFailure { throw forbidden } catch {
            mailbox.hand(in: .broken(error))
            throw UpdateFailure(
                .journal.failed, during: "writing the journal", message: "\(error)")
        }
    }
}

/// The update of one unit: the arguments of `Updater.run`, and what is recorded of them.
package struct UnitJob: Sendable {
    package var procedure: any UpdateProcedure
    /// How its application is switched to its bootloader; nil if the bootloader already runs, or the application is not
    /// to be left.
    package var entry: (any BootloaderEntry)?
    package var firmware: FirmwareRecord
    package var versionBefore: String?
    /// How often its link may be lost without progress before an attempt ends.
    package var fruitlessLinks: Int
    package var risks: Set<Risk>
    /// How its frames show its version; nil if they are not to be used.
    package var frames: FrameVersion?
    /// The identity query to its application; nil if any client can read its identity.
    package var identifying: IdentityQueryFactory?
    /// Throws the blocker for an update that the unit's advertisements show.
    package var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws the blocker for an update that the application's facts show.
    package var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    package init(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, firmware: FirmwareRecord,
        versionBefore: String? = nil, fruitlessLinks: Int = 5, accepting risks: Set<Risk> = [],
        showing frames: FrameVersion? = nil, identifying: IdentityQueryFactory? = nil,
        admit: @escaping @Sendable (Advertisement) throws(UpdateFailure) -> Void = { _ in },
        inspect: @escaping @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    ) {
        (self.procedure, self.entry, self.firmware) = (procedure, entry, firmware)
        (self.versionBefore, self.fruitlessLinks, self.risks) = (versionBefore, fruitlessLinks, risks)
        (self.frames, self.identifying, self.admit, self.inspect) = (frames, identifying, admit, inspect)
    }
}
