import Bluetooth

/// The outcome of a cancelled operation, and the time since its cancellation.
struct CancelledEnd<Value: Sendable>: Sendable {
    let result: Result<Value, any Error>
    let delay: Duration
}

extension Timekeeper {
    /// Runs `body`, and cancels it after `length`.
    func cancelling<Value: Sendable>(
        after length: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> CancelledEnd<Value> {
        try await withThrowingTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try await sleep(for: length)
                return nil
            }
            if let early = try await group.next(), let result = early {
                throw BrokenFact("it ended before it was cancelled: \(result)")
            }
            let cancelled = now
            group.cancelAll()
            guard let late = try await group.next(), let result = late else {
                throw BrokenFact("it gave nothing")
            }
            return CancelledEnd(result: result, delay: now - cancelled)
        }
    }
}
