import Bluetooth
import Firmware
import Logging
import Synchronization
import UpdateEngine
import UpdateModel

/// The attempts at a unit, one after the other, each recorded before anything is done to the unit.
struct UnitAttempts<Planner: UnitPlanner>: Sendable {
    let run: TrayRun<Planner>
    let unit: UnitNumber
    let target: TrayTarget
    let finding: TrayFinding
    /// All other addresses that the run has heard.
    let heard: Set<DeviceAddress>
    /// When the run began to listen, by the adapter's clock; nil if an attempt of this session has begun.
    let since: Duration?
    let runAdapter: RunAdapter
    let mailbox: RunMailbox

    /// Runs until the unit ends or its adapter is gone; returns the message for the coordinator. `record`: what is known of
    /// the unit. Throws if the journal cannot be written.
    func perform(
        _ record: UnitRecord, obeying token: StopToken<StopReason>
    ) async throws -> RunMailbox.Message {
        defer { mailbox.releaseClaims(of: unit) }
        var record = record
        record.verdict = nil
        let beacon = finding.beacon
        if let beacon { record.note(beacon, silentApplication: silentApplication) }
        try await run.journal.note(record)
        run.report(.found(unit, record))
        record.verdict = blocker
        if record.verdict == nil { record.verdict = await run.journal.blocker(of: target.slot) }
        if record.verdict == nil, let beacon { try await attempt(&record, beacon, obeying: token) }
        if token.reason == nil, mayRestart(record) {
            record.verdict = nil
            return .adapterLost(unit, record)
        }
        record.verdict?.addNextStep(from: run.planner, at: silentApplication ?? beacon?.address)
        try await run.journal.close(record)
        return .ended(unit, record)
    }

    private func attempt(
        _ record: inout UnitRecord, _ beacon: BeaconSighting, obeying token: StopToken<StopReason>
    ) async throws {
        let time = runAdapter.adapter.time
        var start = StartAddress(
            address: beacon.address, silentApplication: silentApplication,
            isConfirmedBootloader: silentApplication != nil && target.bootloaders.contains(beacon.address),
            since: since)
        var job: UnitJob?
        var installs = target.mayBeInstalled
        // Whether the unit may already run the new firmware, because no later attempt has sent a byte.
        var wasInstalled = false
        let firstNumber = (record.attempts.last?.number ?? 0) + 1
        for number in firstNumber..<firstNumber + max(1, run.plan.attempts) {
            let recorder = AttemptRecorder(
                AttemptRecord(
                    number: number, session: run.plan.session, adapter: runAdapter.name, began: .now,
                    address: start.address.withKind, firmware: job?.firmware,
                    versionBefore: job?.versionBefore ?? beacon.version), at: time.now)
            try await run.journal.begin(recorder.record, of: target.slot)
            run.report(.began(unit, recorder.record))
            let result = Mutex(
                AttemptEnd(job: job, verdict: StopReason.aborted.verdict(run.plan.rules), state: nil))
            let attempt = Attempt(
                attempts: self, start: start, beacon: beacon, firstNumber: firstNumber,
                earlier: record.attempts, recorder: recorder)
            await token.run { [job] in
                let end = await attempt.perform(job, over: runAdapter.adapter)
                result.withLock { $0 = end }
            }
            let end = result.withLock { $0 }
            job = end.job ?? job
            // `hasBeenSent` is set before a transfer: the unit may then need no firmware, and receive no byte.
            let mayHaveIt = installs || wasInstalled
            wasInstalled = mayHaveIt && !recorder.hasSentBytes
            installs = recorder.wasToldToInstall || installs && !recorder.hasBeenSent
            mailbox.send(.mayBeInstalled(unit, installs || wasInstalled))
            let proven = proven(end.verdict, recorder, installs: installs || mayHaveIt)
            var verdict = record.completing(
                stopped(proven, by: token.reason), mayBeNew: installs, wasSeen: recorder.hasSeenApplication,
                wasHeard: number == firstNumber && silentApplication == nil && !beacon.isBootloader)
            verdict.addNextStep(from: run.planner, at: start.silentApplication ?? start.address)
            let ended = recorder.ended(verdict, at: time.now)
            record.attempts.append(ended)
            record.verdict = verdict
            try await run.journal.note(ended, of: target.slot)
            run.report(.attempted(unit, ended))
            guard token.reason == nil, run.planner.mayHelp(after: verdict) else { return }
            guard await run.journal.blocker(of: target.slot) == nil else { return }
            start.follow(end.state, hasSent: recorder.hasBeenSent)
        }
    }

    private struct Attempt: Sendable {
        let attempts: UnitAttempts
        let start: StartAddress
        let beacon: BeaconSighting
        /// The number of the first attempt after `beacon` was received.
        let firstNumber: Int
        let earlier: [AttemptRecord]
        let recorder: AttemptRecorder

        var run: TrayRun<Planner> { attempts.run }
        var unit: UnitNumber { attempts.unit }
        var target: TrayTarget { attempts.target }
        var slot: String { target.slot }
        var mailbox: RunMailbox { attempts.mailbox }

        /// Makes the attempt, with the job `known` from an earlier attempt, if any.
        func perform(_ known: UnitJob?, over air: some Adapter) async -> AttemptEnd {
            var adapter = PermittedAdapter(base: air, unit: unit, slot: run.plan.slot, mailbox: mailbox) {
                if let fact = recorder.packetsPassed(of: unit, at: air.time.now) { mailbox.send(.fact(fact)) }
            }
            var chosen = known
            do {
                let job =
                    if let known { known } else {
                        try await run.planner.job(
                            for: target, found: beacon, with: adapter, warning: { warn($0) })
                    }
                chosen = job
                adapter.connectTimeout = job.choices.connectTimeout
                recorder.change { ($0.firmware, $0.versionBefore) = (job.firmware, job.versionBefore) }
                try await run.journal.note(recorder.record, of: slot)
                run.report(.planned(unit, recorder.record))
                let end =
                    if let verdict = verified(job) { AttemptEnd(job: job, verdict: verdict, state: nil) } else
                    {
                        await update(job, with: adapter)
                    }
                // A unit that needs no update gets its settings as well.
                guard end.verdict.outcome.isGood else { return end }
                do { try await configure(job, with: adapter) } catch {
                    let place = start.silentApplication ?? start.address
                    var failed = self.end(after: error, job, at: place)
                    failed.verdict.message =
                        "the unit has its firmware, but perhaps not its settings: \(failed.verdict.message ?? "")"
                    return failed
                }
                return end
            } catch {
                return end(after: error, chosen)
            }
        }

        /// The verdict on a unit whose version the last attempt with firmware has verified, after which only its settings
        /// failed; nil if there is no such attempt, or if the unit has shown another version since.
        private func verified(_ job: UnitJob) -> UnitVerdict? {
            guard let last = earlier.last(where: { $0.firmware != nil }),
                last.firmware?.sha256 == job.firmware.sha256, last.verified == Verification.version.rawValue,
                let version = last.versionAfter,
                last.number >= firstNumber || !beacon.isBootloader && beacon.version == version
            else { return nil }
            recorder.change { $0.versionBefore = version }
            return UnitVerdict(
                .notNeeded, code: .device.sameVersion, during: "planning the update",
                message: "an earlier attempt has verified version \(version)")
        }

        private func warn(_ warning: AttemptRecord.Warning) {
            recorder.change { $0.warnings.append(warning) }
            run.report(.warning(unit, warning))
        }

        private func end(
            after error: any Error, _ job: UnitJob?, at address: DeviceAddress? = nil
        ) -> AttemptEnd {
            let place = address ?? start.address
            return AttemptEnd(
                job: job, verdict: run.planner.verdict(for: error, at: place, sending: job?.firmware.path),
                state: (error as? UpdateFailure)?.state)
        }

        private func configure(_ job: UnitJob, with adapter: some Adapter) async throws {
            let address = start.silentApplication ?? start.address
            let changes = try await run.planner.configure(
                target, found: beacon, at: address, with: adapter, warning: { warn($0) }
            ) { try await write(.configure(at: address), job) }
            guard let changes, !changes.isEmpty else { return }
            warn(AttemptRecord.Warning(.tray.settingsWritten, changes.joined(separator: "; ")))
        }

        private func update(_ job: UnitJob, with adapter: some Adapter) async -> AttemptEnd {
            var policy = RetryPolicy(fruitlessLinks: job.fruitlessLinks)
            policy.adopt(job.choices)
            let time = adapter.time
            let updater = Updater(adapter: adapter, policy: policy, log: run.log) { event in
                if let fact = recorder.note(event, of: unit, at: time.now) { mailbox.send(.fact(fact)) }
                run.report(.update(unit, event))
            }
            var nearby = EarlierScan(
                heard: attempts.heard, since: start.since, silentApplication: start.silentApplication,
                version: beacon.version)
            nearby.isConfirmedBootloader = start.isConfirmedBootloader
            nearby.revision = earlier.lazy.reversed().compactMap(\.revisionBefore).first
            do {
                let result = try await updater.run(
                    job.procedure, entering: job.entry, on: start.address, among: nearby,
                    accepting: job.risks, showing: job.frames, identifying: job.identifying,
                    admit: job.admit, learning: { recorder.note($0) }, inspect: job.inspect
                ) { change in try await write(change, job) }
                recorder.note(result)
                let verdict = UnitVerdict(result, acceptingReappearance: run.planner.acceptsReappearance)
                return AttemptEnd(job: job, verdict: verdict, state: nil)
            } catch {
                return end(after: error, job)
            }
        }

        /// Records the step that is about to be taken: without a record, it must not be taken.
        private func write(_ change: DeviceChange, _ job: UnitJob) async throws {
            do {
                if let record = recorder.takeUnjournalled() { try await run.journal.note(record, of: slot) }
                try await run.journal.willChange(
                    change, sending: job.firmware, in: recorder.record.number, of: slot)
                switch change {
                case .update: recorder.noteSending()
                case .activate: recorder.noteInstalling()
                case .enterBootloader, .configure: break
                }
                mailbox.send(.willChange(unit, change))
            } catch let forbidden as UpdateFailure { throw forbidden } catch {
                mailbox.send(.journalFailed(error))
                throw UpdateFailure(.journal.failed, during: "writing the journal", message: "\(error)")
            }
        }
    }
}

extension UnitAttempts {
    /// How an attempt ended.
    private struct AttemptEnd: Sendable {
        /// The unit's job, which the next attempt uses; nil if there is none.
        let job: UnitJob?
        var verdict: UnitVerdict
        /// The unit's state, if a change to it did not end normally; nil if it did, or if nothing was changed.
        let state: DeviceState?
    }

    private struct StartAddress: Sendable {
        var address: DeviceAddress
        /// The application's address, if `address` is the bootloader's; otherwise nil.
        var silentApplication: DeviceAddress?
        /// Whether an attempt, perhaps of an earlier session, has switched the application to that bootloader and sent it
        /// firmware.
        var isConfirmedBootloader = false
        /// When the unit was first known to run the program at `address`; nil if it may have run another one since.
        var since: Duration?

        /// Sets the address for the next attempt by the `state` after the last one. `hasSent`: whether that sent firmware.
        mutating func follow(_ state: DeviceState?, hasSent: Bool) {
            since = nil
            guard let state, state.program == .bootloader, silentApplication == nil, state.address != address
            else {
                return
            }
            (silentApplication, address, isConfirmedBootloader) = (address, state.address, hasSent)
        }
    }

    private var silentApplication: DeviceAddress? {
        if case .bootloader(_, let application) = finding { application } else { nil }
    }

    private var blocker: UnitVerdict? {
        let step = "looking for the unit"
        switch finding {
        case .unit, .bootloader: return nil
        case .ambiguous(let addresses):
            return UnitVerdict(
                .error, code: .device.deviceAmbiguous, during: step,
                message: "\(addresses.count) beacons match \(target.device): "
                    + addresses.map(\.withKind).joined(separator: ", "))
        case .taken(let address, let slot):
            return UnitVerdict(
                .error, code: .device.deviceAmbiguous, during: step,
                message: "\(target.device) matches \(address.withKind), which is the beacon of slot \(slot)")
        case .mislabelled(let beacon, let id):
            return UnitVerdict(
                .failed, code: .tray.labelMismatch, during: step,
                message: "\(beacon.address) has the id \(id), but its label says \(target.label ?? "")")
        }
    }

    /// Turns the verdict "not needed" into "passed" if this run told the unit to install its version (`installs`), and
    /// records the version that was read. Returns other verdicts unchanged.
    private func proven(_ verdict: UnitVerdict, _ recorder: AttemptRecorder, installs: Bool) -> UnitVerdict {
        guard verdict.outcome == .notNeeded, installs else { return verdict }
        recorder.change { record in
            record.versionAfter =
                record.versionAfter ?? record.versionBefore ?? record.version(shownBy: verdict)
            record.verified = record.versionAfter == nil ? record.verified : Verification.version.rawValue
        }
        return UnitVerdict(.passed, code: .tray.installedBefore)
    }

    /// Whether the unit may start again after its adapter was lost. After too many losses, it ends with a bench error.
    private func mayRestart(_ record: UnitRecord) -> Bool {
        let code = FailureCode.system.noAdapter.rawValue
        let times = record.attempts.count { $0.session == run.plan.session && $0.verdict?.code == code }
        return record.verdict?.code == code && times <= Self.mostLosses
    }

    /// How often a unit may lose its adapter in a session.
    private static var mostLosses: Int { 3 }

    /// The verdict of an attempt that was stopped, with the unit's state from `verdict`.
    private func stopped(_ verdict: UnitVerdict, by stop: StopReason?) -> UnitVerdict {
        guard let stop, !verdict.outcome.isGood else { return verdict }
        var stopped = stop.verdict(run.plan.rules)
        stopped.state = verdict.state
        if let message = verdict.message, ![stopped.message, UpdateFailure.interruption].contains(message) {
            stopped.message = "\(stopped.message ?? ""); before that: \(message)"
        }
        return stopped
    }
}

extension AttemptRecord {
    /// The version text that the application showed before the update, if it was read from a characteristic.
    fileprivate var revisionBefore: Revision? {
        versionBefore.flatMap { text in
            versionSource.flatMap(BluetoothUUID.init).map { Revision(text: text, source: $0) }
        }
    }
}
