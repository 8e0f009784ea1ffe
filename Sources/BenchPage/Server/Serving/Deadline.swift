/// Calls with a time limit.
enum Deadline {
    /// Runs `body` within `limit`; cancels it on timeout, and throws `refusal`, or that the bench is silent.
    static func within<Value: Sendable>(
        _ limit: Duration, or refusal: PageRefusal? = nil,
        _ body: @escaping @Sendable () async throws(PageRefusal) -> Value
    ) async throws(PageRefusal) -> Value {
        let result = await withTaskGroup(of: Result<Value, PageRefusal>?.self) { group in
            group.addTask {
                do throws(PageRefusal) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw refusal
                ?? PageRefusal(
                    504, "source-silent", "the bench did not answer within \(limit.components.seconds) s",
                    next: "check the bench; the request can be repeated with the same key")
        }
        return try result.get()
    }
}
