package import Tray
package import Work

package struct OrderSummary: Hashable, Sendable {
    package let order: WorkOrder
    /// The number of units, in total and by state; `expired` are claimed units whose lease has ended.
    package let units, waiting, claimed, expired, verified, failed: Int
    /// The share of the ended units that are verified; nil if none has ended.
    package let yield: Double?
    /// The share of the ended units that are verified, never failed and got their image once; nil if none has ended.
    package let firstPassYield: Double?
    /// The number of units in `firstPassYield`; and of units that are being retried, and count as failed until then.
    package let firstPass, retried: Int
    /// The number of results; how many of them belong to an old claim (`late`); and how many to no unit (`unplanned`).
    package let results, late, unplanned: Int
    package let created: RecordedTime
    package let released: RecordedTime?
    package let releasedBy: String?
}

extension OrderSummary {
    /// The number of units that count in the yields.
    package var ended: Int { verified + failed + retried }

    var heldCode: String? {
        order.state == .held ? order.heldReason?.split(separator: ":").first.map(String.init) : nil
    }

    init(_ row: PostgresRow) throws(PostgresError) {
        let reason = try row.textIfAny("held_reason")
        order = WorkOrder(
            number: try row.text("number"), state: try row.enumeration("state", "order state"),
            heldReason: try row.textIfAny("held_code").map { code in "\(code): \(reason ?? "")" },
            expected: try row.integerIfAny("expected").map { Int(clamping: $0) },
            firmware: try WorkFirmware(row))
        units = try row.count("units")
        waiting = try row.count("waiting")
        claimed = try row.count("claimed")
        expired = try row.count("expired")
        verified = try row.count("verified")
        failed = try row.count("failed")
        yield = try row.fractionIfAny("yield")
        firstPassYield = try row.fractionIfAny("first_pass_yield")
        firstPass = try row.count("first_pass")
        retried = try row.count("retried")
        results = try row.count("results")
        late = try row.count("late")
        unplanned = try row.count("unplanned")
        created = try row.time("created")
        released = try row.timeIfAny("released_at")
        releasedBy = try row.textIfAny("released_by")
    }
}
