package import Bluetooth
import Firmware
import Logging
import Synchronization
package import UpdateEngine
package import UpdateModel

/// The attempts at a unit, one after the other, each recorded before anything is done to the unit.
struct UnitAttempts<Planner: UnitPlanner>: Sendable {
    let run: TrayRun<Planner>
    let unit: UnitNumber
    let target: TrayTarget
    let finding: TrayFinding
    /// All other addresses that the run has heard.
    let heard: Set<DeviceAddress>
    /// Since when the run has listened, by the adapter's clock; nil if an attempt of this session has begun.
    let since: Duration?
    let adapterSlot: AdapterSlot
    let mailbox: RunMailbox

    /// Runs until the unit ends or its adapter is gone; returns the message about it. `record`: what is known of the
    /// unit. Throws if the journal cannot be written.
    func perform(
        _ record: UnitRecord, obeying token: StopToken<StopReason>
    ) async throws -> RunMailbox.Message {
        defer { mailbox.releaseClaims(of: unit) }
        var record = record
        record.verdict = nil
        let beacon = finding.beacon
        if let beacon { record.note(beacon, absent: absent) }
        try await run.journal.note(record)
        run.report(.found(unit, record))
        record.verdict = blocker
        if record.verdict == nil { record.verdict = await run.journal.blocker(of: target.slot) }
        if record.verdict == nil, let beacon { try await attempt(&record, beacon, obeying: token) }
        if token.reason == nil, mayLeave(record) {
            record.verdict = nil
            return .left(unit, record)
        }
        record.advise(run.planner)
        try await run.journal.close(record)
        return .ended(unit, record)
    }

    private func attempt(
        _ record: inout UnitRecord, _ beacon: BeaconSighting, obeying token: StopToken<StopReason>
    ) async throws {
        let time = adapterSlot.adapter.time
        var start = StartAddress(address: beacon.address, absent: absent, since: since)
        var job: UnitJob?
        var installs = target.mayBeInstalled
        // Whether the unit may already run the new firmware, if the latest attempts have sent no byte.
        var wasInstalled = false
        for _ in 1...max(1, run.plan.attempts) {
            let number = (record.attempts.last?.number ?? 0) + 1
            let notes = AttemptRecorder(
                AttemptRecord(
                    number: number, session: run.plan.session, adapter: adapterSlot.name, began: .now,
                    address: start.address.withKind, firmware: job?.firmware,
                    versionBefore: job?.versionBefore ?? beacon.version), at: time.now)
            try await run.journal.begin(notes.record, of: target.slot)
            run.report(.began(unit, notes.record))
            let result = Mutex<(job: UnitJob?, ending: Ending)>((job, .stopped))
            let attempt = Attempt(turn: self, start: start, beacon: beacon, notes: notes)
            await token.run { [job] in
                let end = await attempt.perform(job, over: adapterSlot.adapter)
                result.withLock { $0 = end }
            }
            let ending = result.withLock { $0.ending }
            job = result.withLock { $0.job } ?? job
            // `hasBeenSent` is set before a transfer: the unit may then need no firmware, and receive no byte.
            let mayHaveIt = installs || wasInstalled
            wasInstalled = mayHaveIt && !notes.hasSentBytes
            installs = notes.installs || installs && !notes.hasBeenSent
            let proven = proven(ending.verdict, notes, installs: installs || mayHaveIt)
            let verdict = record.completing(
                stopped(proven, by: token.reason), mayBeNew: installs, wasSeen: notes.hasSeenApplication)
            let ended = notes.ended(verdict, at: time.now)
            record.attempts.append(ended)
            record.verdict = verdict
            try await run.journal.note(ended, of: target.slot)
            run.report(.attempted(unit, ended))
            guard token.reason == nil, run.planner.mayHelp(after: verdict) else { return }
            guard await run.journal.blocker(of: target.slot) == nil else { return }
            start.follow(ending.state, hasSent: notes.hasBeenSent)
        }
    }

    private struct Attempt: Sendable {
        let turn: UnitAttempts
        let start: StartAddress
        let beacon: BeaconSighting
        let notes: AttemptRecorder

        var run: TrayRun<Planner> { turn.run }
        var slot: String { turn.target.slot }

        /// Makes the attempt. Also returns the unit's job, which the next attempt uses; nil if there is none.
        func perform(_ known: UnitJob?, over air: some Adapter) async -> (job: UnitJob?, ending: Ending) {
            var adapter = PermittedAdapter(
                base: air, unit: turn.unit, slots: run.plan.slot, mailbox: turn.mailbox
            ) {
                if let fact = notes.packetsPassed(of: turn.unit, at: air.time.now) { turn.mailbox.say(fact) }
            }
            var chosen = known
            do {
                let job =
                    if let known { known } else {
                        try await run.planner.job(
                            for: turn.target, found: beacon, with: adapter, warning: { warn($0) })
                    }
                chosen = job
                adapter.connectTimeout = job.choices.connectTimeout
                notes.change { ($0.firmware, $0.versionBefore) = (job.firmware, job.versionBefore) }
                try await run.journal.note(notes.record, of: slot)
                run.report(.planned(turn.unit, notes.record))
                let ending = await update(job, with: adapter)
                // A unit that needs no update gets its settings as well.
                if ending.verdict.outcome.isGood { try await configure(job, with: adapter) }
                return (job, ending)
            } catch {
                return (chosen, ending(with: error))
            }
        }

        private func warn(_ warning: AttemptRecord.Warning) {
            notes.change { $0.warnings.append(warning) }
            run.report(.warning(turn.unit, warning))
        }

        private func ending(with error: any Error) -> Ending {
            Ending(verdict: run.planner.verdict(for: error), state: (error as? UpdateFailure)?.state)
        }

        private func configure(_ job: UnitJob, with adapter: some Adapter) async throws {
            let address = start.absent ?? start.address
            let changes = try await run.planner.configure(
                turn.target, found: beacon, at: address, with: adapter, warning: { warn($0) }
            ) { try await write(.configure(at: address), job) }
            guard let changes, !changes.isEmpty else { return }
            warn(AttemptRecord.Warning(.tray.settingsWritten, changes.joined(separator: "; ")))
        }

        private func update(_ job: UnitJob, with adapter: some Adapter) async -> Ending {
            var policy = RetryPolicy(fruitlessLinks: job.fruitlessLinks)
            policy.adopt(job.choices)
            let time = adapter.time
            let updater = Updater(adapter: adapter, policy: policy, log: run.log) { event in
                if let fact = notes.note(event, of: turn.unit, at: time.now) { turn.mailbox.say(fact) }
                run.report(.update(turn.unit, event))
            }
            var nearby = EarlierScan(
                heard: turn.heard, since: start.since, absent: start.absent, version: beacon.version)
            nearby.isReached = start.isReached
            do {
                let result = try await updater.run(
                    job.procedure, entering: job.entry, on: start.address, among: nearby,
                    accepting: job.risks, showing: job.frames, identifying: job.identifying,
                    admit: job.admit, learning: { notes.note($0) }, inspect: job.inspect
                ) { change in try await write(change, job) }
                notes.note(result)
                return Ending(verdict: run.planner.verdict(for: result), state: nil)
            } catch {
                return ending(with: error)
            }
        }

        /// Records the step that is about to be taken: without a record, it must not be taken.
        private func write(_ change: DeviceChange, _ job: UnitJob) async throws {
            do {
                if let news = notes.takeNews() { try await run.journal.note(news, of: slot) }
                try await run.journal.willChange(
                    change, sending: job.firmware, in: notes.record.number, of: slot)
                switch change {
                case .update: notes.noteSending()
                case .activate: notes.noteInstalling()
                case .enterBootloader, .configure: break
                }
                turn.mailbox.hand(in: .changes(turn.unit, change))
            } catch let forbidden as UpdateFailure { throw forbidden } catch {
                turn.mailbox.hand(in: .broken(error))
                throw UpdateFailure(.journal.failed, during: "writing the journal", message: "\(error)")
            }
        }
    }
}

/// The update of one unit: the arguments of `Updater.run`, and what is recorded of them.
package struct UnitJob: Sendable {
    package var procedure: any UpdateProcedure
    /// How the unit's application is switched to its bootloader; nil if the bootloader already runs, or the application
    /// itself receives the firmware.
    package var entry: (any BootloaderEntry)?
    package var firmware: FirmwareRecord
    package var versionBefore: String?
    /// How often the link may be lost without progress before an attempt ends.
    package var fruitlessLinks: Int
    /// The user's choices for links and bootloaders.
    package var choices: TransferOptions
    package var risks: Set<Risk>
    /// How the unit's frames show its version; nil if they are not to be used.
    package var frames: FrameVersion?
    /// The identity query to the unit's application; nil if any client can read the identity.
    package var identifying: IdentityQueryFactory?
    /// Throws if the unit's advertisements show a reason against the update.
    package var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws if the application's facts show a reason against the update.
    package var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    package init(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, firmware: FirmwareRecord,
        versionBefore: String? = nil, fruitlessLinks: Int = 5,
        following choices: TransferOptions = TransferOptions(), accepting risks: Set<Risk> = [],
        showing frames: FrameVersion? = nil, identifying: IdentityQueryFactory? = nil,
        admit: @escaping @Sendable (Advertisement) throws(UpdateFailure) -> Void = { _ in },
        inspect: @escaping @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    ) {
        (self.procedure, self.entry, self.firmware) = (procedure, entry, firmware)
        (self.versionBefore, self.fruitlessLinks) = (versionBefore, fruitlessLinks)
        (self.choices, self.risks) = (choices, risks)
        (self.frames, self.identifying, self.admit, self.inspect) = (frames, identifying, admit, inspect)
    }
}
