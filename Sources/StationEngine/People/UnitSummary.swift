import Postgres
public import Tray

/// A unit of an order and what has become of it.
public struct UnitSummary: Hashable, Sendable {
    /// How far a unit has come.
    public enum State: String, CaseIterable, Sendable {
        /// Nobody works at it.
        case waiting
        /// A station does.
        case claimed
        /// A station had it and has not said more: the next may have it.
        case expired
        /// It is on its firmware.
        case verified
        /// It has failed; a person has to give it another try.
        case failed
    }

    /// The order's number.
    public let order: String
    /// Its key, and all that it is known by.
    public let key: String
    /// The label of its place.
    public let slot: String?
    /// How far it has come.
    public let state: State
    /// How often it was claimed, and how often it failed since it was last given another try.
    public let attempts, failures: Int
    /// Whether it ever failed, and whether it was given another try since and has come to no end yet.
    public let hasFailed, isRetried: Bool
    /// Who had it last.
    public let station: String?
    /// Until when it is claimed, by the engine's clock.
    public let claimedUntil: RecordedTime?
    /// What its last current result says.
    public let outcome: Outcome?
    /// And why.
    public let code: String?
    /// When anything of this changed last.
    public let changed: RecordedTime

    static let columns =
        "order_number, key, slot, state, attempts, failures, station, outcome, code, has_failed, is_retried, "
        + milliseconds("lease_until") + ", " + milliseconds("changed")

    init(_ row: PostgresRow) throws(PostgresError) {
        let state = try row.text("state")
        guard let known = State(rawValue: state) else { throw row.flaw("a unit that is '\(state)'") }
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
