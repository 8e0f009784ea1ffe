import Bluetooth
package import Logging

/// Runs the updates of a tray: connects `TraySchedule`, which decides what happens next, with adapters, the journal and
/// the operator.
package struct TrayRun<Planner: UnitPlanner>: Sendable {
    let plan: TrayPlan
    let adapters: [RunAdapter]
    let planner: Planner
    let journal: any RunJournal
    let log: Logger
    let report: @Sendable (TrayEvent) -> Void

    package init(
        _ plan: TrayPlan, over adapters: [RunAdapter], planner: Planner, journal: any RunJournal,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (TrayEvent) -> Void
    ) {
        (self.plan, self.adapters, self.planner, self.journal) = (plan, adapters, planner, journal)
        (self.log, self.report) = (log, report)
    }

    /// Runs until every unit has ended. Throws if the journal cannot be written.
    package func run(obeying controls: AsyncStream<TrayControl> = AsyncStream { $0.finish() }) async throws
        -> RunResult
    {
        guard let first = adapters.first else {
            return RunResult(records: plan.records, adapters: [], limitedBy: nil)
        }
        let mailbox = RunMailbox()
        var coordinator = RunCoordinator(self, mailbox, time: first.adapter.time)
        await withDiscardingTaskGroup { group in
            group.addTask { for await control in controls { mailbox.send(.control(control)) } }
            coordinator.handle(.fact(.timePassed), &group)
            if !coordinator.isOver {
                for await message in mailbox.messages {
                    coordinator.handle(message, &group)
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
