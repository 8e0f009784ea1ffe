package import Bluetooth

/// Runs `body`, which the first stop request (Ctrl-C) cancels. For work before anything is done to a unit, or between
/// two trays. A stop request that arrives just as `body` ends applies to the next step.
package func endingAtRequest<Value: Sendable>(
    _ stopRequests: StopRequests = Interruption.stopRequests,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let loop = try EventLoop.shared.get()
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            await stopRequests.heard(by: loop)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else {
            stopRequests.take()
            throw CancellationError()
        }
        return value
    }
}
