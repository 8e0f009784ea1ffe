package import Bluetooth
import Synchronization
package import Tray
package import TrayJournal
import UpdateModel

/// Sends a station's results to the work server: in order, at least once, and again if the work server has lost them.
/// While the work server is unreachable, results wait; a refused result is set aside.
package final class ResultSender: Sendable {
    fileprivate enum Failure: Error {
        case workServer(WorkError)
        case journal(JournalError)
    }

    private struct Warnings: Equatable { let isClockWrong: Bool, claimRefusal: FailureCode? }

    /// The most results of one delivery.
    private static let batch = 50
    /// The interval of the station's heartbeat, which is sent even if there are no results.
    private static let heartbeat = Duration.seconds(30)
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(60))

    private let journal: Journal
    private let source: any WorkSource
    private let time: Timekeeper
    private let now: @Sendable () -> RecordedTime
    private let chance: @Sendable () -> Double
    private let stationReport: @Sendable (Int64, Int, RecordedTime?) -> StationReport
    private let report: @Sendable (Event) -> Void
    private let wakeUps: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let isEnding = Atomic<Bool>(false)
    private let lastWarnings = Mutex<Warnings?>(nil)

    /// A sender from `journal` to `source`. `stationReport` creates the station's report from the latest result's number,
    /// the number of waiting results, and when the oldest of them was recorded.
    package init(
        from journal: Journal, to source: any WorkSource, time: Timekeeper,
        now: @escaping @Sendable () -> RecordedTime = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        stationReport: @escaping @Sendable (Int64, Int, RecordedTime?) -> StationReport,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        (self.journal, self.source, self.time, self.now) = (journal, source, time, now)
        (self.chance, self.stationReport, self.report) = (chance, stationReport, report)
        (wakeUps, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes `run`, because the journal may have new results.
    package func wake() { waker.yield() }

    /// Lets `run` end when all results are delivered, because no more will come.
    package func finish() {
        isEnding.store(true, ordering: .relaxed)
        waker.finish()
    }

    /// Delivers results until `finish` is called and nothing is left. Retries failures; throws only when the task is
    /// cancelled, and results not delivered by then remain in the journal.
    package func run() async throws(CancellationError) {
        var wakeUps = wakeUps.makeAsyncIterator()
        var failures = 0
        var reportedCode: FailureCode?
        var lastHeartbeat: Duration?
        while true {
            guard !Task.isCancelled else { throw CancellationError() }
            do throws(Failure) {
                if lastHeartbeat.map({ time.now - $0 >= Self.heartbeat }) ?? true {
                    try await sendHeartbeat()
                    lastHeartbeat = time.now
                }
                let hasDelivered = try await deliver() != nil
                (failures, reportedCode) = (0, nil)
                if hasDelivered { continue }
            } catch {
                guard !Task.isCancelled else { throw CancellationError() }
                lastHeartbeat = nil
                failures += 1
                if reportedCode != error.work.code { report(await event(for: error)) }
                reportedCode = error.work.code
                try await time.sleep(for: Self.backoff.pause(after: failures, chance: chance()))
                continue
            }
            if isEnding.load(ordering: .relaxed) {
                // The last heartbeat reports that no results wait. If it fails, results that the work server may have lost
                // stay in the journal for the next run.
                do throws(Failure) {
                    try await sendHeartbeat()
                    if try await deliver() == nil { return }
                } catch { return }
                continue
            }
            // Waits for a new result, for `finish`, or for the time of the next heartbeat.
            let alarm = time.alarm(after: Self.heartbeat) { [waker] in waker.yield() }
            _ = await wakeUps.next()
            alarm.stop()
        }
    }

    /// Delivers the waiting results without retries; throws the first failure, of the work server or the journal.
    package func deliverOnce() async throws(WorkError) -> Tally {
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
                // The last heartbeat reported more waiting results than there are now.
                do throws(Failure) { try await sendHeartbeat() } catch { return tally }
            }
        } catch { throw error.work }
    }

    private func event(for failure: Failure) async -> Event {
        switch failure {
        case .journal(let error): return .journalFailed(error)
        case .workServer(let failure):
            do throws(JournalError) {
                let status = try await journal.status(ofOutbox: StationResults.kind)
                return .offline(failure, waiting: status.open, since: status.since)
            } catch { return .journalFailed(error) }
        }
    }

    /// Sends a heartbeat, and marks results that the work server has lost for sending again.
    private func sendHeartbeat() async throws(Failure) {
        let status = try await withJournal { (journal) throws(JournalError) in
            try await journal.status(ofOutbox: StationResults.kind)
        }
        let reply = try await withSource { (source) throws(WorkError) in
            try await source.sendHeartbeat(stationReport(status.last, status.open, status.since))
        }
        let warnings = Warnings(isClockWrong: reply.isClockWrong, claimRefusal: reply.claimRefusal?.code)
        let isNews = lastWarnings.withLock { known in
            defer { known = warnings }
            return known != warnings
        }
        if isNews { report(.online(reply)) }
        let lost = try await withJournal { (journal) throws(JournalError) in
            try await journal.resend(outbox: StationResults.kind, after: reply.contiguous, at: now())
        }
        if lost > 0 { report(.resent(lost)) }
    }

    private func deliver() async throws(Failure) -> Tally? {
        let rows = try await withJournal { (journal) throws(JournalError) in
            try await journal.next(Self.batch, inOutboxOf: StationResults.kind)
        }
        guard !rows.isEmpty else { return nil }
        // An invalid row is sent as an empty result, which the work server refuses: its number blocks no later one.
        let read = rows.map(StationResults.result)
        let results = zip(rows, read).map { row, result in result ?? StationResults.emptyResult(for: row) }
        try await withJournal { (journal) throws(JournalError) in
            try await journal.willSend(rows.map(\.sequence))
        }
        let answers: [DeliveryAnswer]
        do throws(Failure) {
            answers = try await withSource { (source) throws(WorkError) in try await source.deliver(results) }
            guard answers.count == rows.count else {
                throw .workServer(
                    WorkError(
                        .notUnderstood, .workServer.answer, during: "delivering results",
                        message: "\(answers.count) answers to \(rows.count) results"))
            }
        } catch {
            try await withJournal { (journal) throws(JournalError) in
                try await journal.recordAnswers(
                    rows.map { ($0.sequence, .retry(error.work.message, due: now())) }, at: now())
            }
            throw error
        }
        let answered = zip(rows, zip(read, answers)).map { row, pair in
            (row, pair.0 == nil ? Self.unreadable : pair.1)
        }
        try await withJournal { (journal) throws(JournalError) in
            try await journal.recordAnswers(answered.map { ($0.sequence, $1.outboxAnswer) }, at: now())
        }
        for (row, answer) in answered { reportAnswer(row, answer) }
        let refused = answered.count { if case .refused = $1 { true } else { false } }
        let tally = Tally(delivered: answered.count - refused, setAside: refused)
        if tally.delivered > 0 { report(.delivered(tally.delivered)) }
        return tally
    }

    private func withJournal<Value: Sendable>(
        _ body: (Journal) async throws(JournalError) -> Value
    ) async throws(Failure) -> Value {
        do throws(JournalError) { return try await body(journal) } catch { throw .journal(error) }
    }

    private func withSource<Value: Sendable>(
        _ body: (any WorkSource) async throws(WorkError) -> Value
    ) async throws(Failure) -> Value {
        do throws(WorkError) { return try await body(source) } catch { throw .workServer(error) }
    }

    private static let unreadable = DeliveryAnswer.refused(
        code: .workServer.resultUnreadable,
        message: "the journal's row is not a result that this program understands")

    private func reportAnswer(_ row: OutboxRow, _ answer: DeliveryAnswer) {
        switch answer {
        case .stored(.current), .duplicate: break
        case .stored(let standing): report(.standing(key: row.entry.key, standing))
        case .refused(let code, let message): report(.setAside(key: row.entry.key, "\(code): \(message)"))
        }
    }
}

extension ResultSender.Failure {
    /// The failure as a `WorkError`, also if the journal has failed.
    fileprivate var work: WorkError {
        switch self {
        case .workServer(let error): error
        case .journal(let error):
            WorkError(
                .refused, error.code, during: "using the journal", message: "\(error)",
                nextStep: error.nextStep)
        }
    }
}

extension DeliveryAnswer {
    fileprivate var outboxAnswer: OutboxAnswer {
        switch self {
        case .stored, .duplicate: .acknowledged
        case .refused(let code, let message): .refused("\(code): \(message)")
        }
    }
}

extension ResultSender {
    package enum Event: Hashable, Sendable {
        /// The work server answers: reported once, and again when its answer about the station's clock or right to work
        /// changes.
        case online(HeartbeatReply)
        /// The work server does not answer, for this reason; how many results wait, and when the oldest was recorded.
        case offline(WorkError, waiting: Int, since: RecordedTime?)
        /// The journal cannot be read or written: no results are delivered meanwhile.
        case journalFailed(JournalError)
        case delivered(Int)
        /// The work server has lost this many results, which are sent again.
        case resent(Int)
        /// The result with this key was stored without effect.
        case standing(key: String, ResultStanding)
        /// The result with this key was set aside, for this reason.
        case setAside(key: String, String)
    }

    package struct Tally: Hashable, Sendable {
        package var delivered = 0
        /// The number of results that the work server has permanently refused.
        package var setAside = 0
    }
}
