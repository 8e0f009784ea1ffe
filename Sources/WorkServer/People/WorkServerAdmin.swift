import Tray
public import Work

/// The operators' access to a work server. The roles of the login determine the permitted calls
/// (docs/formats/station-engine.md).
public struct WorkServerAdmin: Sendable {
    let session: WorkServerSession

    /// Access over `session`.
    public init(over session: WorkServerSession) { self.session = session }

    /// Creates an order as a draft, with the units that are listed in advance: all of it or nothing.
    public func create(_ plan: OrderPlan, units: [UnitPlan] = []) async throws(WorkError) {
        let (order, list) = (plan.parameters, units.parameters(of: plan.number))
        try await session.transaction(during: "creating an order") { transaction throws(PostgresError) in
            _ = try await transaction.run(Self.statement("create_order", order), order)
            guard !units.isEmpty else { return }
            _ = try await transaction.run(Self.statement("add_units", list), list)
        }
    }

    /// Lists further units of an order: all of them or none.
    public func add(_ units: [UnitPlan], to number: String) async throws(WorkError) {
        try await call("add_units", "adding units", units.parameters(of: number))
    }

    /// Removes units that no station works on; returns their number.
    @discardableResult public func remove(
        _ keys: [String], from number: String, by person: String
    ) async throws(WorkError) -> Int {
        try await count("remove_units", "removing units", [.text(number), .array(keys), .text(person)])
    }

    /// Changes the expected number of units; the order is done when it has that many and all are verified.
    public func setExpected(
        _ count: Int, of number: String, by person: String
    ) async throws(WorkError) {
        try await call(
            "set_expected", "changing an order", [.text(number), .integer(Int64(count)), .text(person)])
    }

    /// Lets work begin or continue; returns the order's new state.
    @discardableResult public func release(_ number: String, by person: String) async throws(WorkError)
        -> OrderState
    {
        let during = "releasing an order"
        let rows = try await call("release_order", during, [.text(number), .text(person)])
        return try reading { () throws(PostgresError) in
            let row = try rows.only(during)
            let state = try row.text("answer")
            guard let known = OrderState(rawValue: state) else {
                throw row.flaw("unknown order state '\(state)'")
            }
            return known
        }
    }

    /// Lets no further unit start.
    public func hold(_ number: String, because reason: String, by person: String) async throws(WorkError) {
        try await call("hold_order", "holding an order", [.text(number), .text(reason), .text(person)])
    }

    /// Cancels an order.
    public func cancel(_ number: String, because reason: String, by person: String) async throws(WorkError) {
        try await call("cancel_order", "cancelling an order", [.text(number), .text(reason), .text(person)])
    }

    /// Allows another attempt at failed units, at all of them if `keys` is nil; returns their number.
    @discardableResult public func retry(
        _ keys: [String]?, of number: String, by person: String
    ) async throws(WorkError) -> Int {
        try await count(
            "retry_units", "retrying units",
            [.text(number), keys.map { .array($0) } ?? .null, .text(person)])
    }

    /// How long a station may work without the work server: no claim has a longer lease.
    public func maxOffline() async throws(WorkError) -> Duration {
        let during = "reading the policy"
        let rows = try await session.run(
            "SELECT (extract(epoch FROM max_offline) * 1000)::bigint AS offline_ms FROM beacon_dfu.policies",
            during: during)
        return try reading { () throws(PostgresError) in
            .milliseconds(try rows.only(during).integer("offline_ms"))
        }
    }

    /// Changes it for future claims and renewals.
    public func setMaxOffline(_ length: Duration, by person: String) async throws(WorkError) {
        try await call(
            "set_max_offline", "changing the policy",
            [.integer(Int64(length / .milliseconds(1))), .text(person)])
    }

    /// Lets a station connect with another login or from another machine.
    public func readmit(_ station: String) async throws(WorkError) {
        try await call("readmit_station", "rebinding a station", [.text(station)])
    }

    /// Calls a function that returns one value, or none.
    @discardableResult func call(
        _ function: String, _ during: String, _ parameters: [PostgresValue]
    ) async throws(WorkError) -> PostgresRows {
        try await session.run(
            Self.statement(function, parameters), parameters, during: during, isRepeatable: false)
    }

    private static func statement(_ function: String, _ parameters: [PostgresValue]) -> String {
        let places = (0..<parameters.count).map { "$\($0 + 1)" }.joined(separator: ", ")
        return "SELECT beacon_dfu.\(function)(\(places)) AS answer"
    }

    private func count(
        _ function: String, _ during: String, _ parameters: [PostgresValue]
    ) async throws(WorkError) -> Int {
        let rows = try await call(function, during, parameters)
        return try reading { () throws(PostgresError) in
            Int(clamping: try rows.only(during).integer("answer"))
        }
    }
}
