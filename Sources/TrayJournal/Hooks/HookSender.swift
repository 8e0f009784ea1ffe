public import Bluetooth
public import Tray

/// Sends a journal's outbox to one hook: in order, at least once, each entry until it is accepted or set aside.
public struct HookSender: Sendable {
    /// Makes a call and returns how it ended; cancelling the task ends the call.
    public typealias Sending = @Sendable (HookCall) async -> HookOutcome

    private let hook: Hook
    private let journal: Journal
    private let policy: HookPolicy
    private let time: Timekeeper
    private let now: @Sendable () -> RecordedTime
    private let send: Sending

    /// A sender that runs the hook's command, or calls `send` instead. `now` is the wall clock.
    public init(
        _ hook: Hook, _ journal: Journal, _ policy: HookPolicy = HookPolicy(), time: Timekeeper,
        now: @escaping @Sendable () -> RecordedTime = { .now }, send: Sending? = nil
    ) {
        self.hook = hook
        self.journal = journal
        self.policy = policy
        self.time = time
        self.now = now
        self.send = send ?? { await HookProcess.run(hook, $0, deadline: policy.deadline) }
    }

    /// Delivers what is there, and again at each of `news`, until `news` has ended and nothing is left, or the task is
    /// cancelled. The next run delivers the rest.
    public func run(news: AsyncStream<Void>) async throws(JournalError) {
        var news = news.makeAsyncIterator()
        // For the current call: another process starts counting at 0.
        var (sequence, faults) = (0 as Int64, 0)
        var waited: (sequence: Int64, due: RecordedTime)?
        while !Task.isCancelled {
            guard let row = try await journal.next(inOutboxOf: hook.name) else {
                guard await news.next() != nil else { return }
                continue
            }
            // The due time may be far away if the clock was set back since: the wait is never longer than the pause.
            let early = min(.seconds(row.due.seconds(since: now())), policy.pause(after: row.tries))
            guard early <= .zero || waited.map({ $0 == (row.sequence, row.due) }) ?? false else {
                waited = (row.sequence, row.due)
                try? await time.sleep(for: early)
                continue
            }
            waited = nil
            if row.sequence != sequence { (sequence, faults) = (row.sequence, 0) }
            try await journal.willSend(sequence)
            let call = HookCall(key: row.entry.key, body: row.entry.body, tries: row.tries + 1)
            let end = await send(call)
            guard let (answer, isFault) = policy.answer(to: end, tries: call.tries, faults: faults, at: now())
            else {
                return
            }
            if isFault { faults += 1 }
            try await journal.settle(sequence, answer, at: now())
        }
    }
}
