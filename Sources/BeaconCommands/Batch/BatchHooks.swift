import Hooks
import PacketSockets
import Timing
import Tray
import TrayJournal

/// The hooks of a run: what they learn of each unit, and that they do while the run goes on.
struct BatchHooks {
    private let senders: [(hook: Hook, news: AsyncStream<Void>, teller: AsyncStream<Void>.Continuation)]
    private let journal: Journal
    let header: TrayRecord

    /// So long a run waits for them after its last unit.
    private static let timeout = Duration.seconds(40)

    /// `header`: the run.
    init(_ hooks: [Hook], _ journal: Journal, _ header: TrayRecord) {
        senders = hooks.map { hook in
            let (news, teller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            return (hook, news, teller)
        }
        self.journal = journal
        self.header = header
    }

    /// What the hooks have to learn of a unit whose turn ended at `moment`. One that was broken off is not finished.
    func entries(of unit: UnitRecord, at moment: RecordedTime) -> [OutboxEntry] {
        guard let verdict = unit.verdict, verdict.outcome != .aborted else { return [] }
        let key = header.key(of: unit, at: moment)
        let body = JSONLine("unit", header.news(of: unit, at: moment)).text
        return senders.map { OutboxEntry(kind: $0.hook.name, key: key, body: body) }
    }

    /// Lets them know that there is something to learn.
    func tell() { for sender in senders { sender.teller.yield() } }

    /// What `body` gives, while hooks are told beside it, of earlier runs too; then waits for them a while. What they have not learnt by
    /// then stays for the next run.
    func beside<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        guard !senders.isEmpty else { return try await body() }
        let time = try EventLoop.shared.get().keeper
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (hook, news, _) in senders {
                let sender = HookSender(hook, journal, time: time)
                // What stops a courier stops no run: what it has left is told at the end.
                group.addTask { (try? await sender.run(news: news)) != nil }
            }
            let value = try await body()
            for sender in senders { sender.teller.finish() }
            group.addTask {
                try? await time.sleep(for: Self.timeout)
                throw CancellationError()
            }
            var left = senders.count
            while left > 0, (try? await group.next()) != nil { left -= 1 }
            group.cancelAll()
            while await group.nextResult() != nil {}
            return value
        }
    }

    /// Says what they have not learnt, and what of this run was set aside.
    func warn(on console: Console) async throws(JournalError) {
        for (hook, _, _) in senders {
            guard let row = try await journal.next(inOutboxOf: hook.name) else { continue }
            let why = row.lastError.map { " (\($0))" } ?? ""
            console.warn(
                "hook-behind",
                "the hook '\(hook.name)' has not taken everything\(why); the next run with it goes on, "
                    + "`beacon-dfu history outbox` shows what waits")
        }
        let refused = try await journal.outbox(in: [.refused], limit: 1000).filter { row in
            row.run == header.id && senders.contains { $0.hook.name == row.entry.kind }
        }
        for row in refused {
            console.warn(
                "hook-refused",
                "the hook '\(row.entry.kind)' does not take \(row.entry.key): \(row.lastError ?? "")")
        }
    }
}

extension TrayRecord {
    /// Names the news of a unit whose turn ended at `moment`.
    func key(of unit: UnitRecord, at moment: RecordedTime) -> String { "\(id)/\(unit.slot)/\(moment)" }

    /// What others learn of it.
    func news(of unit: UnitRecord, at moment: RecordedTime) -> [String: JSONValue] {
        unit.members.merging([
            "key": .text(key(of: unit, at: moment)), "finished": .text("\(moment)"), "run": .text(id),
            "tray": .optional(tray), "station": .optional(station), "operator": .optional(operatorName),
            "order_number": .optional(orderNumber),
        ]) { $1 }
    }
}
