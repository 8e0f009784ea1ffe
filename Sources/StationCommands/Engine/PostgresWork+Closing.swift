import StationEngine

extension PostgresWork {
    /// What `body` gives; the connection is closed however it ends.
    func closing<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }
}
