package import Tray

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
    /// Whether it ever failed, and whether another attempt was allowed that has not ended yet.
    package let hasFailed, isRetried: Bool
    package let station: String?
    /// When its claim ends, by the work server's clock.
    package let claimedUntil: RecordedTime?
    /// The outcome of its last current result.
    package let outcome: Outcome?
    package let code: String?
    /// When any of this last changed.
    package let changed: RecordedTime

    static let columns =
        "order_number, key, slot, state, attempts, failures, station, outcome, code, has_failed, is_retried, "
        + milliseconds("lease_until") + ", " + milliseconds("changed")

    init(_ row: PostgresRow) throws(PostgresError) {
        let state = try row.text("state")
        guard let known = State(rawValue: state) else { throw row.flaw("unknown unit state '\(state)'") }
        order = try row.text("order_number")
        key = try row.text("key")
        slot = try row.textIfAny("slot")
        self.state = known
        attempts = try row.count("attempts")
        failures = try row.count("failures")
        hasFailed = try row.boolean("has_failed")
        isRetried = try row.boolean("is_retried")
        station = try row.textIfAny("station")
        claimedUntil = try row.timeIfAny("lease_until")
        outcome = try row.textIfAny("outcome").flatMap { Outcome(rawValue: $0) }
        code = try row.textIfAny("code")
        changed = try row.time("changed")
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

    package var passedFirst: Bool? { settled.map { $0 == .passed && !hasFailed } }
}
