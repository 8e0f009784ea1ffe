import Bluetooth
public import Logging

/// Runs the updates of a tray. `TraySchedule`, a value, decides what happens next; this connects it with adapters, a
/// journal and people.
public struct TrayRun<Planner: UnitPlanner>: Sendable {
    /// The result of a session.
    public struct Ending: Sendable {
        /// The units at the end of the session.
        public let records: [UnitRecord]
        /// What was learnt about the adapters.
        public let adapters: [TrayRecord.Adapter]
        /// What limited the speed most: `connector`, `slots`, `air`, `flash`, `answers` or `retries`.
        public let limitedBy: String?
    }

    let plan: TrayPlan
    let adapterSlots: [AdapterSlot]
    let planner: Planner
    let journal: any RunJournal
    let log: Logger
    let report: @Sendable (TrayEvent) -> Void

    /// A session of `plan` over `adapterSlots`.
    public init(
        _ plan: TrayPlan, over adapterSlots: [AdapterSlot], planner: Planner, journal: any RunJournal,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (TrayEvent) -> Void
    ) {
        self.plan = plan
        self.adapterSlots = adapterSlots
        self.planner = planner
        self.journal = journal
        self.log = log
        self.report = report
    }

    /// Runs until every unit has ended. Throws if the journal cannot be written.
    public func run(obeying controls: AsyncStream<TrayControl> = AsyncStream { $0.finish() }) async throws
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
