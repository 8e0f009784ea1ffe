public import Tray
public import Work

extension WorkServerAdmin {
    /// The results with `text` in their unit's key, slot or name, order, station, code or standing, and with `outcome`,
    /// the latest first.
    public func results(
        with text: String, outcome: Outcome? = nil, most: Int = 100
    ) async throws(WorkError) -> [ResultSummary] {
        let rows = try await session.run(
            """
            SELECT \(ResultSummary.columns) FROM beacon_dfu.results
            WHERE ($1::text = '' OR
                strpos(lower(concat_ws(' ', key, order_number, station, code, standing)), lower($1)) > 0 OR
                -- A body is parsed only if it contains the text at all.
                strpos(lower(body::text), lower($1)) > 0 AND strpos(lower(concat_ws(' ', slot, name)), lower($1)) > 0)
              AND ($2::text IS NULL OR outcome = $2)
            ORDER BY number DESC LIMIT $3
            """, [.text(text), .text(outcome?.rawValue), .integer(Int64(most))], during: "reading results")
        return try reading { () throws(PostgresError) in
            var results: [ResultSummary] = []
            for row in rows { results.append(try ResultSummary(row)) }
            return results
        }
    }
}
