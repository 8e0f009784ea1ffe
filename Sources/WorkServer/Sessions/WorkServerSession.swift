package import Bluetooth
import Work

/// A session with the work server that reconnects: if its connection has ended, the next call opens another one.
package actor WorkServerSession: ClosableConnection {
    private let settings: PostgresSettings
    private let readiness: any DescriptorReadiness
    private let time: Timekeeper
    private let turn = FIFOLock()
    private var connection: PostgresConnection?

    package init(_ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper) {
        (self.settings, self.readiness, self.time) = (settings, readiness, time)
    }

    /// The longest duration of a call, including the wait for earlier calls and connecting.
    package nonisolated var timeout: Duration { settings.connectTimeout + settings.statementTimeout }

    /// Closes the connection; a later call opens another one.
    package func close() async {
        await connection?.close()
        connection = nil
    }

    /// Runs one statement; repeats it once after a failure that may pass at once, if it `isRepeatable`.
    func run(
        _ sql: String, _ parameters: [PostgresValue] = [], during: String, isRepeatable: Bool = true
    ) async throws(WorkError) -> PostgresRows {
        try await using(during, isRepeatable: isRepeatable) { connection throws(PostgresError) in
            try await connection.run(sql, parameters, during: during)
        }
    }

    /// Runs one statement; `read` converts its rows into a value.
    nonisolated func answer<Value>(
        _ sql: String, _ parameters: [PostgresValue] = [], during: String, isRepeatable: Bool = true,
        _ read: (PostgresRows) throws(PostgresError) -> Value
    ) async throws(WorkError) -> Value {
        let rows = try await run(sql, parameters, during: during, isRepeatable: isRepeatable)
        return try reading { () throws(PostgresError) in try read(rows) }
    }

    nonisolated func row<Value>(
        _ sql: String, _ parameters: [PostgresValue] = [], during: String, isRepeatable: Bool = true,
        _ read: (PostgresRow) throws(PostgresError) -> Value
    ) async throws(WorkError) -> Value {
        try await answer(sql, parameters, during: during, isRepeatable: isRepeatable) {
            rows throws(PostgresError) in try read(rows.only(during))
        }
    }

    nonisolated func rows<Value>(
        _ sql: String, _ parameters: [PostgresValue] = [], during: String,
        _ read: (PostgresRow) throws(PostgresError) -> Value
    ) async throws(WorkError) -> [Value] {
        try await answer(sql, parameters, during: during) { rows throws(PostgresError) in try rows.map(read) }
    }

    /// Runs several statements as one transaction, all within `limit`, or else within `timeout`. Does not repeat it.
    func transaction<Value: Sendable>(
        during: String, within limit: Duration? = nil,
        _ body: @escaping @Sendable (PostgresTransaction) async throws(PostgresError) -> Value
    ) async throws(WorkError) -> Value {
        try await using(during, within: limit, isRepeatable: false) { connection throws(PostgresError) in
            try await connection.transaction(during: during, each: limit, body)
        }
    }

    private func using<Value: Sendable>(
        _ during: String, within limit: Duration? = nil, isRepeatable: Bool,
        _ body: @escaping @Sendable (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(WorkError) -> Value {
        do throws(PostgresError) {
            return try await time.limited(limit ?? timeout, during: during) { () throws(PostgresError) in
                try await self.attempt(during, isRepeatable, body)
            }
        } catch { throw WorkError(error) }
    }

    private func attempt<Value: Sendable>(
        _ during: String, _ isRepeatable: Bool,
        _ body: @escaping @Sendable (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let (first, isOld) = try await opened(during)
        guard isRepeatable else {
            // If the connection ended during the statement, its outcome would be unknown. Therefore a connection that
            // existed before is tested first.
            if isOld {
                do throws(PostgresError) { _ = try await first.run("SELECT 1", during: during) } catch {
                    return try await body(try await opened(during).connection)
                }
            }
            return try await body(first)
        }
        do throws(PostgresError) { return try await body(first) } catch {
            guard error.isRetryable(onOldSession: isOld) else { throw error }
        }
        return try await body(try await opened(during).connection)
    }

    /// A connection that appears to be open. `isOld`: whether it existed before this call.
    private func opened(
        _ during: String
    ) async throws(PostgresError) -> (connection: PostgresConnection, isOld: Bool) {
        do { try await turn.acquire() } catch { throw PostgresError(.cancelled, during: during) }
        defer { turn.release() }
        if let connection, await connection.isOpen { return (connection, true) }
        let connection = try await PostgresConnection.open(settings, on: readiness, time: time)
        self.connection = connection
        return (connection, false)
    }
}
