import Bluetooth
import UpdateModel

extension UnitDriver {
    private static var mostListenings: Int { 8 }

    private enum Tick: Sendable {
        case heard(Advertisement)
        case moment
    }

    /// Passes all reports to `lock` until it has a verdict; nil if it has none within `limit`.
    func verdict(
        of lock: BootloaderLock, within limit: Duration
    ) async throws -> BootloaderLock.Verdict? {
        let time = adapter.time
        let start = time.now
        let unheardBefore = adapter.unheardTime
        let gaps = ListeningGaps(of: adapter)
        var lock = lock
        let (ticks, source) = AsyncStream.makeStream(of: Tick.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            func ask(at moment: Duration) {
                group.addTask {
                    try await time.sleep(until: start + moment)
                    source.yield(.moment)
                }
            }
            group.addTask { [adapter] in
                defer { source.finish() }
                // A scan that ends is started again: the adapter may have been away for a moment.
                for _ in 0..<Self.mostListenings {
                    for await report in try await gaps.reports(from: adapter) {
                        source.yield(.heard(report))
                    }
                    if Task.isCancelled { return }
                }
            }
            ask(at: limit)
            var asked: Duration?
            for await tick in ticks {
                let now = time.now - start
                if case .heard(let report) = tick { lock.hear(report, at: now) }
                if let verdict = lock.verdict(at: now) { return verdict }
                // Time during which another program's scan, our connection attempts or a missing adapter keep us from
                // hearing does not count as silence.
                let end = limit + min(adapter.unheardTime - unheardBefore, limit) + gaps.total
                guard now < end else { return lock.ending }
                if case .moment = tick, now >= limit { ask(at: end) }
                if let again = lock.nextDecision(after: now), again != asked, again < end {
                    asked = again
                    ask(at: again)
                }
            }
            try Task.checkCancellation()
            _ = try await group.next()  // rethrows the error that ended the scan
            throw AdapterError.unavailable("the adapter is gone")
        }
    }
}
