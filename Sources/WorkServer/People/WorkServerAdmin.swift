package import Tray
package import UpdateModel
package import Work

/// The operators' access to a work server. The roles of the login determine the permitted calls
/// (docs/formats/station-engine.md).
package struct WorkServerAdmin: Sendable {
    let session: WorkServerSession

    package init(over session: WorkServerSession) { self.session = session }

    /// Creates an order as a draft, with the units that are listed in advance: all of it or nothing.
    package func create(_ plan: OrderPlan, units: [UnitPlan] = []) async throws(WorkError) {
        let (order, list) = (plan.parameters, units.parameters(of: plan.number))
        try await session.transaction(during: "creating an order") { transaction throws(PostgresError) in
            _ = try await transaction.run(Self.statement("create_order", order), order)
            guard !units.isEmpty else { return }
            _ = try await transaction.run(Self.statement("add_units", list), list)
        }
    }

    /// Lists further units of an order: all of them or none.
    package func add(_ units: [UnitPlan], to number: String) async throws(WorkError) {
        try await call("add_units", "adding units", units.parameters(of: number))
    }

    /// Removes units that no station works on; returns their number.
    @discardableResult package func remove(
        _ keys: [String], from number: String, by person: String
    ) async throws(WorkError) -> Int {
        try await call("remove_units", "removing units", [.text(number), .array(keys), .text(person)]) {
            row throws(PostgresError) in try row.count("answer")
        }
    }

    /// Changes the expected number of units. The order is done when it has that many units and all are verified.
    package func setExpected(_ count: Int, of number: String, by person: String) async throws(WorkError) {
        try await call(
            "set_expected", "changing an order", [.text(number), .integer(Int64(count)), .text(person)])
    }

    /// Lets work begin or continue; returns the order's new state.
    @discardableResult package func release(
        _ number: String, by person: String
    ) async throws(WorkError) -> OrderState {
        try await call("release_order", "releasing an order", [.text(number), .text(person)]) {
            row throws(PostgresError) in try row.enumeration("answer", "order state")
        }
    }

    /// Lets no further unit start.
    package func hold(_ number: String, because reason: String, by person: String) async throws(WorkError) {
        try await call("hold_order", "holding an order", [.text(number), .text(reason), .text(person)])
    }

    package func cancel(_ number: String, because reason: String, by person: String) async throws(WorkError) {
        try await call("cancel_order", "cancelling an order", [.text(number), .text(reason), .text(person)])
    }

    /// Allows another attempt at the failed units among `keys`, nil for all failed units; returns their number.
    @discardableResult package func retry(
        _ keys: [String]?, of number: String, by person: String
    ) async throws(WorkError) -> Int {
        try await call(
            "retry_units", "retrying units", [.text(number), keys.map { .array($0) } ?? .null, .text(person)]
        ) { row throws(PostgresError) in try row.count("answer") }
    }

    /// How long a station may work without contact to the work server, which grants no longer leases.
    package func maxOffline() async throws(WorkError) -> Duration {
        try await session.row(
            "SELECT (extract(epoch FROM max_offline) * 1000)::bigint AS offline_ms FROM beacon_dfu.policies",
            during: "reading the policy"
        ) { row throws(PostgresError) in .milliseconds(try row.integer("offline_ms")) }
    }

    package func setMaxOffline(_ length: Duration, by person: String) async throws(WorkError) {
        try await call(
            "set_max_offline", "changing the policy",
            [.integer(Int64(length / .milliseconds(1))), .text(person)])
    }

    /// Lets a station connect with another login or from another machine.
    package func readmit(_ station: String) async throws(WorkError) {
        try await call("readmit_station", "rebinding a station", [.text(station)])
    }

    private func call(
        _ function: String, _ during: String, _ parameters: [PostgresValue]
    ) async throws(WorkError) {
        _ = try await session.run(
            Self.statement(function, parameters), parameters, during: during, isRepeatable: false)
    }

    private func call<Value>(
        _ function: String, _ during: String, _ parameters: [PostgresValue],
        _ read: (PostgresRow) throws(PostgresError) -> Value
    ) async throws(WorkError) -> Value {
        try await session.row(
            Self.statement(function, parameters), parameters, during: during, isRepeatable: false, read)
    }

    private static func statement(_ function: String, _ parameters: [PostgresValue]) -> String {
        let places = (0..<parameters.count).map { "$\($0 + 1)" }.joined(separator: ", ")
        return "SELECT beacon_dfu.\(function)(\(places)) AS answer"
    }

    package struct CatalogueFile: Hashable, Sendable {
        package var path: String
        package var bytes: [UInt8]

        package init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
    }

    /// Stores a file, for example the firmware of an order; returns its SHA-256 in lower-case hexadecimal.
    package func put(_ bytes: [UInt8]) async throws(WorkError) -> String {
        let during = "uploading a file"
        try Self.requireSize(bytes, during)
        return try await session.transaction(during: during, within: .seconds(120)) {
            transaction throws(PostgresError) in try await transaction.put(bytes)
        }
    }

    /// Publishes a catalogue, including its seal: all of it or nothing. Returns its version. If an earlier version has
    /// a seal with a higher number, the catalogue is refused unless `allowsOlder`.
    package func publish(_ files: [CatalogueFile], allowsOlder: Bool = false) async throws(WorkError) -> Int64
    {
        let during = "publishing the catalogue"
        for file in files { try Self.requireSize(file.bytes, during) }
        return try await session.transaction(during: during, within: .seconds(300)) {
            transaction throws(PostgresError) in
            var hashes: [String] = []
            for file in files { hashes.append(try await transaction.put(file.bytes)) }
            let rows = try await transaction.run(
                "SELECT beacon_dfu.publish_catalogue($1, $2, $3) AS answer",
                [.array(files.map(\.path)), .array(hashes), .boolean(allowsOlder)])
            return try rows.only(during).integer("answer")
        }
    }

    /// Withdraws a version of the catalogue: no further unit may start with it.
    package func withdraw(catalogue version: Int64, because why: String) async throws(WorkError) {
        try await call("withdraw_catalogue", "withdrawing a catalogue", [.integer(version), .text(why)])
    }

    /// Recalls a file: no further unit may get it.
    package func recall(file sha256: String, because why: String) async throws(WorkError) {
        try await call("recall_file", "recalling a file", [.text(sha256), .text(why)])
    }

    private static func requireSize(_ bytes: [UInt8], _ during: String) throws(WorkError) {
        guard bytes.count <= FileMirror.largestFile else {
            throw WorkError(
                .refused, .workServer.fileTooLarge, during: during, message: "a file may have at most 16 MiB")
        }
    }

    /// The latest 100 published catalogues, the latest first.
    package func catalogues() async throws(WorkError) -> [CatalogueSummary] {
        try await session.rows(
            """
            SELECT version, recall IS NOT NULL AS is_withdrawn, \(milliseconds("published"))
            FROM beacon_dfu.catalogues ORDER BY version DESC LIMIT 100
            """, during: "reading catalogues"
        ) { row throws(PostgresError) in
            CatalogueSummary(
                version: try row.integer("version"), published: try row.time("published"),
                isWithdrawn: try row.boolean("is_withdrawn"))
        }
    }

    /// For each held order, by its number, when the hold began.
    package func holds() async throws(WorkError) -> [String: RecordedTime] {
        let holds = try await session.rows(
            """
            SELECT o.number, floor(extract(epoch FROM max(e.at)) * 1000)::bigint AS since
            FROM beacon_dfu.orders o JOIN beacon_dfu.events e ON e.order_number = o.number
            WHERE o.state = 'held' AND e.what IN ('order-held', 'order-hold-asked') GROUP BY o.number
            """, during: "reading holds"
        ) { row throws(PostgresError) in (try row.text("number"), try row.time("since")) }
        return Dictionary(holds, uniquingKeysWith: { $1 })
    }

    /// The latest `most` results with `text` in their unit's key, slot or name, order, station, code or standing; and
    /// with this outcome, unless it is nil. The latest first.
    package func results(
        with text: String, outcome: UnitOutcome? = nil, most: Int = 100
    ) async throws(WorkError) -> [ResultSummary] {
        try await session.rows(
            """
            SELECT \(ResultSummary.columns) FROM beacon_dfu.results
            WHERE ($1::text = '' OR
                strpos(lower(concat_ws(' ', key, order_number, station, code, standing)), lower($1)) > 0 OR
                -- A body is parsed only if it contains the text at all.
                strpos(lower(body::text), lower($1)) > 0 AND strpos(lower(concat_ws(' ', slot, name)), lower($1)) > 0)
              AND ($2::text IS NULL OR outcome = $2)
            ORDER BY number DESC LIMIT $3
            """, [.text(text), .text(outcome?.rawValue), .integer(Int64(most))], during: "reading results",
            ResultSummary.init)
    }

    /// The first `most` orders: active ones, then ended ones, the latest first. With `number`, only the order with it.
    package func orders(_ number: String? = nil, most: Int = 100) async throws(WorkError) -> [OrderSummary] {
        try await session.rows(
            """
            SELECT number, state, held_code, held_reason, expected, file_name, file_sha256, catalogue_version, with_beta, units,
              waiting, claimed, expired, verified, failed, yield, first_pass_yield, first_pass, retried, results, late, unplanned, released_by,
              \(milliseconds("created")), \(milliseconds("released_at"))
            FROM beacon_dfu.orders WHERE $1::text IS NULL OR number = $1
            ORDER BY state IN ('done', 'cancelled'), orders.created DESC LIMIT $2
            """, [.text(number), .integer(Int64(most))], during: "reading orders", OrderSummary.init)
    }

    /// The units of an order in the order in which they were added: `most` units after the first `skipped`.
    package func units(
        of number: String, skipping skipped: Int = 0, most: Int = 1000
    ) async throws(WorkError) -> [UnitSummary] {
        try await session.rows(
            """
            SELECT \(UnitSummary.columns) FROM beacon_dfu.units WHERE order_number = $1 ORDER BY units.id OFFSET $2 LIMIT $3
            """, [.text(number), .integer(Int64(skipped)), .integer(Int64(most))], during: "reading units",
            UnitSummary.init)
    }

    /// The numbers of units of these orders, by station; those of failed units also by code.
    package func tallies(of numbers: [String]) async throws(WorkError) -> [UnitTally] {
        try await session.rows(
            """
            SELECT order_number, station, CASE WHEN state = 'failed' THEN coalesce(code, outcome, state) END AS code, count(*) AS units
            FROM beacon_dfu.units WHERE order_number = ANY ($1) GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 DESC, 3
            """, [.array(numbers)], during: "counting units"
        ) { row throws(PostgresError) in
            UnitTally(
                order: try row.text("order_number"), station: try row.textIfAny("station"),
                code: try row.textIfAny("code"), units: try row.count("units"))
        }
    }

    package func mayCreate() async throws(WorkError) -> Bool {
        try await session.row(
            "SELECT pg_has_role('beacon_dfu_admin', 'USAGE') AS answer", during: "reading rights"
        ) { row throws(PostgresError) in try row.boolean("answer") }
    }

    package func stations() async throws(WorkError) -> [StationSummary] {
        try await session.rows(
            "SELECT \(StationSummary.columns) FROM beacon_dfu.stations ORDER BY stations.name",
            during: "reading stations", StationSummary.init)
    }

    /// The latest `most` results of an order, the latest first.
    package func results(of number: String, most: Int = 100) async throws(WorkError) -> [ResultSummary] {
        try await session.rows(
            """
            SELECT \(ResultSummary.columns) FROM beacon_dfu.results
            WHERE order_number = $1 ORDER BY number DESC LIMIT $2
            """, [.text(number), .integer(Int64(most))], during: "reading results", ResultSummary.init)
    }
}

extension PostgresTransaction {
    fileprivate func put(_ bytes: [UInt8]) async throws(PostgresError) -> String {
        let rows = try await run("SELECT beacon_dfu.put_file($1) AS answer", [.bytes(bytes)])
        return try rows.only(during).text("answer")
    }
}

/// The number of units of an order that one station claimed last, and that failed with one code or did not fail.
package struct UnitTally: Hashable, Sendable {
    package let order: String
    package let station: String?
    /// The code with which these units failed; nil for units that did not fail.
    package let code: String?
    package let units: Int
}

package struct CatalogueSummary: Hashable, Sendable {
    package let version: Int64
    /// When the catalogue was published, by the work server's clock.
    package let published: RecordedTime
    /// Whether the catalogue was withdrawn, so that no further unit starts with it.
    package let isWithdrawn: Bool
}
