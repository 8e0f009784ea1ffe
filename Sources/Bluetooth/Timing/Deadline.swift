extension Timekeeper {
    /// The result of `body` within `limit`, or nil if it takes longer.
    ///
    /// `body` is cancelled when time runs out, so it has to respond to cancellation. The call returns only
    /// after `body` has.
    public func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
