package import Bluetooth
package import Firmware
package import Logging
package import UpdateEngine
package import UpdateModel

/// Runs the updates of a tray: connects `TraySchedule`, which decides what happens next, with adapters, the journal and
/// the operator.
package struct TrayRun<Planner: UnitPlanner>: Sendable {
    let plan: TrayPlan
    let adapterSlots: [AdapterSlot]
    let planner: Planner
    let journal: any RunJournal
    let log: Logger
    let report: @Sendable (TrayEvent) -> Void

    package init(
        _ plan: TrayPlan, over adapterSlots: [AdapterSlot], planner: Planner, journal: any RunJournal,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (TrayEvent) -> Void
    ) {
        (self.plan, self.adapterSlots, self.planner, self.journal) = (plan, adapterSlots, planner, journal)
        (self.log, self.report) = (log, report)
    }

    /// Runs until every unit has ended. Throws if the journal cannot be written.
    package func run(obeying controls: AsyncStream<TrayControl> = AsyncStream { $0.finish() }) async throws
        -> RunResult
    {
        guard let first = adapterSlots.first else {
            return RunResult(records: plan.records, adapters: [], limitedBy: nil)
        }
        let mailbox = RunMailbox()
        var coordinator = RunCoordinator(self, mailbox, time: first.adapter.time)
        await withDiscardingTaskGroup { group in
            group.addTask { for await control in controls { mailbox.send(.control(control)) } }
            coordinator.take(.fact(.timePassed), &group)
            if !coordinator.isOver {
                for await message in mailbox.messages {
                    coordinator.take(message, &group)
                    if coordinator.isOver { break }
                }
            }
            coordinator.close()
            group.cancelAll()
        }
        if let failure = coordinator.failure { throw failure }
        return coordinator.result
    }
}

/// What a session of a run has done.
package struct RunResult: Sendable {
    package let records: [UnitRecord]
    package let adapters: [TrayRecord.Adapter]
    /// What limited the speed most: `connector`, `air`, `flash`, `answers` or `retries`; nil if nothing was sent.
    package let limitedBy: String?
}

package struct AdapterSlot: Sendable {
    package let number: AdapterNumber
    /// The adapter's name, for example `hci0`.
    package let name: String
    package let adapter: any Adapter
    package let slots: LinkSlots

    package init(_ number: AdapterNumber, _ name: String, _ adapter: any Adapter, slots: LinkSlots) {
        (self.number, self.name, self.adapter, self.slots) = (number, name, adapter, slots)
    }

    /// The pause before an unusable adapter is tried again.
    private static var pause: Duration { .seconds(2) }

    /// Forwards the adapter's reports to `mailbox` until the task is cancelled.
    func listen(for mailbox: RunMailbox, _ log: Logger) async {
        var isDeaf = false
        while !Task.isCancelled {
            do throws(AdapterError) {
                let reports = try await adapter.advertisements()
                isDeaf = false
                for await report in reports { mailbox.send(.heard(report, by: number)) }
            } catch {
                if !Task.isCancelled {
                    // Warns once, not on every retry.
                    log.log(level: isDeaf ? .debug : .warning, "\(name) cannot be used: \(error)")
                    isDeaf = true
                }
            }
            guard !Task.isCancelled else { return }
            // The adapter was unplugged or switched off. Listening again waits for its return, or fails.
            mailbox.send(.fact(.adapter(number, isThere: false)))
            try? await adapter.time.sleep(for: Self.pause)
        }
    }
}

/// A command to a running run, from the operator or the work server.
package enum TrayControl: Hashable, Sendable {
    /// No further unit starts until the tray is released.
    case pause
    /// No further unit starts, for an external reason, until the tray is released.
    case hold(HoldReason)
    /// This external reason has passed; other reasons remain.
    case endHold(HoldReason)
    case release
    /// No operator is left who could release a hold: from now on, a hold that only an operator can release ends the
    /// session, as in an unattended run.
    case unattended
    /// No further unit starts in this session; those at work continue to their end.
    case stop
    /// Like `stop`, and units at work end at their next safe point.
    case abort
    /// The unit is skipped; if it is at work, it ends at its next safe point.
    case skip(UnitNumber)
    /// The unit, which is not on its firmware, is tried again.
    case retry(UnitNumber)
    /// The unit, which is not at work, blinks.
    case show(UnitNumber)
}

/// An event of a run, for observers.
package enum TrayEvent: Sendable {
    /// The identity of a unit that waits; reported on change.
    case heard(UnitNumber, UnitRecord)
    /// The identity of a unit whose update begins, before anything is done to it.
    case found(UnitNumber, UnitRecord)
    case began(UnitNumber, AttemptRecord)
    /// The unit's firmware is chosen and will be sent.
    case planned(UnitNumber, AttemptRecord)
    case update(UnitNumber, UpdateEvent)
    case warning(UnitNumber, AttemptRecord.Warning)
    /// Whether the unit can blink, by its adverts; reported on change.
    case canShow(UnitNumber, Bool)
    case blinking(UnitNumber, BlinkEvent)
    case stalled(UnitNumber)
    /// An attempt has ended; another follows unless the unit has ended.
    case attempted(UnitNumber, AttemptRecord)
    case ended(UnitNumber, UnitRecord)
    /// No further unit starts, or units start again (`released`).
    case hold(TrayRecord.Hold)
    /// The number of links of an adapter that are up or being made, and its limit.
    case adapter(AdapterNumber, links: Int, limit: Int)
    case presence(AdapterNumber, isThere: Bool)
}

package struct TrayPlan: Sendable {
    /// The units, in the tray's order.
    package var targets: [TrayTarget]
    /// The records of the units so far, in the same order.
    package var records: [UnitRecord]
    package var rules: ScheduleRules
    /// Attempts at a unit before it counts as failed.
    package var attempts: Int
    /// Whether a hold waits for the operator. In an unattended run, it ends the session.
    package var waitsOnHold: Bool
    package var session: Int

    package init(
        _ targets: [TrayTarget], records: [UnitRecord], rules: ScheduleRules = ScheduleRules(),
        attempts: Int = 1, waitsOnHold: Bool = false, session: Int = 1
    ) {
        (self.targets, self.records, self.rules, self.attempts) = (targets, records, rules, attempts)
        (self.waitsOnHold, self.session) = (waitsOnHold, session)
    }

    package func slot(_ unit: UnitNumber) -> String { targets[unit.value].slot }
}

package typealias WarningHandler = @Sendable (AttemptRecord.Warning) -> Void

/// Chooses the firmware of a unit, and translates errors into verdicts.
package protocol UnitPlanner: Sendable {
    /// The job for the unit that was found; throws if there is none. `adapter` is for queries to the unit.
    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping WarningHandler
    ) async throws -> UnitJob
    /// Applies settings to a unit that already has its firmware; its application is at `address`. Calls `willWrite`
    /// before the first change. Returns the changes in words; nil if there are no settings for the unit.
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]?
    /// Whether the program knows how to make a beacon with these adverts blink.
    func canShow(_ beacon: BeaconSighting) -> Bool
    /// Makes a beacon blink for `length`, over one link; returns afterwards. Calls `begin` just before it blinks.
    func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws
    /// Whether a unit passes that confirmed the image and came back, but does not report its version.
    var acceptsReappearance: Bool { get }
    /// The verdict for an error of the unit that was selected at `address`, while `file` was sent, if known.
    func verdict(for error: any Error, at address: DeviceAddress, sending file: String?) -> UnitVerdict
    /// Advice for a unit at `address`, if known, that the run itself has ended with `code`.
    func nextStep(after code: String, at address: DeviceAddress?) -> String?
    /// Whether another attempt may help after this verdict.
    func mayHelp(after verdict: UnitVerdict) -> Bool
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

/// Records a run as it happens. A call returns when its entry will survive a power cut. If a call throws, the run ends,
/// since every step at a unit must be recorded before it is taken. Calls of a cancelled task are recorded too.
package protocol RunJournal: Sendable {
    /// Why the unit in `slot` must not be worked on now, apart from what the unit itself reports; nil if it may be.
    /// Called before each attempt.
    func blocker(of slot: String) async -> UnitVerdict?
    /// Records the current data of a unit, without its attempts.
    func note(_ unit: UnitRecord) async throws
    func begin(_ attempt: AttemptRecord, of slot: String) async throws
    /// Records that a step is about to change the unit. An `UpdateFailure` forbids the step, and ends only the attempt.
    func willChange(
        _ change: DeviceChange, sending firmware: FirmwareRecord, in attempt: Int, of slot: String
    ) async throws
    /// Records new data of an attempt, for example its firmware or its verdict.
    func note(_ attempt: AttemptRecord, of slot: String) async throws
    func close(_ unit: UnitRecord) async throws
    func reopen(_ slot: String) async throws
    /// Records that a hold begins, or that the latest one has ended.
    func note(_ hold: TrayRecord.Hold) async throws
}
