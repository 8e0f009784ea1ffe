import BenchPage

/// Waits that end.
enum Deadline {
    /// What `body` gives within `limit`; it is cancelled when its time is over, and that is `refusal`, or that the bench is silent.
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
                    504, "source-silent", "the bench has not answered in \(limit.components.seconds) s",
                    next: "look at the bench; the same key can be sent again")
        }
        return try result.get()
    }
}
