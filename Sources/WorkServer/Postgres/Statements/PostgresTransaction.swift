/// An open transaction, valid while its body runs.
public struct PostgresTransaction: Sendable {
    let connection: PostgresConnection
    let during: String
    let limit: Duration

    /// Runs one statement in it.
    @discardableResult public func run(
        _ sql: String, _ parameters: [PostgresValue] = [], format: ResultFormat = .text
    ) async throws(PostgresError) -> PostgresRows {
        try await connection.exchange(sql, parameters, format, during, limit)
    }

    /// Runs several statements, separated by semicolons.
    public func script(_ sql: String) async throws(PostgresError) {
        _ = try await connection.exchange(sql, nil, .text, during, limit)
    }
}
