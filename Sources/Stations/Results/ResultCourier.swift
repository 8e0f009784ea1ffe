import Synchronization
public import Timing
public import Tray
public import TrayJournal
public import WorkOrders

/// Brings a station's results to the engine: in their order, at least once, and whatever the engine has lost once more. An engine that is
/// away stops nothing; a result that it refuses is set aside.
public final class ResultCourier: Sendable {
    /// What is told of deliveries.
    public enum News: Hashable, Sendable {
        /// The engine answers (again).
        case online(Greeting)
        /// It does not: why, how many results wait, and since when.
        case offline(WorkError, waiting: Int, since: RecordedTime?)
        /// So many results are kept there now.
        case delivered(Int)
        /// It has lost so many, which are sent again.
        case resent(Int)
        /// A result is kept, and moves nothing.
        case standing(key: String, Standing)
        /// A result is set aside: why.
        case setAside(key: String, String)
    }

    private let journal: Journal
    private let source: any WorkSource
    private let policy: DeliveryPolicy
    private let time: Timekeeper
    private let now: @Sendable () -> RecordedTime
    private let chance: @Sendable () -> Double
    private let report: @Sendable (Int64, Int, RecordedTime?) -> StationReport
    private let tell: @Sendable (News) -> Void
    private let bell: AsyncStream<Void>
    private let ringer: AsyncStream<Void>.Continuation
    private let isEnding = Atomic<Bool>(false)

    /// A courier from `journal` to `source`. `report` makes what the station tells of itself, from its latest number, how many results
    /// wait, and since when.
    public init(
        from journal: Journal, to source: any WorkSource, _ policy: DeliveryPolicy = DeliveryPolicy(),
        time: Timekeeper, now: @escaping @Sendable () -> RecordedTime = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        report: @escaping @Sendable (Int64, Int, RecordedTime?) -> StationReport,
        telling tell: @escaping @Sendable (News) -> Void = { _ in }
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

    /// Hands in what is there, and what comes, until `finish` and nothing is left, or the task is cancelled. What is not handed in by
    /// then waits in the journal.
    public func run() async throws(JournalError) {
        var bell = bell.makeAsyncIterator()
        var failures = 0
        var greeted: Duration?
        while !Task.isCancelled {
            do {
                if greeted.map({ time.now - $0 >= policy.heartbeat }) ?? true {
                    try await greet()
                    greeted = time.now
                }
                let isMore = try await deliver()
                failures = 0
                if isMore { continue }
            } catch let failure as WorkError {
                greeted = nil
                failures += 1
                if failures == 1 {
                    let standing = try await journal.standing(ofOutbox: StationResults.kind)
                    tell(.offline(failure, waiting: standing.open, since: standing.since))
                }
                let pause = policy.pause(after: failures, chance: chance())
                guard (try? await time.sleep(for: pause)) != nil else { return }
                continue
            } catch let error as JournalError { throw error } catch { return }
            if isEnding.load(ordering: .relaxed) { return }
            // Woken by a result, by the end, or because it is time to tell of the station.
            let alarm = time.alarm(after: policy.heartbeat) { [ringer] in ringer.yield() }
            _ = await bell.next()
            alarm.stop()
        }
    }

    /// Tells of the station, and lets be sent again what the engine has lost.
    private func greet() async throws {
        let standing = try await journal.standing(ofOutbox: StationResults.kind)
        let greeting = try await source.greet(report(standing.last, standing.open, standing.since))
        tell(.online(greeting))
        let lost = try await journal.resend(
            outbox: StationResults.kind, after: greeting.contiguous, at: now())
        if lost > 0 { tell(.resent(lost)) }
    }

    /// Hands in the oldest; whether there was anything.
    private func deliver() async throws -> Bool {
        let rows = try await journal.next(policy.batch, inOutboxOf: StationResults.kind)
        guard !rows.isEmpty else { return false }
        let readable = rows.compactMap { row in StationResults.result(of: row).map { (row, $0) } }
        try await journal.willSend(rows.map(\.sequence))
        let answers: [DeliveryAnswer]
        do throws(WorkError) {
            answers = try await source.deliver(readable.map(\.1))
            guard answers.count == readable.count else {
                throw WorkError(
                    .notUnderstood, "engine-answer", during: "handing in results",
                    message: "\(answers.count) answers to \(readable.count) results")
            }
        } catch {
            try await journal.settle(
                rows.map { ($0.sequence, .retry(error.message, due: now())) }, at: now())
            throw error
        }
        let answered = Dictionary(uniqueKeysWithValues: zip(readable.map(\.0.sequence), answers))
        let settled = rows.map { row in (row, answered[row.sequence] ?? Self.unreadable) }
        try await journal.settle(settled.map { ($0.sequence, $1.settling) }, at: now())
        for (row, answer) in settled { tellOf(row, answer) }
        let taken = settled.count { if case .refused = $1 { false } else { true } }
        if taken > 0 { tell(.delivered(taken)) }
        return true
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

extension DeliveryAnswer {
    /// What it means for the row.
    fileprivate var settling: OutboxAnswer {
        switch self {
        case .stored, .duplicate: .acknowledged
        case .refused(let code, let message): .refused("\(code): \(message)")
        }
    }
}
