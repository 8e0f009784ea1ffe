package import Tray
package import Work

package struct OrderSummary: Hashable, Sendable {
    /// The order as stations receive it.
    package let order: WorkOrder
    package let isListed: Bool
    package let golden: Int
    /// The number of units, in total and by state; `expired` are claimed units whose lease has ended.
    package let units, waiting, claimed, expired, verified, failed: Int
    /// The share of the ended units that are verified; nil if none has ended.
    package let yield: Double?
    /// The share of the ended units that are verified and never failed.
    package let firstPassYield: Double?
    /// The number of results, and how many of them belong to an old claim or to no unit.
    package let results, late, unplanned: Int
    package let created: RecordedTime
    package let released: RecordedTime?
    package let releasedBy: String?
    package let lastResult: RecordedTime?
}

extension OrderSummary {
    /// Why it is held: a code; nil if it is not.
    var heldCode: String? {
        order.state == .held ? order.heldReason?.split(separator: ":").first.map(String.init) : nil
    }

    init(_ row: PostgresRow) throws(PostgresError) {
        let state = try row.text("state")
        guard let known = OrderState(rawValue: state) else {
            throw row.flaw("unknown order state '\(state)'")
        }
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

    /// A moment, selected in milliseconds.
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
