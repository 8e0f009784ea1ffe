import Bluetooth
import Synchronization

extension UnitDriver {
    /// Passes all reports to `lock` until it has a verdict; after `limit` returns its `ending`.
    func verdict(of lock: BootloaderLock, within limit: Duration) async throws -> BootloaderLock.Verdict? {
        let time = adapter.time
        let start = time.now
        let unheardBefore = adapter.unheardTime
        let gaps = ListeningGaps(of: adapter)
        var lock = lock
        // A report, or nil at a moment at which the verdict may change.
        let (ticks, source) = AsyncStream.makeStream(of: Advertisement?.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            func ask(at moment: Duration) {
                group.addTask {
                    try await time.sleep(until: start + moment)
                    source.yield(nil)
                }
            }
            group.addTask { [adapter] in
                defer { source.finish() }
                // A scan that ends is started again: the adapter may have been away for a moment.
                for _ in 0..<ListeningGaps.mostScans {
                    for await report in try await gaps.reports(from: adapter) { source.yield(report) }
                    if Task.isCancelled { return }
                }
            }
            ask(at: limit)
            var asked: Duration?
            for await tick in ticks {
                let now = time.now - start
                if let tick { lock.hear(tick, at: now) }
                if let verdict = lock.verdict(at: now) { return verdict }
                // Time in which another program's scan, this program's connection attempts or a missing adapter prevent
                // reception does not count as silence.
                let end = limit + min(adapter.unheardTime - unheardBefore, limit) + gaps.total
                guard now < end else { return lock.ending }
                if tick == nil, now >= limit { ask(at: end) }
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

extension Adapter {
    /// Scans for `length`, and returns the last report of each device.
    func lastReports(in length: Duration) async throws -> [Advertisement] {
        let heard = Mutex<[DeviceAddress: Advertisement]>([:])
        try await time.within(length) {
            for await report in try await advertisements() { heard.withLock { $0[report.address] = report } }
        }
        return heard.withLock { Array($0.values) }
    }
}
