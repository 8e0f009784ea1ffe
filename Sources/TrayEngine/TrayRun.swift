import BluetoothTypes
public import Logging
import Radio
import Timing
public import Tray

/// Takes the units of a tray to their ends: what happens next is decided by `TraySchedule`, a value; here it meets adapters,
/// a journal and people.
public struct TrayRun<Planner: UnitPlanner>: Sendable {
    /// What a session has come to.
    public struct Ending: Sendable {
        /// The units, as the session leaves them.
        public let records: [UnitRecord]
        /// What was learnt of the adapters.
        public let adapters: [TrayRecord.Adapter]
        /// What bounded the speed most: `connector`, `slots`, `air`, `flash`, `answers` or `retries`.
        public let limitedBy: String?
    }

    let plan: TrayPlan
    let seats: [TraySeat]
    let planner: Planner
    let journal: any RunJournal
    let log: Logger
    let report: @Sendable (TrayEvent) -> Void

    /// A session of `plan` over `seats`.
    public init(
        _ plan: TrayPlan, over seats: [TraySeat], planner: Planner, journal: any RunJournal,
        log: Logger = Logger(label: "beacon-dfu") { _ in SwiftLogNoOpLogHandler() },
        report: @escaping @Sendable (TrayEvent) -> Void
    ) {
        self.plan = plan
        self.seats = seats
        self.planner = planner
        self.journal = journal
        self.log = log
        self.report = report
    }

    /// Runs until every unit's turn has ended. Throws where the journal cannot be written.
    public func run(heeding controls: AsyncStream<TrayControl> = AsyncStream { $0.finish() }) async throws
        -> Ending
    {
        guard let first = seats.first else {
            return Ending(records: plan.records, adapters: [], limitedBy: nil)
        }
        let desk = TrayDesk()
        var floor = TrayFloor(self, desk, time: first.adapter.time)
        await withDiscardingTaskGroup { group in
            group.addTask { for await control in controls { desk.hand(in: .control(control)) } }
            floor.take(.fact(.timePassed), &group)
            if !floor.isOver {
                for await message in desk.messages {
                    floor.take(message, &group)
                    if floor.isOver { break }
                }
            }
            floor.close()
            group.cancelAll()
        }
        if let failure = floor.failure { throw failure }
        return floor.ending
    }
}
