public import Work

extension WorkServerAdmin {
    /// All active orders and the latest `most` of the ended ones; or the one with `number`.
    public func orders(_ number: String? = nil, most: Int = 100) async throws(WorkError) -> [OrderSummary] {
        let rows = try await session.run(
            """
            SELECT number, state, held_code, held_reason, expected, is_listed, golden, file_name, file_sha256, catalogue_version,
              with_beta, units, waiting, claimed, expired, verified, failed, yield, first_pass_yield, results, late, unplanned,
              released_by, \(milliseconds("created")), \(milliseconds("released_at")), \(milliseconds("last_result"))
            FROM beacon_dfu.orders WHERE $1::text IS NULL OR number = $1
            ORDER BY state IN ('done', 'cancelled'), orders.created DESC LIMIT $2
            """, [.text(number), .integer(Int64(most))], during: "reading orders")
        return try read(rows) { row throws(PostgresError) in try OrderSummary(row) }
    }

    /// The units of an order in their sequence, without the first `skipped`.
    public func units(
        of number: String, skipping skipped: Int = 0, most: Int = 1000
    ) async throws(WorkError) -> [UnitSummary] {
        let rows = try await session.run(
            """
            SELECT \(UnitSummary.columns) FROM beacon_dfu.units WHERE order_number = $1 ORDER BY units.id OFFSET $2 LIMIT $3
            """, [.text(number), .integer(Int64(skipped)), .integer(Int64(most))], during: "reading units")
        return try read(rows) { row throws(PostgresError) in try UnitSummary(row) }
    }

    /// All stations by name.
    public func stations() async throws(WorkError) -> [StationSummary] {
        let rows = try await session.run(
            "SELECT \(StationSummary.columns) FROM beacon_dfu.stations ORDER BY stations.name",
            during: "reading stations")
        return try read(rows) { row throws(PostgresError) in try StationSummary(row) }
    }

    /// Results, the latest first: of an order or of all, and only those received before the result with the number
    /// `before`.
    public func results(
        of number: String? = nil, before: Int64? = nil, most: Int = 100
    ) async throws(WorkError) -> [ResultSummary] {
        let rows = try await session.run(
            """
            SELECT \(ResultSummary.columns) FROM beacon_dfu.results
            WHERE ($1::text IS NULL OR order_number = $1) AND ($2::bigint IS NULL OR number < $2)
            ORDER BY number DESC LIMIT $3
            """, [.text(number), .integer(before), .integer(Int64(most))], during: "reading results")
        return try read(rows) { row throws(PostgresError) in try ResultSummary(row) }
    }

    private func read<Value>(
        _ rows: PostgresRows, _ make: (PostgresRow) throws(PostgresError) -> Value
    ) throws(WorkError) -> [Value] {
        try reading { () throws(PostgresError) in
            var values: [Value] = []
            for row in rows { values.append(try make(row)) }
            return values
        }
    }
}
