package import Bluetooth
package import Logging
package import UpdateModel

/// Runs the updates of a tray: connects `TraySchedule`, which decides what happens next, with adapters, the journal and
/// the operator.
package struct TrayRun<Planner: UnitPlanner>: Sendable {
    package struct Ending: Sendable {
        package let records: [UnitRecord]
        package let adapters: [TrayRecord.Adapter]
        /// What limited the speed most: `connector`, `air`, `flash`, `answers` or `retries`; nil if nothing was sent.
        package let limitedBy: String?
    }

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
        -> Ending
    {
        guard let first = adapterSlots.first else {
            return Ending(records: plan.records, adapters: [], limitedBy: nil)
        }
        let mailbox = RunMailbox()
        var coordinator = RunCoordinator(self, mailbox, time: first.adapter.time)
        await withDiscardingTaskGroup { group in
            group.addTask { for await control in controls { mailbox.hand(in: .control(control)) } }
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
        return coordinator.ending
    }
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
                for await report in reports { mailbox.hand(in: .heard(report, by: number)) }
            } catch {
                if !Task.isCancelled {
                    // Warns once, not on every retry.
                    log.log(level: isDeaf ? .debug : .warning, "\(name) cannot be used: \(error)")
                    isDeaf = true
                }
            }
            guard !Task.isCancelled else { return }
            // The adapter was unplugged or switched off. Listening again waits for its return, or fails.
            mailbox.say(.adapter(number, isThere: false))
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
    case letGo(HoldReason)
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

extension HoldReason {
    /// The codes of holds that the operator can release; other holds are lifted by the work server.
    package static let codesOfBench = Set(FailureCode.tray.codes.filter(\.isBenchHold).map(\.rawValue))

    var code: FailureCode {
        switch self {
        case .goldenFailed: .tray.goldenFailed
        case .consecutive: .tray.consecutiveFailures
        case .share: .tray.failureShare
        case .sameCause: .tray.sameCause
        case .asked: .tray.paused
        case .order: .station.orderHeld
        case .refused(let code, _): code
        case .claimsEnd: .station.leaseShort
        }
    }

    func words(_ slot: (UnitNumber) -> String) -> String {
        switch self {
        case .goldenFailed(let unit, let cause): "the golden unit, slot \(slot(unit)), did not pass: \(cause)"
        case .consecutive(let count): "\(count) units in a row have failed"
        case .share(let failures, let last): "\(failures) of the last \(last) units have failed"
        case .sameCause(let cause, let count): "\(count) units have ended for the same reason: \(cause)"
        case .asked: "paused by the operator"
        case .claimsEnd(let why): "no unit starts until its claim can be renewed: \(why)"
        case .refused(_, let why): why
        case .order(let why): "the order is held for all benches: \(why)"
        }
    }
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
