import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Tray
package import TrayJournal
import UpdateModel

/// Delivers the results of a run's units to its hooks during the run.
struct BatchHooks {
    private let senders: [(hook: Hook, wakeUps: AsyncStream<Void>, waker: AsyncStream<Void>.Continuation)]
    private let journal: Journal
    let header: TrayRecord

    /// How long a run waits for its hooks after the last unit.
    private static let timeout = Duration.seconds(40)

    init(_ hooks: [Hook], _ journal: Journal, _ header: TrayRecord) {
        senders = hooks.map { hook in
            let (wakeUps, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            return (hook, wakeUps, waker)
        }
        (self.journal, self.header) = (journal, header)
    }

    /// The outbox entries about a unit that ended at `moment`; none about an aborted unit, which is not finished.
    func entries(of unit: UnitRecord, at moment: RecordedTime) -> [OutboxEntry] {
        guard let verdict = unit.verdict, verdict.outcome != .aborted else { return [] }
        let key = header.key(of: unit, at: moment)
        let body = JSONLine("unit", header.resultMembers(of: unit, at: moment)).text
        return senders.map { OutboxEntry(kind: $0.hook.name, key: key, body: body) }
    }

    func wakeSenders() { for sender in senders { sender.waker.yield() } }

    /// Runs `body` while hooks receive results, also those of earlier runs; then waits up to 40 s for the hooks. The next
    /// run delivers the rest.
    func delivering<Value: Sendable>(during body: () async throws -> Value) async throws -> Value {
        guard !senders.isEmpty else { return try await body() }
        let time = try EventLoop.shared.get().clock
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (hook, wakeUps, _) in senders {
                let sender = HookSender(hook, journal, time: time)
                // A sender that fails does not stop the run; undelivered results are reported at the end.
                group.addTask { (try? await sender.run(wokenBy: wakeUps)) != nil }
            }
            let value = try await body()
            for sender in senders { sender.waker.finish() }
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

    /// Warns of undelivered results, and of results of this run that a hook has refused.
    func warn(on console: Console) async throws(JournalError) {
        for (hook, _, _) in senders {
            guard let row = try await journal.next(inOutboxOf: hook.name) else { continue }
            let why = row.lastError.map { " (\($0))" } ?? ""
            console.warn(
                .journal.hookBehind,
                "the hook '\(hook.name)' has not accepted all results\(why); the next run with it retries them, "
                    + "`beacon-dfu history outbox` lists them")
        }
        let refused = try await journal.outbox(in: [.refused], limit: 1000).filter { row in
            row.run == header.id && senders.contains { $0.hook.name == row.entry.kind }
        }
        for row in refused {
            console.warn(
                .journal.hookRefused,
                "the hook '\(row.entry.kind)' refused \(row.entry.key): \(row.lastError ?? "")")
        }
    }
}

extension Hook: ExplainedArgument {
    public init?(argument: String) { self.init(argument) }

    package static func flaw(in text: String) -> String {
        "a hook is NAME=COMMAND, with a name of up to 32 letters, digits, '-', '_' and '.', for example label='./print-label --copies 1'"
    }
}
