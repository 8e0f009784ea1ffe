/// A transaction that is open, for as long as its body runs.
public struct PostgresTransaction: Sendable {
    let connection: PostgresConnection
    let during: String

    /// Runs one statement of it.
    @discardableResult public func run(
        _ sql: String, _ parameters: [PostgresValue] = [], format: ResultFormat = .text,
        within limit: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await connection.exchange(sql, parameters, format, during, limit ?? connection.settings.answering)
    }

    /// Runs several statements, separated by semicolons.
    public func script(_ sql: String, within limit: Duration? = nil) async throws(PostgresError) {
        _ = try await connection.exchange(sql, nil, .text, during, limit ?? connection.settings.answering)
    }
}
