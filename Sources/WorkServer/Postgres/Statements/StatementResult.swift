import CPostgres

/// A libpq result, which the deinitialiser frees.
struct StatementResult: ~Copyable {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    /// The rows; throws if the server has sent an error.
    func rows(during: String) throws(PostgresError) -> PostgresRows {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
        case PGRES_FATAL_ERROR:
            // An error without an SQLSTATE is from libpq itself: the connection has ended.
            guard let message else {
                let words = PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
                throw PostgresError(
                    .connection(RefusedConnection(words).words, sqlstate: nil), during: during)
            }
            throw PostgresError(.server(message), during: during)
        default: throw PostgresError(.answer("a result of an unexpected kind"), during: during)
        }
        let columns = PQnfields(result)
        let names = (0..<columns).map { column in PQfname(result, column).map { String(cString: $0) } ?? "" }
        let places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        return (0..<PQntuples(result)).map { row in
            PostgresRow(values: (0..<columns).map { value(row, $0) }, columns: places, during: during)
        }
    }

    private func value(_ row: Int32, _ column: Int32) -> [UInt8]? {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
            return nil
        }
        let length = Int(PQgetlength(result, row, column))
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    private var message: ServerMessage? {
        guard let sqlstate = field(postgres_field_sqlstate) else { return nil }
        return ServerMessage(
            severity: field(postgres_field_severity) ?? "ERROR", sqlstate: sqlstate,
            message: field(postgres_field_message) ?? "", detail: field(postgres_field_detail),
            hint: field(postgres_field_hint), constraint: field(postgres_field_constraint))
    }

    private func field(_ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }
}
