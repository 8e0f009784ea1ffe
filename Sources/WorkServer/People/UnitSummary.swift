package import Tray
package import UpdateModel

package struct UnitSummary: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case waiting
        case claimed
        /// The lease of the unit's claim has ended: any station may claim the unit.
        case expired
        case verified
        /// The unit has failed; a supervisor has to allow another attempt.
        case failed
    }

    package let order: String
    /// The unit's first key, by which the order lists it.
    package let key: String
    package let slot: String?
    package let state: State
    /// How often the unit was claimed, and how often it has failed since a supervisor last allowed another attempt.
    package let attempts, failures: Int
    /// `hasFailed`: ever. `isRepeated`: a bench needed more than one attempt, or the image was sent from the beginning
    /// more than once. `isRetried`: another attempt was allowed and has not ended yet.
    package let hasFailed, isRepeated, isRetried: Bool
    package let station: String?
    /// When the unit's claim ends, by the work server's clock; nil without a claim.
    package let claimedUntil: RecordedTime?
    /// The outcome of the unit's latest result of standing `current`.
    package let outcome: UnitOutcome?
    package let code: String?

    static let columns =
        "order_number, key, slot, state, attempts, failures, station, outcome, code, has_failed, is_repeated, is_retried, "
        + milliseconds("lease_until")

    init(_ row: PostgresRow) throws(PostgresError) {
        order = try row.text("order_number")
        key = try row.text("key")
        slot = try row.textIfAny("slot")
        state = try row.enumeration("state", "unit state")
        attempts = try row.count("attempts")
        failures = try row.count("failures")
        hasFailed = try row.boolean("has_failed")
        isRepeated = try row.boolean("is_repeated")
        isRetried = try row.boolean("is_retried")
        station = try row.textIfAny("station")
        claimedUntil = try row.timeIfAny("lease_until")
        outcome = try row.textIfAny("outcome").flatMap { UnitOutcome(rawValue: $0) }
        code = try row.textIfAny("code")
    }
}

// Counts units as the view `orders` does.
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
    package var yieldOutcome: UnitOutcome? {
        switch state {
        case .verified: .passed
        case .failed: .failed
        case .waiting, .claimed, .expired: isRetried ? .failed : nil
        }
    }

    package var passedFirst: Bool? { yieldOutcome.map { $0 == .passed && !hasFailed && !isRepeated } }
}
