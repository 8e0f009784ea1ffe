package import Tray
package import Work

package struct OrderSummary: Hashable, Sendable {
    package let order: WorkOrder
    /// The number of units, in total and by state; `expired` are claimed units whose lease has ended.
    package let units, waiting, claimed, expired, verified, failed: Int
    /// The share of the ended units that are verified; nil if none has ended.
    package let yield: Double?
    /// The share of the ended units that are verified, never failed and got their image once.
    package let firstPassYield: Double?
    /// The number of these units; and of those that count as failed until another attempt has ended.
    package let firstPass, retried: Int
    /// The number of results, and how many of them belong to an old claim or to no unit.
    package let results, late, unplanned: Int
    package let created: RecordedTime
    package let released: RecordedTime?
    package let releasedBy: String?
}

extension OrderSummary {
    /// The number of units that count in its yields.
    package var ended: Int { verified + failed + retried }

    var heldCode: String? {
        order.state == .held ? order.heldReason?.split(separator: ":").first.map(String.init) : nil
    }

    init(_ row: PostgresRow) throws(PostgresError) {
        let reason = try row.textIfAny("held_reason")
        order = WorkOrder(
            number: try row.text("number"), state: try row.known("state", "order state"),
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

/// A column of moments, in milliseconds since 1970.
func milliseconds(_ column: String) -> String {
    "floor(extract(epoch FROM \(column)) * 1000)::bigint AS \(column)"
}

package struct UnitSummary: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case waiting
        case claimed
        /// A station's claim has expired: another station may claim it.
        case expired
        case verified
        /// It has failed; a supervisor has to allow another attempt.
        case failed
    }

    package let order: String
    /// Its first key, by which it is listed.
    package let key: String
    package let slot: String?
    package let state: State
    /// How often it was claimed, and how often it failed since another attempt was last allowed.
    package let attempts, failures: Int
    /// Whether it ever failed; whether a bench needed more than one attempt, or its image was sent from the beginning
    /// more than once; whether another attempt was allowed that has not ended yet.
    package let hasFailed, isRepeated, isRetried: Bool
    package let station: String?
    /// When its claim ends, by the work server's clock.
    package let claimedUntil: RecordedTime?
    /// The outcome of its last current result.
    package let outcome: Outcome?
    package let code: String?

    static let columns =
        "order_number, key, slot, state, attempts, failures, station, outcome, code, has_failed, is_repeated, is_retried, "
        + milliseconds("lease_until")

    init(_ row: PostgresRow) throws(PostgresError) {
        order = try row.text("order_number")
        key = try row.text("key")
        slot = try row.textIfAny("slot")
        state = try row.known("state", "unit state")
        attempts = try row.count("attempts")
        failures = try row.count("failures")
        hasFailed = try row.boolean("has_failed")
        isRepeated = try row.boolean("is_repeated")
        isRetried = try row.boolean("is_retried")
        station = try row.textIfAny("station")
        claimedUntil = try row.timeIfAny("lease_until")
        outcome = try row.textIfAny("outcome").flatMap { Outcome(rawValue: $0) }
        code = try row.textIfAny("code")
    }
}

// As in the yields of the view `orders`.
extension UnitSummary: CountedUnit {
    package var status: UnitStatus {
        switch state {
        case .waiting: .waiting
        case .claimed: .running
        case .expired: .stalled
        case .verified: outcome == .notNeeded ? .notNeeded : .passed
        case .failed: outcome == .unknown ? .unknown : .failed
        }
    }

    /// A verified unit passed, whether or not it needed the update.
    package var settled: Outcome? {
        switch state {
        case .verified: .passed
        case .failed: .failed
        case .waiting, .claimed, .expired: isRetried ? .failed : nil
        }
    }

    package var passedFirst: Bool? { settled.map { $0 == .passed && !hasFailed && !isRepeated } }
}
