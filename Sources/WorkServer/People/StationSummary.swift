package import Tray

/// A station's state at its last heartbeat.
package struct StationSummary: Hashable, Sendable {
    package let name: String
    /// The login to which the station is bound; nil until the next heartbeat after `readmit`.
    package let login: String?
    package let program: String?
    /// The code of the reason why the station's program gets no work; nil if it gets work.
    package let claimRefusalCode: String?
    package let seen: RecordedTime
    /// How many results waited at the station.
    package let waiting: Int
    /// When the oldest of the waiting results was recorded; nil if none waited.
    package let oldestWaiting: RecordedTime?
    /// The number up to which the work server has all results of the station's journal.
    package let contiguous: Int64?
    package let catalogue: Int64?
    /// How far the station's clock was ahead of the work server's; negative if behind.
    package let clockAhead: Duration
    package let claims: Int
    /// How many of the station's results were permanently refused.
    package let refused: Int
}

extension StationSummary {
    static let columns =
        "name, login, program, may_not_claim, waiting, contiguous, catalogue, claims, refused, "
        + ["seen", "oldest_waiting", "clock_ahead"].map(milliseconds).joined(separator: ", ")

    init(_ row: PostgresRow) throws(PostgresError) {
        name = try row.text("name")
        login = try row.textIfAny("login")
        program = try row.textIfAny("program")
        claimRefusalCode = try row.textIfAny("may_not_claim")
        seen = try row.time("seen")
        waiting = Int(clamping: try row.integerIfAny("waiting") ?? 0)
        oldestWaiting = try row.timeIfAny("oldest_waiting")
        contiguous = try row.integerIfAny("contiguous")
        catalogue = try row.integerIfAny("catalogue")
        clockAhead = .milliseconds(try row.integerIfAny("clock_ahead") ?? 0)
        claims = try row.count("claims")
        refused = try row.count("refused")
    }
}
