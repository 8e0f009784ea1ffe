import Postgres
public import Tray
public import WorkOrders

/// An order and how it does.
public struct OrderSummary: Hashable, Sendable {
    /// The order, as stations are told of it.
    public let order: WorkOrder
    /// Whether its units were listed in advance.
    public let isListed: Bool
    /// How many units have to pass first.
    public let golden: Int
    /// How many units it has, in each state; `expired` are claimed ones whose time is over.
    public let units, waiting, claimed, expired, verified, failed: Int
    /// The share of the units that came to an end that are verified; nil before any has.
    public let yield: Double?
    /// The same of those that never failed.
    public let firstPassYield: Double?
    /// How many results there are, how many came under an old claim, and how many of no unit.
    public let results, late, unplanned: Int
    /// When it was made.
    public let created: RecordedTime
    /// When it was released last; nil for never.
    public let released: RecordedTime?
    /// Who did.
    public let releasedBy: String?
    /// When the last result came; nil for none.
    public let lastResult: RecordedTime?

    init(_ row: PostgresRow) throws(PostgresError) {
        let state = try row.text("state")
        guard let known = OrderState(rawValue: state) else { throw row.flaw("an order that is '\(state)'") }
        let reason = try row.textIfAny("held_reason")
        order = WorkOrder(
            number: try row.text("number"), state: known,
            heldReason: try row.textIfAny("held_code").map { code in "\(code): \(reason ?? "")" },
            expected: try row.integerIfAny("expected").map { Int(clamping: $0) },
            firmware: try WorkFirmware(row))
        isListed = try row.boolean("is_listed")
        golden = try row.count("golden")
        units = try row.count("units")
        waiting = try row.count("waiting")
        claimed = try row.count("claimed")
        expired = try row.count("expired")
        verified = try row.count("verified")
        failed = try row.count("failed")
        yield = try row.fractionIfAny("yield")
        firstPassYield = try row.fractionIfAny("first_pass_yield")
        results = try row.count("results")
        late = try row.count("late")
        unplanned = try row.count("unplanned")
        created = try row.time("created")
        released = try row.timeIfAny("released_at")
        releasedBy = try row.textIfAny("released_by")
        lastResult = try row.timeIfAny("last_result")
    }
}

extension PostgresRow {
    func count(_ column: String) throws(PostgresError) -> Int { Int(clamping: try integer(column)) }

    /// A moment that was asked for in milliseconds.
    func timeIfAny(_ column: String) throws(PostgresError) -> RecordedTime? {
        try integerIfAny(column).map { RecordedTime(milliseconds: $0) }
    }

    func time(_ column: String) throws(PostgresError) -> RecordedTime {
        RecordedTime(milliseconds: try integer(column))
    }
}

/// A column of moments, in milliseconds since 1970.
func milliseconds(_ column: String) -> String {
    "floor(extract(epoch FROM \(column)) * 1000)::bigint AS \(column)"
}
