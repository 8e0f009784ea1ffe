import Synchronization
public import Timing
public import Tray
public import TrayJournal
public import WorkOrders

/// Brings a station's results to the engine: in their order, at least once, and whatever the engine has lost once more. An engine that is
/// away stops nothing; a result that it refuses is set aside.
public final class ResultSender: Sendable {
    /// Why nothing was handed in.
    fileprivate enum Failure: Error {
        case engine(WorkError)
        case journal(JournalError)
    }

    /// What a person has to know of a greeting.
    private struct Warnings: Equatable {
        let isClockWrong: Bool
        let mayNotClaim: String?
    }

    private let journal: Journal
    private let source: any WorkSource
    private let policy: DeliveryPolicy
    private let time: Timekeeper
    private let now: @Sendable () -> RecordedTime
    private let chance: @Sendable () -> Double
    private let report: @Sendable (Int64, Int, RecordedTime?) -> StationReport
    private let tell: @Sendable (Event) -> Void
    private let bell: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation
    private let isEnding = Atomic<Bool>(false)
    private let remarked = Mutex<Warnings?>(nil)

    /// A courier from `journal` to `source`. `report` makes what the station tells of itself, from its latest number, how many results
    /// wait, and since when.
    public init(
        from journal: Journal, to source: any WorkSource, _ policy: DeliveryPolicy = DeliveryPolicy(),
        time: Timekeeper, now: @escaping @Sendable () -> RecordedTime = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        report: @escaping @Sendable (Int64, Int, RecordedTime?) -> StationReport,
        telling tell: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.journal = journal
        self.source = source
        self.policy = policy
        self.time = time
        self.now = now
        self.chance = chance
        self.report = report
        self.tell = tell
        (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// There is something to hand in.
    public func ring() { ringer.yield() }

    /// Nothing more will come: the courier ends when all is handed in.
    public func finish() {
        isEnding.store(true, ordering: .relaxed)
        ringer.finish()
    }

    /// Hands in what is there, and what comes, until `finish` and nothing is left. What fails is tried again; throws only when the task
    /// is cancelled, and what is not handed in by then waits in the journal.
    public func run() async throws(CancellationError) {
        var bell = bell.makeAsyncIterator()
        var failures = 0
        var told: String?
        var greeted: Duration?
        while true {
            guard !Task.isCancelled else { throw CancellationError() }
            do throws(Failure) {
                if greeted.map({ time.now - $0 >= policy.heartbeat }) ?? true {
                    try await sendHeartbeat()
                    greeted = time.now
                }
                let isMore = try await deliver() != nil
                (failures, told) = (0, nil)
                if isMore { continue }
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                greeted = nil
                failures += 1
                if told != error.work.code { tell(await news(of: error)) }
                told = error.work.code
                try await time.sleep(for: policy.pause(after: failures, chance: chance()))
                continue
            }
            if isEnding.load(ordering: .relaxed) {
                // The last word: that nothing waits any more. An engine that does not hear it has the results all the same.
                do throws(Failure) {
                    try await sendHeartbeat()
                    if try await deliver() == nil { return }
                } catch { return }
                continue
            }
            // Woken by a result, by the end, or because it is time to tell of the station.
            let alarm = time.alarm(after: policy.heartbeat) { [ringer] in ringer.yield() }
            _ = await bell.next()
            alarm.stop()
        }
    }

    /// Hands in what waits now, and tries nothing twice: throws the first failure, also one of the journal.
    public func handInOnce() async throws(WorkError) -> Tally {
        do throws(Failure) {
            try await sendHeartbeat()
            var tally = Tally()
            while true {
                let before = tally
                while let batch = try await deliver() {
                    tally.delivered += batch.delivered
                    tally.setAside += batch.setAside
                }
                if tally == before { return tally }
                // What was told of results that wait is not so any more.
                do throws(Failure) { try await sendHeartbeat() } catch { return tally }
            }
        } catch { throw error.work }
    }

    private func news(of failure: Failure) async -> Event {
        switch failure {
        case .journal(let error): return .journalFailed(error)
        case .engine(let failure):
            do throws(JournalError) {
                let standing = try await journal.standing(ofOutbox: StationResults.kind)
                return .offline(failure, waiting: standing.open, since: standing.since)
            } catch { return .journalFailed(error) }
        }
    }

    /// Tells of the station, and lets be sent again what the engine has lost.
    private func sendHeartbeat() async throws(Failure) {
        let standing = try await kept { (journal) throws(JournalError) in
            try await journal.standing(ofOutbox: StationResults.kind)
        }
        let heartbeatReply = try await asked { (source) throws(WorkError) in
            try await source.sendHeartbeat(report(standing.last, standing.open, standing.since))
        }
        let warnings = Warnings(
            isClockWrong: heartbeatReply.isClockWrong, mayNotClaim: heartbeatReply.mayNotClaim?.code)
        let isNews = remarked.withLock { known in
            defer { known = warnings }
            return known != warnings
        }
        if isNews { tell(.online(heartbeatReply)) }
        let lost = try await kept { (journal) throws(JournalError) in
            try await journal.resend(outbox: StationResults.kind, after: heartbeatReply.contiguous, at: now())
        }
        if lost > 0 { tell(.resent(lost)) }
    }

    /// Hands in the oldest; nil where there was nothing.
    private func deliver() async throws(Failure) -> Tally? {
        let rows = try await kept { (journal) throws(JournalError) in
            try await journal.next(policy.batch, inOutboxOf: StationResults.kind)
        }
        guard !rows.isEmpty else { return nil }
        // The engine refuses what is no result, and so its number does not keep those after it waiting.
        let read = rows.map(StationResults.result)
        let results = zip(rows, read).map { row, result in result ?? StationResults.nothing(in: row) }
        try await kept { (journal) throws(JournalError) in try await journal.willSend(rows.map(\.sequence)) }
        let answers: [DeliveryAnswer]
        do throws(Failure) {
            answers = try await asked { (source) throws(WorkError) in try await source.deliver(results) }
            guard answers.count == rows.count else {
                throw .engine(
                    WorkError(
                        .notUnderstood, "engine-answer", during: "handing in results",
                        message: "\(answers.count) answers to \(rows.count) results"))
            }
        } catch {
            try await kept { (journal) throws(JournalError) in
                try await journal.settle(
                    rows.map { ($0.sequence, .retry(error.work.message, due: now())) }, at: now())
            }
            throw error
        }
        let settled = zip(rows, zip(read, answers)).map { row, pair in
            (row, pair.0 == nil ? Self.unreadable : pair.1)
        }
        try await kept { (journal) throws(JournalError) in
            try await journal.settle(settled.map { ($0.sequence, $1.settling) }, at: now())
        }
        for (row, answer) in settled { tellOf(row, answer) }
        let refused = settled.count { if case .refused = $1 { true } else { false } }
        let tally = Tally(delivered: settled.count - refused, setAside: refused)
        if tally.delivered > 0 { tell(.delivered(tally.delivered)) }
        return tally
    }

    private func kept<Value: Sendable>(
        _ body: (Journal) async throws(JournalError) -> Value
    ) async throws(Failure) -> Value {
        do throws(JournalError) { return try await body(journal) } catch { throw .journal(error) }
    }

    private func asked<Value: Sendable>(
        _ body: (any WorkSource) async throws(WorkError) -> Value
    ) async throws(Failure) -> Value {
        do throws(WorkError) { return try await body(source) } catch { throw .engine(error) }
    }

    private static let unreadable = DeliveryAnswer.refused(
        code: "result-unreadable", message: "the journal's row is no result that this program understands")

    private func tellOf(_ row: OutboxRow, _ answer: DeliveryAnswer) {
        switch answer {
        case .stored(.current), .duplicate: break
        case .stored(let standing): tell(.standing(key: row.entry.key, standing))
        case .refused(let code, let message): tell(.setAside(key: row.entry.key, "\(code): \(message)"))
        }
    }
}

extension ResultSender.Failure {
    /// The failure as one of the work: the journal is where results are handed in from.
    fileprivate var work: WorkError {
        switch self {
        case .engine(let error): error
        case .journal(let error):
            WorkError(
                .refused, error.code, during: "using the journal", message: "\(error)",
                nextStep: error.nextStep)
        }
    }
}

extension DeliveryAnswer {
    /// What it means for the row.
    fileprivate var settling: OutboxAnswer {
        switch self {
        case .stored, .duplicate: .acknowledged
        case .refused(let code, let message): .refused("\(code): \(message)")
        }
    }
}
